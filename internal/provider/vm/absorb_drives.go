package vm

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// disks reads the source of each disk: see source. import_from, format and
// on_remove are words of the configuration and stay as they were.
func (a absorbing) disks(prior, now map[string]diskModel) {
	for key, disk := range now {
		before, declared := prior[key]
		file, size := a.now[spaceDisk+key+".file"], a.now[spaceDisk+key+".size"]
		own := a.owns(file) && (declared || attrs.ExactSize(size))
		p := place{before.Storage, before.Volume}.read(file, own, a.first && !declared)
		disk.Storage, disk.Volume = p.storage, p.volume
		switch {
		case attrs.Known(disk.Volume) || declared && before.Size.IsNull():
			disk.Size = attrs.NullSize()
		default:
			disk.Size = attrs.ReadSize(before.Size, size)
		}
		now[key] = disk
	}
}

// place is where a disk is: storage for one of the VM's own, volume for anything
// else and for what the user named.
type place struct{ storage, volume types.String }

// read keeps to the way in which the user described the place; a place that was
// never described is described only at the first read.
func (p place) read(file string, own, first bool) place {
	null := types.StringNull()
	id, err := volume.Parse(file)
	switch {
	case attrs.Known(p.volume):
		return place{null, types.StringValue(file)}
	case !first && !attrs.Known(p.storage):
		return place{null, null}
	case own && err == nil:
		return place{types.StringValue(id.Storage), null}
	}
	return place{null, types.StringValue(file)}
}

// owns reports whether a volume belongs to the VM by its name.
func (a absorbing) owns(file string) bool { return owns(a.self, file) }

func owns(self guest.VMID, file string) bool {
	id, err := volume.Parse(file)
	if err != nil {
		return false
	}
	owner, ok := id.Owner()
	return ok && owner == self
}

func (a absorbing) cdroms(now map[string]cdromModel) {
	for key, drive := range now {
		drive.Volume = types.StringNull()
		if file := a.now[spaceCDROM+key+".file"]; file != "none" {
			drive.Volume = types.StringValue(file)
		}
		now[key] = drive
	}
}

func (a absorbing) efiDisk(prior, now *efiDiskModel) *efiDiskModel {
	file, present := a.now["efidisk0.file"]
	switch {
	case !present:
		return nil
	case now == nil && !a.first:
		return nil
	case now == nil:
		now = keys.Null[efiDiskModel]()
	}
	var before place
	if prior != nil {
		before = place{prior.Storage, prior.Volume}
	}
	p := before.read(file, a.owns(file), prior == nil)
	now.Storage, now.Volume = p.storage, p.volume
	return now
}

func (a absorbing) tpmState(prior, now *tpmStateModel) *tpmStateModel {
	file, present := a.now["tpmstate0.file"]
	switch {
	case !present:
		return nil
	case now == nil && !a.first:
		return nil
	case now == nil:
		now = keys.Null[tpmStateModel]()
	}
	var before place
	if prior != nil {
		before = place{prior.Storage, prior.Volume}
	}
	p := before.read(file, a.owns(file), prior == nil)
	now.Storage, now.Volume = p.storage, p.volume
	return now
}

// cloudInit reads where the cloud-init drive is.
func (a absorbing) cloudInit(prior, now *cloudInitModel) *cloudInitModel {
	drive, file := a.now.cloudInitDrive()
	if now == nil && a.first && drive != "" {
		now = keys.Null[cloudInitModel]()
	}
	if now == nil {
		return nil
	}
	if a.first && prior == nil || attrs.Known(now.Drive) {
		now.Drive = types.StringNull()
		if drive != "" {
			now.Drive = types.StringValue(drive)
		}
	}
	if a.first && prior == nil || attrs.Known(now.Storage) {
		now.Storage = types.StringNull()
		if id, err := volume.Parse(file); err == nil {
			now.Storage = types.StringValue(id.Storage)
		}
	}
	return now
}

// cloudInitDrive is the key and the volume of the cloud-init drive, empty when
// there is none. There is at most one. Source: PVE::QemuServer check_cloudinit.
func (f flat) cloudInitDrive() (key, file string) {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if rest, ok := strings.CutPrefix(name, spaceCloudInit); ok {
			if key, ok := strings.CutSuffix(rest, ".file"); ok {
				return key, f[name]
			}
		}
	}
	return "", ""
}
