package guest_test

import (
	"errors"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

func TestParseVMID(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want guest.VMID
		bad  bool
	}{
		"the smallest":                {text: "100", want: 100},
		"the largest":                 {text: "999999999", want: 999999999},
		"an ordinary one":             {text: "5001", want: 5001},
		"one below the smallest":      {text: "99", bad: true},
		"one above the largest":       {text: "1000000000", bad: true},
		"empty":                       {text: "", bad: true},
		"a leading zero":              {text: "0100", bad: true},
		"a sign":                      {text: "+100", bad: true},
		"a negative number":           {text: "-100", bad: true},
		"a space":                     {text: "100 ", bad: true},
		"a digit of another alphabet": {text: "10٠", bad: true},
		"a name":                      {text: "web", bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := guest.ParseVMID(tc.text)
			if got != tc.want || (err != nil) != tc.bad {
				t.Fatalf("ParseVMID(%q) = %d, %v; want %d, error %t", tc.text, got, err, tc.want, tc.bad)
			}
			if _, typed := errors.AsType[*guest.VMIDError](err); tc.bad && !typed {
				t.Errorf("error is %T, want *guest.VMIDError", err)
			}
		})
	}
}

func TestVMIDErrorText(t *testing.T) {
	t.Parallel()
	_, err := guest.ParseVMID("99")
	const want = `"99" is not a VMID: a VMID is a number from 100 to 999999999 without leading zeros`
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestWordsOfAKind(t *testing.T) {
	t.Parallel()
	for kind, want := range map[guest.Kind][2]string{
		guest.LXC:  {"container", "pct"},
		guest.QEMU: {"VM", "qm"},
		"":         {"guest", "pct"},
	} {
		if got := [2]string{kind.Noun(), kind.Command()}; got != want {
			t.Errorf("%q: got %v, want %v", kind, got, want)
		}
	}
}

func TestRefString(t *testing.T) {
	t.Parallel()
	r := guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}
	if got := r.String(); got != "pve1/lxc/5001" {
		t.Errorf("got %q", got)
	}
}

func FuzzParseVMID(f *testing.F) {
	for _, s := range []string{"100", "999999999", "0", "", "0100", "+5", "1e3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := guest.ParseVMID(s)
		if err != nil {
			if v != 0 {
				t.Errorf("ParseVMID(%q) = %d beside an error", s, v)
			}
			return
		}
		if !v.Valid() || v.String() != s {
			t.Errorf("ParseVMID(%q) = %d", s, v)
		}
	})
}
