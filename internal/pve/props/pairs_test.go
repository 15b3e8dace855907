package props_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve/props"
)

func TestSplitAndJoin(t *testing.T) {
	t.Parallel()
	net, joinNet := props.Split[pve.VMNet], props.Join[pve.VMNet]
	drive, joinDrive := props.Split[pve.Drive], props.Join[pve.Drive]
	startup, joinStartup := props.Split[pve.Startup], props.Join[pve.Startup]
	for name, tc := range map[string]struct {
		split       func(string) (map[string]string, error)
		join        func(map[string]string) (string, error)
		text, print string
		want        map[string]string
	}{
		"a network device": {net, joinNet, "virtio=BC:24:11:00:00:01,firewall=1,bridge=vmbr0", "virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1",
			map[string]string{"model": "virtio", "macaddr": "BC:24:11:00:00:01", "bridge": "vmbr0", "firewall": "1"}},
		"a network device with keys written out": {net, joinNet, "model=e1000,macaddr=BC:24:11:00:00:01", "e1000=BC:24:11:00:00:01",
			map[string]string{"model": "e1000", "macaddr": "BC:24:11:00:00:01"}},
		"a network device without an address": {net, joinNet, "virtio,bridge=vmbr0", "virtio,bridge=vmbr0",
			map[string]string{"model": "virtio", "bridge": "vmbr0"}},
		"a drive with its file last and a key nobody knows": {drive, joinDrive, "later=1,size=8G,file=local-lvm:vm-1-disk-0", "local-lvm:vm-1-disk-0,later=1,size=8G",
			map[string]string{"file": "local-lvm:vm-1-disk-0", "size": "8G", "later": "1"}},
		"a boolean keeps its spelling": {drive, joinDrive, "local-lvm:vm-1-disk-0,ssd=on", "local-lvm:vm-1-disk-0,ssd=on",
			map[string]string{"file": "local-lvm:vm-1-disk-0", "ssd": "on"}},
		"a startup order without its key": {startup, joinStartup, "3,up=60", "3,up=60", map[string]string{"order": "3", "up": "60"}},
		"nothing":                         {startup, joinStartup, " ", "", map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tc.split(tc.text)
			if err != nil || !maps.Equal(got, tc.want) {
				t.Fatalf("Split(%q) = %v, %v; want %v", tc.text, got, err, tc.want)
			}
			if text, err := tc.join(got); err != nil || text != tc.print {
				t.Errorf("Join = %q, %v; want %q", text, err, tc.print)
			}
		})
	}
}

func TestSplitRefuses(t *testing.T) {
	t.Parallel()
	if _, err := props.Split[pve.VMNet]("virtio=BC:24:11:00:00:01,macaddr=BC:24:11:00:00:02"); err == nil {
		t.Error("two addresses were taken")
	} else if _, ok := errors.AsType[*props.DuplicateError](err); !ok {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{"=x", "virtio="} {
		if _, err := props.Split[pve.VMNet](text); err == nil {
			t.Errorf("Split(%q) was taken", text)
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	t.Parallel()
	if _, err := props.Join[pve.VMNet](map[string]string{"bridge": "vmbr0"}); err == nil {
		t.Error("a device without a model was printed")
	}
	if _, err := props.Join[pve.VMNet](map[string]string{"model": "virtio", "bridge": "a,b"}); err == nil {
		t.Error("a comma was printed")
	}
}
