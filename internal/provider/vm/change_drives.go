package vm

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// disks adds, changes and removes disks. Removing detaches: the volume becomes
// unusedN and nothing is erased, unless the user said so for this disk.
func (c *change) disks() error {
	for _, key := range slices.Sorted(maps.Keys(c.after.Disks)) {
		disk := c.after.Disks[key]
		file, present := c.now[spaceDisk+key+".file"]
		var err error
		switch {
		case present:
			err = c.changeDisk(key, c.before.Disks[key], disk, file)
		case c.now.sub(key) != nil && !c.managed(key):
			c.theirs = append(c.theirs, key) // a CD-ROM drive that nobody declared
		default:
			err = c.newDisk(key, disk)
		}
		if err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.before.Disks)) {
		if !c.managedAfter(key) {
			c.removeDisk(key, c.before.Disks[key])
		}
	}
	return nil
}

// managed reports whether the state has the key as a drive of any kind.
func (c *change) managed(key string) bool {
	_, disk := c.before.Disks[key]
	_, cdrom := c.before.CDROMs[key]
	return disk || cdrom
}

func (c *change) managedAfter(key string) bool {
	_, disk := c.after.Disks[key]
	_, cdrom := c.after.CDROMs[key]
	return disk || cdrom
}

// newDisk sends a disk that the VM does not have.
func (c *change) newDisk(key string, disk diskModel) error {
	from, err := source{disk.Storage, disk.Volume, disk.ImportFrom, disk.Format, disk.Size}.file(key)
	if err != nil {
		return err
	}
	sub := map[string]string{} // of a CD-ROM drive that was there nothing stays
	keys.Encode(&disk, sub)
	maps.Copy(sub, from)
	c.subs[key], c.allocates = sub, true
	if size, ok := disk.Size.Bytes(); ok && attrs.Known(disk.ImportFrom) {
		c.resizes = append(c.resizes, resize{key, size}) // an import has the size of its source
	}
	return nil
}

// source says what a drive is made from.
type source struct {
	storage, volume, importFrom, format types.String
	size                                attrs.Size
}

// file is the part of the drive's value that makes Proxmox attach, import or
// allocate it. Source: PVE::API2::Qemu $NEW_DISK_RE.
func (s source) file(key string) (map[string]string, error) {
	sub := map[string]string{}
	bytes, sized := s.size.Bytes()
	switch {
	case attrs.Known(s.volume):
		return map[string]string{"file": s.volume.ValueString()}, nil
	case attrs.Known(s.storage) && attrs.Known(s.importFrom):
		sub["file"], sub["import-from"] = s.storage.ValueString()+":0", s.importFrom.ValueString()
	case attrs.Known(s.storage) && sized:
		sub["file"] = s.storage.ValueString() + ":" + bytes.GiB()
	default:
		return nil, &SourceError{Key: key}
	}
	if attrs.Known(s.format) {
		sub["format"] = s.format.ValueString()
	}
	return sub, nil
}

// changeDisk changes where a live disk is and how large.
func (c *change) changeDisk(key string, before, after diskModel, file string) error {
	switch {
	case attrs.Known(after.Volume):
		c.swap(key, before, after, file)
		return nil
	case !attrs.Known(after.Storage) && !attrs.Known(after.Size):
		return nil
	case !owns(c.self, file):
		c.theirs = append(c.theirs, key) // declared as the VM's own, and it is somebody else's
		return nil
	}
	c.place(key, before.Storage, after.Storage, file, after.Format)
	return c.grow(key, before.Size, after.Size)
}

// swap puts another volume under a key. The old one becomes unusedN if it is the
// VM's own.
func (c *change) swap(key string, before, after diskModel, file string) {
	switch wanted := after.Volume.ValueString(); {
	case wanted == file:
	case attrs.Known(before.Volume) && before.Volume.ValueString() != file:
		c.theirs = append(c.theirs, key)
	default:
		delete(c.sub(key), "size")
		c.sub(key)["file"] = wanted
	}
}

// place moves a volume to the wanted storage.
func (c *change) place(key string, before, after types.String, file string, format types.String) {
	id, err := volume.Parse(file)
	switch {
	case err != nil || !attrs.Known(after) || after.ValueString() == id.Storage:
	case attrs.Known(before) && before.ValueString() != id.Storage:
		c.theirs = append(c.theirs, key)
	default:
		c.moves = append(c.moves, move{key: key, storage: after.ValueString(), format: format.ValueString()})
	}
}

// grow grows a volume to the wanted size. A bare number is no size to decide on:
// Proxmox is asked to grow, and it refuses to shrink. The error is a *ShrinkError.
func (c *change) grow(key string, before, size attrs.Size) error {
	wanted, ok := size.Bytes()
	if !ok {
		return nil
	}
	stored, err := bytesize.ParseStored(c.now[spaceDisk+key+".size"])
	switch known := err == nil && !stored.Bare; {
	case known && wanted == stored.Size:
	case known && wanted < stored.Size && attrs.Known(before):
		c.theirs = append(c.theirs, key) // somebody has grown it further
	case known && wanted < stored.Size:
		return &ShrinkError{Key: key, Has: stored.Size, Wanted: wanted}
	default:
		c.resizes = append(c.resizes, resize{key, wanted})
	}
	return nil
}

