package volume_test

import (
	"errors"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

func TestOwner(t *testing.T) {
	t.Parallel()
	const nobody guest.VMID = 0
	for name, tc := range map[string]struct {
		id         string
		owner      guest.VMID
		recognised bool
	}{
		"a file":                        {"local:100/vm-100-disk-0.raw", 100, true},
		"a file in qcow2":               {"nfs:100/vm-100-disk-0.qcow2", 100, true},
		"a file in vmdk":                {"smb:244/vm-244-disk-0.vmdk", 244, true},
		"a subvolume on a file storage": {"local:132/subvol-132-disk-6.subvol", 132, true},
		"a file named for another guest belongs to its directory": {"local:100/vm-200-disk-0.raw", 100, true},
		"a file with any name belongs to its directory":           {"local:100/data.raw", 100, true},
		"a linked clone on a file storage belongs to the clone":   {"local:9004/base-9004-disk-0.qcow2/229/vm-229-disk-0.qcow2", 229, true},
		"a cloud-init drive on a file storage":                    {"local:1002/vm-1002-cloudinit.qcow2", 1002, true},
		"a memory state on a file storage":                        {"local:100/vm-100-state-before.raw", 100, true},

		"a logical volume":                         {"local-lvm:vm-100-disk-0", 100, true},
		"a logical volume with a snapshot chain":   {"san:vm-100-disk-0.qcow2", 100, true},
		"a template's volume":                      {"local-lvm:base-8010-disk-0", 8010, true},
		"a cloud-init drive":                       {"local-zfs:vm-9002-cloudinit", 9002, true},
		"a memory state":                           {"local-lvm:vm-100-state-before", 100, true},
		"the largest VMID":                         {"local-lvm:vm-999999999-disk-0", 999999999, true},
		"a data set":                               {"tank:subvol-102-disk-0", 102, true},
		"a template's data set":                    {"tank:basevol-128-disk-0", 128, true},
		"a linked clone on ZFS":                    {"tank:base-100-disk-0/vm-101-disk-0", 101, true},
		"a linked clone of a data set":             {"tank:basevol-128-disk-0/subvol-129-disk-0", 129, true},
		"a linked clone on RBD":                    {"ceph:base-130-disk-0/vm-131-disk-0", 131, true},
		"a leading zero counts as the same number": {"local-lvm:vm-0100-disk-0", 100, true},

		"an ISO image":                {"local:iso/debian-13.iso", nobody, true},
		"a template":                  {"local:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst", nobody, true},
		"a backup":                    {"local:backup/vzdump-lxc-100-2026_07_01-02_30_00.tar.zst", nobody, true},
		"a backup on a backup server": {"pbs:backup/ct/100/2026-07-01T00:30:00Z", nobody, true},
		"a snippet":                   {"local:snippets/hook.pl", nobody, true},
		"an image to import":          {"local:import/appliance.ova/disk.vmdk", nobody, true},
		"an iSCSI LUN":                {"san:0.0.0.scsi-360000000000000000e00000000010001", nobody, true},
		"a direct iSCSI LUN":          {"san:lun3", nobody, true},

		"a size where a volume should be":      {"local-lvm:8", nobody, false},
		"a file without an extension":          {"local:100/vm-100-disk-0", nobody, false},
		"a name of no shape":                   {"local-lvm:root", nobody, false},
		"a number that is no number":           {"local-lvm:vm-99999999999999999999-disk-0", nobody, false},
		"a name with nothing after the number": {"local-lvm:vm-100", nobody, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id, err := volume.Parse(tc.id)
			if err != nil {
				t.Fatal(err)
			}
			owner, owned := id.Owner()
			if owner != tc.owner && owned || owned != (tc.owner != nobody) {
				t.Errorf("owner of %s is %d, %t; want %d", tc.id, owner, owned, tc.owner)
			}
			if got := id.Recognised(); got != tc.recognised {
				t.Errorf("Recognised(%s) = %t", tc.id, got)
			}
			if id.String() != tc.id {
				t.Errorf("prints as %q", id)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", ":", "local", "local:", ":vm-100-disk-0", "l:vm-100-disk-0", "1local:x", "local-:x", "/mnt/a:b", "lo cal:x", "local:a b", "local:x\n"} {
		id, err := volume.Parse(text)
		if _, typed := errors.AsType[*volume.SyntaxError](err); !typed || id != (volume.ID{}) {
			t.Errorf("Parse(%q) = %v, %v", text, id, err)
		}
	}
	_, err := volume.Parse("disk")
	const want = `"disk" is not a volume id: a volume id is a storage and a name, for example "local-lvm:vm-5001-disk-0"`
	if err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestParseValue(t *testing.T) {
	t.Parallel()
	lvm := volume.ID{Storage: "local-lvm", Name: "vm-104-disk-1"}
	for name, tc := range map[string]struct {
		text string
		kind volume.Kind
		id   volume.ID
		size string
	}{
		"the volume first":               {"local-lvm:vm-104-disk-1,mp=/srv,size=8G", volume.Volume, lvm, "8G"},
		"the volume as a key":            {"volume=local-lvm:vm-104-disk-1,size=8G", volume.Volume, lvm, "8G"},
		"the volume last":                {"acl=0,size=64424509440,volume=local-lvm:vm-104-disk-1", volume.Volume, lvm, "64424509440"},
		"a drive's file":                 {"file=local-lvm:vm-104-disk-1,size=1G", volume.Volume, lvm, "1G"},
		"no size":                        {"local-lvm:vm-104-disk-1,mp=/srv", volume.Volume, lvm, ""},
		"an unknown sub-key":             {"local-lvm:vm-104-disk-1,later=1", volume.Volume, lvm, ""},
		"a stray comma":                  {"local-lvm:vm-104-disk-1,,mp=/srv,", volume.Volume, lvm, ""},
		"a bind mount":                   {"/tank/photos,mp=/srv/photos", volume.Bind, volume.ID{}, ""},
		"a bind mount with a colon":      {"/mnt/a:b,mp=/x", volume.Bind, volume.ID{}, ""},
		"a device mount":                 {"volume=/dev/sdb1,mp=/mnt/ext", volume.Device, volume.ID{}, ""},
		"a device":                       {"path=/dev/ttyUSB0,mode=0440", volume.Device, volume.ID{}, ""},
		"a directory named like devices": {"/devices,mp=/x", volume.Bind, volume.ID{}, ""},
		"an empty drive":                 {"none,media=cdrom", volume.None, volume.ID{}, ""},
		"a physical drive":               {"cdrom,media=cdrom", volume.None, volume.ID{}, ""},
		"a duplicate key":                {"local-lvm:vm-104-disk-1,mp=/a,mp=/b", volume.Garbage, volume.ID{}, ""},
		"two volumes":                    {"local-lvm:vm-104-disk-1,volume=local-lvm:vm-104-disk-2", volume.Garbage, volume.ID{}, ""},
		"two bare items":                 {"local-lvm:vm-104-disk-1,local-lvm:vm-104-disk-2", volume.Garbage, volume.ID{}, ""},
		"no volume":                      {"mp=/srv,size=8G", volume.Garbage, volume.ID{}, ""},
		"a key without value":            {"local-lvm:vm-104-disk-1,mp=", volume.Garbage, volume.ID{}, ""},
		"a value without key":            {"local-lvm:vm-104-disk-1,=/srv", volume.Garbage, volume.ID{}, ""},
		"no storage":                     {"vm-104-disk-1,mp=/srv", volume.Garbage, volume.ID{}, ""},
		"nothing":                        {"", volume.Garbage, volume.ID{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := volume.ParseValue(tc.text)
			if got.Kind != tc.kind || got.ID != tc.id || got.Sub["size"] != tc.size {
				t.Errorf("ParseValue(%q) = %+v", tc.text, got)
			}
			if tc.kind == volume.Garbage && got.Source != tc.text {
				t.Errorf("garbage %q is kept as %q", tc.text, got.Source)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"local:100/vm-100-disk-0.raw", "tank:base-100-disk-0/vm-101-disk-0", "local:iso/a.iso", "x:y", ":", "local-lvm:8"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := volume.Parse(s)
		if err != nil {
			return
		}
		if id.String() != s {
			t.Errorf("%q prints as %q", s, id)
		}
		owner, owned := id.Owner()
		if owned && (owner < 0 || !id.Recognised()) {
			t.Errorf("%q: owner %d, recognised %t", s, owner, id.Recognised())
		}
	})
}

func FuzzParseValue(f *testing.F) {
	for _, s := range []string{"local-lvm:vm-104-disk-1,mp=/srv,size=8G", "/tank,mp=/x", "none,media=cdrom", "a=b", ",,", "volume=/dev/sdb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := volume.ParseValue(s)
		if (v.Kind == volume.Volume) != (v.ID != volume.ID{}) {
			t.Errorf("%q: kind %s with id %q", s, v.Kind, v.ID)
		}
		if v.Kind == volume.Volume && v.ID.String() != v.Source {
			t.Errorf("%q: id %q from source %q", s, v.ID, v.Source)
		}
	})
}
