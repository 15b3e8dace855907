package crypt_test

import (
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/crypt"
)

func TestMatches(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		password, hash string
		want           bool
	}{
		"the vector of the specification":    {"Hello world!", "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5", true},
		"with a number of rounds":            {"Hello world!", "$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA", true},
		"another password":                   {"hello world!", "$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5", false},
		"a password longer than the hash":    {"a-rather-long-password-of-more-than-32-bytes", "$5$abc$dcb86CPwtGvl03AtbQjR4mkzPGlkksQm1ScZfIBSw53", true},
		"another method":                     {"x", "$1$salt$x", false},
		"a hash that is cut off":             {"x", "$5$salt", false},
		"the password of the test's cluster": {"testerpass", "$5$conformance$1YVrjlKnG/xRpWdgEHYaBCEDewEuzFdV9AzMJiZSOQ5", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := crypt.Matches(tc.password, tc.hash); got != tc.want {
				t.Errorf("Matches(%q, %q) = %t, want %t", tc.password, tc.hash, got, tc.want)
			}
		})
	}
}