// removeDisk detaches a disk, or frees it where the user said so.
func (c *change) removeDisk(key string, before diskModel) {
	file, present := c.now[spaceDisk+key+".file"]
	switch {
	case !present:
	case attrs.Known(before.Volume) && before.Volume.ValueString() != file:
		c.theirs = append(c.theirs, key)
	case before.OnRemove.ValueString() == "delete" && owns(c.self, file):
		c.frees = append(c.frees, key)
		delete(c.subs, key)
	default:
		c.subs[key] = map[string]string{}
	}
}

// cdroms adds drives, changes their medium and removes them.
func (c *change) cdroms() error {
	for _, key := range slices.Sorted(maps.Keys(c.after.CDROMs)) {
		medium := "none"
		if volume := c.after.CDROMs[key].Volume; attrs.Known(volume) {
			medium = volume.ValueString()
		}
		file, present := c.now[spaceCDROM+key+".file"]
		switch {
		case present && file == medium:
		case !present && c.now.sub(key) != nil && !c.managed(key):
			c.theirs = append(c.theirs, key) // a disk that nobody declared
		default:
			c.subs[key] = map[string]string{"file": medium, "media": "cdrom"}
		}
	}
	for key := range c.before.CDROMs {
		if _, present := c.now[spaceCDROM+key+".file"]; present && !c.managedAfter(key) {
			c.subs[key] = map[string]string{}
		}
	}
	return nil
}

// firmware adds, moves and removes the disks of firmware and TPM.
func (c *change) firmware() error {
	var before, after source
	if b := c.before.EFIDisk; b != nil {
		before = source{storage: b.Storage, volume: b.Volume}
	}
	if a := c.after.EFIDisk; a != nil {
		after = source{a.Storage, a.Volume, a.ImportFrom, a.Format, attrs.SizeText("1G")}
	}
	if err := c.state("efidisk0", before, after, c.before.EFIDisk != nil, c.after.EFIDisk != nil); err != nil {
		return err
	}
	before, after = source{}, source{}
	if b := c.before.TPMState; b != nil {
		before = source{storage: b.Storage, volume: b.Volume}
	}
	if a := c.after.TPMState; a != nil {
		after = source{a.Storage, a.Volume, a.ImportFrom, a.Format, attrs.SizeText("1G")}
	}
	return c.state("tpmstate0", before, after, c.before.TPMState != nil, c.after.TPMState != nil)
}

// state changes one of the disks whose size follows from what they are: Proxmox
// ignores the one that is asked for.
func (c *change) state(key string, before, after source, was, is bool) error {
	file, present := c.now[key+".file"]
	switch {
	case is && !present:
		s, err := after.file(key)
		if err != nil {
			return err
		}
		maps.Copy(c.sub(key), s)
		c.allocates = true
		importDefaults(key, c.sub(key))
	case is && attrs.Known(after.volume) && after.volume.ValueString() != file:
		delete(c.sub(key), "size")
		c.sub(key)["file"] = after.volume.ValueString()
	case is:
		c.place(key, before.storage, after.storage, file, after.format)
	case was && present:
		c.subs[key] = map[string]string{}
	}
	return nil
}

// importDefaults writes out what Proxmox wants to be told of an import, and only
// there. Source: PVE::API2::Qemu $check_drive_param.
func importDefaults(key string, sub map[string]string) {
	if sub["import-from"] == "" {
		return
	}
	defaults := map[string]string{"version": "v1.2"}
	if key == "efidisk0" {
		defaults = map[string]string{"efitype": "2m", "pre-enrolled-keys": "0"}
	}
	for name, text := range defaults {
		if sub[name] == "" {
			sub[name] = text
		}
	}
}

// defaultCloudInitDrive is where the web interface puts the drive.
const defaultCloudInitDrive = "ide2"

// cloudInit makes, moves and removes the cloud-init drive. It holds nothing that
// could not be written again.
func (c *change) cloudInit() error {
	was, is := c.before.CloudInit, c.after.CloudInit
	key, file := c.now.cloudInitDrive()
	if is == nil || !attrs.Known(is.Storage) && !attrs.Known(is.Drive) {
		if key != "" && was != nil && attrs.Known(was.Storage) && is == nil {
			c.subs[key] = map[string]string{}
		}
		return nil
	}
	wanted := is.Drive.ValueString()
	if wanted == "" {
		if wanted = key; wanted == "" {
			wanted = defaultCloudInitDrive
		}
	}
	id, _ := volume.Parse(file)
	storage := is.Storage.ValueString()
	if storage == "" {
		storage = id.Storage
	}
	switch {
	case storage == "":
		return &SourceError{Key: wanted}
	case key == wanted && storage == id.Storage:
	case key == wanted:
		c.moves = append(c.moves, move{key: key, storage: storage, free: true})
	default:
		if key != "" {
			c.subs[key] = map[string]string{}
		}
		c.subs[wanted] = map[string]string{"file": storage + ":cloudinit"}
		c.allocates = true
	}
	return nil
}
