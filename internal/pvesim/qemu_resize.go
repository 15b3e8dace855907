package pvesim

import (
	"strings"
)

func init() {
	routes(map[string]handler{"PUT /nodes/{node}/qemu/{vmid}/resize": vmResize})
}

// vmResize grows a disk. All checks are made by the worker; the size that is
// there already changes nothing. Source: PVE::API2::Qemu resize_vm.
func vmResize(c *call) (any, error) {
	if err := c.rootOnly("skiplock"); err != nil {
		return nil, err
	}
	return c.vmTask("resize", func(t *task, g *guest) error {
		if err := g.checkDigest(c.str("digest")); err != nil {
			return err
		}
		if err := g.checkLock(); err != nil && !c.flag("skiplock") {
			return err
		}
		d, v, err := c.resizable(g)
		if err != nil {
			return err
		}
		size, plus := parseGrowth(c.str("size"))
		if plus {
			size += v.Size
		}
		switch {
		case size == v.Size:
			return nil
		case size < v.Size:
			return die("shrinking disks is not supported")
		}
		if err := t.work(); err != nil {
			return err
		}
		if err := c.s.growVolume(t, g, d, v, size); err != nil {
			return err
		}
		d.keys["size"] = formatSize(size)
		g.Values[d.key] = c.s.printDrive(d)
		c.s.save(g)
		return nil
	}), nil
}

// parseGrowth reads a size that may be one to add.
func parseGrowth(text string) (size int64, plus bool) {
	text, plus = strings.CutPrefix(text, "+")
	size = parseSize(text) // the schema has checked it
	return size, plus
}

// resizable returns the disk that is meant and its volume.
func (c *call) resizable(g *guest) (*drive, *volume, error) {
	key := c.str("disk")
	d := c.s.parseDrive(key, g.Values[key])
	if d == nil {
		return nil, nil, die("disk '%s' does not exist", key)
	}
	if d.isCDROM() {
		return nil, nil, die("you can't resize a cdrom")
	}
	id, _, err := splitVolid(d.file)
	if err != nil {
		return nil, nil, err
	}
	if _, err := c.s.usable(id, g.node); err != nil {
		return nil, nil, err
	}
	if err := c.need("/storage/"+id, "Datastore.AllocateSpace"); err != nil {
		return nil, nil, err
	}
	v := c.s.vol(g.node, d.file)
	if v == nil {
		return nil, nil, die("volume '%s' does not exist", d.file)
	}
	return d, v, nil
}

// growVolume is what the storage does, or refuses.
func (s *Server) growVolume(t *task, g *guest, d *drive, v *volume, size int64) error {
	id, _, _ := splitVolid(d.file)
	st, err := s.storage(id)
	if err != nil {
		return err
	}
	parsed, err := s.volname(d.file)
	if err != nil {
		return err
	}
	switch {
	case s.knobs.full[id]:
		return die("unable to resize '%s': No space left on device", d.file)
	case st.plugin().files && parsed.format == "vmdk":
		return die("can't resize this image format")
	case st.plugin().files && parsed.isBase:
		file := st.volumePath(strings.SplitN(d.file, ":", 2)[1])
		t.log("qemu-img: Could not open '%s': Could not open '%s': Operation not permitted", file, file)
		option := "--preallocation=metadata"
		if parsed.format == "raw" {
			option = "--preallocation=off"
		}
		return die("command '/usr/bin/qemu-img resize '%s' -f %s %s %d' failed: exit code 1", option, parsed.format, file, size)
	}
	v.Size = size
	s.putVol(v)
	if st.plugin().files && !s.isRunning(g.vmid) {
		t.log("Image resized.")
	}
	return nil
}
