package pve_test

import (
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

func TestUPID(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text                 string
		node, kind, id, user string
		started              int64
	}{
		"of a token": {"UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzcreate:160:root@pam!tf:",
			"pve1", "vzcreate", "160", "root@pam!tf", 0x6B0C11A8},
		"without id": {"UPID:pve-2:000006B9:10004EDCE:6B0C11A8:vzdump::root@pam:",
			"pve-2", "vzdump", "", "root@pam", 0x6B0C11A8},
		"of a volume": {"UPID:pve1:000006B9:0004EDCE:6B0C11A8:imgdel:100@local:a@pve:",
			"pve1", "imgdel", "100@local", "a@pve", 0x6B0C11A8},
		"of a volume given away": {"UPID:pve1:000006B9:0004EDCE:6B0C11A8:move_volume:100-mp0>101-mp0:a@pve:",
			"pve1", "move_volume", "100-mp0>101-mp0", "a@pve", 0x6B0C11A8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, err := pve.ParseUPID(tc.text)
			if err != nil {
				t.Fatal(err)
			}
			if u.Node() != tc.node || u.Type() != tc.kind || u.ID() != tc.id || u.User() != tc.user || !u.Started().Equal(time.Unix(tc.started, 0)) {
				t.Errorf("got %q %q %q %q %v", u.Node(), u.Type(), u.ID(), u.User(), u.Started())
			}
		})
	}
}

func TestTextsThatAreNoUPID(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "OK", "UPID:", "UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzcreate:160:root@pam",
		"UPID:pve1:6B9:0004EDCE:6B0C11A8:vzcreate:160:root@pam:", "UPID:pve1:000006B9:0004EDCE:6B0C11A8::160:root@pam:",
		"UPID:../x:000006B9:0004EDCE:6B0C11A8:vzcreate:160:root@pam:",
		"UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzcreate:160:root@pam:\n",
	} {
		if u, err := pve.ParseUPID(text); err == nil {
			t.Errorf("ParseUPID(%q) = %q, want an error", text, u)
		}
	}
}

func FuzzParseUPID(f *testing.F) {
	f.Add("UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzcreate:160:root@pam!tf:")
	f.Add("UPID:a:00000000:00000000:00000000:x::y:")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := pve.ParseUPID(text)
		if err != nil {
			return
		}
		if string(u) != text || u.Node() == "" || u.Type() == "" || u.User() == "" {
			t.Errorf("%q: node %q, type %q, user %q", text, u.Node(), u.Type(), u.User())
		}
	})
}
