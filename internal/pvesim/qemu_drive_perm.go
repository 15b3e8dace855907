package pvesim

import (
	"strings"
)

// mayUseDrives checks storages and volumes that the drives of a request name.
// Source: PVE::API2::Qemu check_storage_access.
func (c *call) mayUseDrives(vmid int, drives []*drive) error {
	for _, d := range drives {
		if err := c.mayUseDrive(vmid, d); err != nil {
			return err
		}
		if source := d.keys["import-from"]; source != "" {
			if err := c.mayImport(vmid, d, source); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayUseUnused checks the volumes that a request calls unused.
func (c *call) mayUseUnused(vmid int, set map[string]string) error {
	for _, key := range sortedKeys(set) {
		d := c.s.parseDrive(key, set[key])
		if !isUnused(key) || d == nil {
			continue
		}
		if err := c.mayUse(d.file, vmid, ""); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) mayUseDrive(vmid int, d *drive) error {
	switch {
	case d.file == "none":
		return nil
	case d.file == "cdrom":
		return c.need("/", "Sys.Console")
	case strings.HasSuffix(d.file, ":cloudinit"):
		id, _, err := splitVolid(d.file)
		if err != nil {
			return err
		}
		_, err = c.s.storage(id)
		return err
	}
	if m := newDrive.FindStringSubmatch(d.file); m != nil {
		if err := c.need("/storage/"+m[1], "Datastore.AllocateSpace"); err != nil {
			return err
		}
		return c.needImages(m[1])
	}
	if err := c.mayUse(d.file, vmid, ""); err != nil || !d.hasVolume() {
		return err
	}
	v, err := c.s.volname(d.file)
	if err == nil && v.content != "images" && v.content != "iso" {
		return wrong(d.key, "content type needs to be 'images' or 'iso'")
	}
	return err
}

// needImages refuses a storage that takes no disks of virtual machines.
func (c *call) needImages(id string) error {
	st, err := c.s.storage(id)
	if err != nil {
		return err
	}
	if !st.takes("images") {
		return wrong("storage", "storage '%s' does not support vm images", id)
	}
	return nil
}

// volname reads the name of a volume by the rules of its storage.
func (s *Server) volname(volid string) (volname, error) {
	id, name, err := splitVolid(volid)
	if err != nil {
		return volname{}, err
	}
	st, err := s.storage(id)
	if err != nil {
		return volname{}, err
	}
	return st.parseVolname(name)
}

// mayImport checks the source that a new disk is filled from.
func (c *call) mayImport(vmid int, d *drive, source string) error {
	if m := newDrive.FindStringSubmatch(d.file); m == nil || m[2] != "0" {
		return wrong(d.key, "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>")
	}
	if strings.HasPrefix(source, "/") {
		return c.mayUse(source, vmid, "")
	}
	v, err := c.s.volname(source)
	if err != nil {
		return err
	}
	switch v.content {
	case "images":
		if v.owner != 0 && v.owner != vmid {
			if g := c.s.find(v.owner); g != nil && g.node != c.node.name {
				return die("owner VM %d not on local node", v.owner)
			}
			return c.need(vmPath(v.owner), "VM.Clone")
		}
		return nil
	case "import":
		return c.mayUse(source, vmid, "import")
	}
	return wrong(d.key, "%s has wrong type '%s' - needs to be 'images' or 'import'", source, v.content)
}

// checkDrives parses the drives of a request and refuses what is wrong with
// their values. Source: PVE::API2::Qemu check_drive_param.
func (c *call) checkDrives(set map[string]string) ([]*drive, error) {
	var out []*drive
	for _, key := range sortedKeys(set) {
		if !isDrive(key) {
			continue
		}
		d := c.s.parseDrive(key, set[key])
		if d == nil {
			return nil, wrong(key, "unable to parse drive options")
		}
		if d.file == "none" || d.file == "cdrom" {
			d.keys["media"] = "cdrom"
		}
		if err := d.checkImport(); err != nil {
			return nil, err
		}
		if v, err := c.s.volname(d.file); err == nil && v.content == "iso" && d.keys["media"] != "cdrom" {
			return nil, wrong(key, "explicit 'media=cdrom' is required for iso images")
		}
		out = append(out, d)
	}
	return out, nil
}

func (d *drive) checkImport() error {
	if d.keys["import-from"] == "" {
		return nil
	}
	needed := map[string][]string{"efidisk0": {"efitype", "pre-enrolled-keys"}, "tpmstate0": {"version"}}[d.key]
	for _, key := range needed {
		if _, ok := d.keys[key]; !ok {
			return wrong(d.key, "'%s' option is required with 'import-from'", key)
		}
	}
	return nil
}
