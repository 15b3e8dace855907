package lifecycle_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
)

func needs() lifecycle.Needs {
	return lifecycle.Needs{
		Node: "pve1", VMID: 5001, Template: "local:vztmpl/debian-13.tar.zst", Content: "rootdir",
		Storages: map[string]bytesize.Size{"local-lvm": 8 * bytesize.GiB, "san": 2 * bytesize.GiB},
		Bridges:  []string{"vmbr0"}, Pool: "web",
	}
}

func supply() lifecycle.Supply {
	return lifecycle.Supply{
		Templates: map[string]bool{"local:vztmpl/debian-13.tar.zst": true},
		Storages: map[string]lifecycle.Room{
			"local-lvm": {Active: true, Content: []string{"images", "rootdir"}},
			"san":       {Active: true, Content: []string{"rootdir"}, Thick: true, Free: bytesize.GiB, Freed: bytesize.GiB},
		},
		Bridges: map[string]bool{"vmbr0": true},
		Pools:   map[string]bool{"web": true},
		Privileges: map[string]map[string]bool{
			"/pool/web": {"VM.Allocate": true}, "/storage/local-lvm": {"Datastore.AllocateSpace": true}, "/storage/san": {"Datastore.AllocateSpace": true},
		},
		Modern: true,
	}
}

func TestWhatACreateLacks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*lifecycle.Needs, *lifecycle.Supply)
		want   string
	}{
		"nothing": {func(*lifecycle.Needs, *lifecycle.Supply) {}, ""},
		"a template": {func(n *lifecycle.Needs, _ *lifecycle.Supply) { n.Template = "local:vztmpl/gone.tar.zst" },
			"- template local:vztmpl/gone.tar.zst: It is not on node pve1."},
		"the guest to copy": {func(n *lifecycle.Needs, s *lifecycle.Supply) {
			n.Source, s.Source = &guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 9000}, new(false)
			s.Privileges["/vms/9000"] = map[string]bool{"VM.Clone": true}
		}, "- source 9000: There is no VM with this number to copy."},
		"the privilege to copy": {func(n *lifecycle.Needs, s *lifecycle.Supply) {
			n.Source, s.Source = &guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 9000}, new(true)
		}, "- privilege VM.Clone: The identity lacks it on /vms/9000."},
		"a storage": {func(_ *lifecycle.Needs, s *lifecycle.Supply) { delete(s.Storages, "san") },
			"- storage san: It is not on node pve1, or the identity may not see it."},
		"a storage that is down": {func(_ *lifecycle.Needs, s *lifecycle.Supply) {
			s.Storages["san"] = lifecycle.Room{Content: []string{"rootdir"}}
		},
			"- storage san: It is not active on node pve1."},
		"a storage for containers": {func(_ *lifecycle.Needs, s *lifecycle.Supply) {
			s.Storages["local-lvm"] = lifecycle.Room{Active: true, Content: []string{"iso", "backup"}}
		}, "- storage local-lvm: It does not take this kind of guest: its content is backup, iso, without rootdir."},
		"room": {func(n *lifecycle.Needs, _ *lifecycle.Supply) { n.Storages["san"] += bytesize.MiB },
			"- storage san: 2148532224 bytes are needed (3 GiB) and 2147483648 bytes (2 GiB) would be free after the destroy."},
		"room on a storage that grows": {func(n *lifecycle.Needs, _ *lifecycle.Supply) { n.Storages["local-lvm"] = 100 * bytesize.TiB }, ""},
		"a volume": {func(n *lifecycle.Needs, s *lifecycle.Supply) {
			n.Volumes, s.Volumes = []string{"san:vm-5002-disk-0", "san:vm-5003-disk-0", "san:hidden"}, map[string]bool{"san:vm-5002-disk-0": true, "san:vm-5003-disk-0": false}
		}, "- volume san:vm-5003-disk-0: It is not on node pve1."},
		"a volume that the destroy erases": {func(n *lifecycle.Needs, s *lifecycle.Supply) {
			n.Volumes, s.Erased = []string{"san:vm-5001-disk-1"}, map[string]bool{"san:vm-5001-disk-1": true}
		}, "- volume san:vm-5001-disk-1: It belongs to the guest itself, so the destroy erases it before the new guest could mount it."},
		"a bridge": {func(n *lifecycle.Needs, _ *lifecycle.Supply) { n.Bridges = []string{"vmbr0", "vmbr9"} },
			"- bridge vmbr9: There is none of this name on node pve1."},
		"a pool": {func(_ *lifecycle.Needs, s *lifecycle.Supply) { s.Pools = map[string]bool{} },
			"- pool web: It does not exist, or the identity may not see it."},
		"an identity": {func(n *lifecycle.Needs, _ *lifecycle.Supply) { n.RootOnly = []string{"mount_points.mp0", "devices"} },
			"- attribute devices: Only root@pam may set it, and no API token.\n- attribute mount_points.mp0: Only root@pam may set it, and no API token."},
		"the identity of root": {func(n *lifecycle.Needs, s *lifecycle.Supply) {
			n.RootOnly, s.Root, s.Privileges = []string{"devices"}, true, map[string]map[string]bool{}
		}, ""},
		"a privilege on the guest": {func(_ *lifecycle.Needs, s *lifecycle.Supply) { delete(s.Privileges, "/pool/web") },
			"- privilege VM.Allocate: The identity lacks it on /vms/5001 or /pool/web."},
		"the privilege for a firewall": {func(n *lifecycle.Needs, _ *lifecycle.Supply) { n.Firewall = true },
			"- privilege VM.Config.Network: The identity lacks it on /vms/5001 or /pool/web."},
		"the privilege for a privileged container": {func(n *lifecycle.Needs, _ *lifecycle.Supply) { n.SysModify = true },
			"- privilege Sys.Modify: The identity lacks it on /."},
		"the same on Proxmox VE 8": {func(n *lifecycle.Needs, s *lifecycle.Supply) { n.SysModify, s.Modern = true, false }, ""},
		"what could not be seen":   {func(_ *lifecycle.Needs, s *lifecycle.Supply) { *s = lifecycle.Supply{} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, s := needs(), supply()
			tc.change(&n, &s)
			e := &lifecycle.Lacking{Guest: ref, Lacks: n.Missing(s)}
			if got := e.Reasons(); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestLackingInWords(t *testing.T) {
	t.Parallel()
	e := &lifecycle.Lacking{Guest: ref, Lacks: []lifecycle.Lack{{What: "pool", Name: "web", Why: "It is gone."}}}
	if got, want := e.Error(), "Container 5001 could not be created again, so it is not destroyed:\n- pool web: It is gone."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNeedsTravelAsJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(needs())
	if err != nil {
		t.Fatal(err)
	}
	var back lifecycle.Needs
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(needs(), back); diff != "" {
		t.Errorf("%s came back as (-want +got):\n%s", text, diff)
	}
	if strings.Contains(string(text), "root_only") {
		t.Errorf("what is not needed is written: %s", text)
	}
}
