package lifecycle_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
)

const (
	macA = "BC:24:11:00:00:0A"
	macB = "BC:24:11:00:00:0B"
	macC = "BC:24:11:00:00:0C"
	root = "local-lvm:vm-5001-disk-0"
)

func ct(root string, made int64, macs ...string) lifecycle.Fingerprint {
	return lifecycle.Fingerprint{Kind: guest.LXC, VMID: 5001, Root: root, Made: made, MACs: macs}
}

func vm(ctime, uuid string) lifecycle.Fingerprint {
	return lifecycle.Fingerprint{Kind: guest.QEMU, VMID: 5001, Ctime: ctime, UUID: uuid}
}

func TestFingerprintOfAConfiguration(t *testing.T) {
	t.Parallel()
	got := lifecycle.FingerprintOf(guest.LXC, 5001, map[string]string{
		"rootfs": "volume=" + root + ",size=8G", "network": "hwaddr=x", "netX": "hwaddr=x",
		"net1": "name=eth1,hwaddr=" + macB, "net0": "name=eth0,bridge=vmbr0,hwaddr=bc:24:11:00:00:0a,type=veth", "net2": "name=eth2",
	})
	if diff := cmp.Diff(ct(root, 0, macA, macB), got); diff != "" {
		t.Errorf("container (-want +got):\n%s", diff)
	}
	got = lifecycle.FingerprintOf(guest.QEMU, 5001, map[string]string{
		"meta": "creation-qemu=10.1.2,ctime=1783000000", "smbios1": "uuid=8C1A0000-0000-4000-8000-00000000000A,base64=1",
	})
	if diff := cmp.Diff(vm("1783000000", "8c1a0000-0000-4000-8000-00000000000a"), got); diff != "" {
		t.Errorf("VM (-want +got):\n%s", diff)
	}
}

func TestFingerprintText(t *testing.T) {
	t.Parallel()
	for text, f := range map[string]lifecycle.Fingerprint{
		"lxc/5001 made=1783000000 rootfs=" + root + " mac=" + macA + "," + macB: ct(root, 1783000000, macA, macB),
		"lxc/5001 made=1783000000":             ct("", 1783000000),
		"lxc/5001":                             ct("", 0),
		"qemu/5001 ctime=1783000000 uuid=8c1a": vm("1783000000", "8c1a"),
	} {
		if got := f.String(); got != text {
			t.Errorf("prints %q, want %q", got, text)
		}
		got, err := lifecycle.ParseFingerprint(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(f, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"", "lxc", "lxc/99", "vm/5001", "lxc/5001 made=soon", "lxc/5001 made=-1", "lxc/5001 rootfs", "lxc/5001 mac="} {
		_, err := lifecycle.ParseFingerprint(text)
		if _, typed := errors.AsType[*lifecycle.FingerprintError](err); !typed {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if _, err := lifecycle.ParseFingerprint("lxc/5001 later=1"); err != nil {
		t.Errorf("a mark of a later version: %v", err)
	}
}

func TestIsItTheGuestThatWeKnow(t *testing.T) {
	t.Parallel()
	var (
		nothing = lifecycle.History{}
		ours    = lifecycle.History{OwnSeen: true}
		remade  = lifecycle.History{OwnSeen: true, RemadeSeen: true}
		other   = "local-lvm:vm-5001-disk-1"
	)
	for name, tc := range map[string]struct {
		known, live lifecycle.Fingerprint
		history     lifecycle.History
		verdict     lifecycle.Verdict
		same        bool
	}{
		"nothing changed":                           {ct(root, 1, macA), ct(root, 0, macA), nothing, lifecycle.Same, true},
		"the root volume was moved":                 {ct(root, 1, macA), ct(other, 0, macA), nothing, lifecycle.Same, true},
		"an interface was added":                    {ct(root, 1, macA), ct(root, 0, macA, macB), nothing, lifecycle.Same, true},
		"one of two interfaces was taken away":      {ct(root, 1, macA, macB), ct(root, 0, macB), nothing, lifecycle.Same, true},
		"the number and all names, another address": {ct(root, 1, macA), ct(root, 0, macC), nothing, lifecycle.Undecided, false},
		"another address, made by our last create":  {ct(root, 1, macA), ct(root, 0, macC), ours, lifecycle.Undecided, true},
		"another address, and remade since":         {ct(root, 1, macA), ct(root, 0, macC), remade, lifecycle.Undecided, false},
		"another address and another volume":        {ct(root, 1, macA), ct(other, 0, macC), ours, lifecycle.Different, false},
		"a VM has the number":                       {ct(root, 1, macA), vm("1", "a"), ours, lifecycle.Different, false},
		"no interface on either side":               {ct(root, 1), ct(root, 0), nothing, lifecycle.Undecided, true},
		"no interface, and remade since":            {ct(root, 1), ct(root, 0), remade, lifecycle.Undecided, false},
		"no interface and another volume":           {ct(root, 1), ct(other, 0), ours, lifecycle.Different, false},
		"the only interface was taken away":         {ct(root, 1, macA), ct(root, 0), nothing, lifecycle.Undecided, false},
		"half made, nothing to be seen":             {ct("", 1), ct(root, 0, macA), nothing, lifecycle.Undecided, false},
		"half made by our last create":              {ct("", 1), ct(root, 0, macA), ours, lifecycle.Undecided, true},
		"half made, then remade by another":         {ct("", 1), ct(root, 0, macA), remade, lifecycle.Undecided, false},

		"a VM":                          {vm("1", "a"), vm("1", "a"), nothing, lifecycle.Same, true},
		"a clone has the source's time": {vm("1", "a"), vm("1", "b"), nothing, lifecycle.Undecided, false},
		"another VM":                    {vm("1", "a"), vm("2", "b"), ours, lifecycle.Different, false},
		"a VM without meta":             {vm("", "a"), vm("", "a"), nothing, lifecycle.Undecided, true},
		"a VM without any mark":         {vm("", ""), vm("", ""), nothing, lifecycle.Undecided, true},
		"a VM that has a mark now":      {vm("", "a"), vm("2", "a"), nothing, lifecycle.Undecided, false},
		"a VM that lost a mark":         {vm("1", "a"), vm("", "a"), nothing, lifecycle.Undecided, false},
		"a VM without meta, ours":       {vm("", "a"), vm("", "a"), ours, lifecycle.Undecided, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.known.Compare(tc.live); got != tc.verdict {
				t.Errorf("Compare = %d, want %d", got, tc.verdict)
			}
			if got := tc.known.Decide(tc.live, tc.history); got != tc.same {
				t.Errorf("Decide = %t, want %t", got, tc.same)
			}
		})
	}
}

func TestRefreshedKeepsWhenItWasMade(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(ct("moved:x", 7, macB), ct(root, 7, macA).Refreshed(ct("moved:x", 0, macB))); diff != "" {
		t.Error(diff)
	}
}

func FuzzParseFingerprint(f *testing.F) {
	f.Add("lxc/5001 made=1783000000 rootfs=local-lvm:vm-5001-disk-0 mac=BC:24:11:00:00:01")
	f.Add("qemu/202 ctime=1 uuid=a")
	f.Add("lxc/ x=")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := lifecycle.ParseFingerprint(text)
		if err != nil {
			return
		}
		again, err := lifecycle.ParseFingerprint(got.String())
		if err != nil || !cmp.Equal(got, again) {
			t.Errorf("%q: %+v, then %+v, %v", text, got, again, err)
		}
	})
}
