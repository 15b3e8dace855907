package pvesim

import (
	"errors"
	"slices"
	"strings"
)

// alwaysPlugged are keys that a running machine takes at once, whatever its
// option hotplug says. Source: PVE::QemuServer $fast_plug_option.
var alwaysPlugged = append(words("name description tags onboot protection startup shares hookscript lock migrate_speed migrate_downtime vmstatestorage"), cloudinitKeys...)

// errPending says that a change has to wait for the next start.
var errPending = die("skip")

// hotplugVM applies what a running machine can take of its pending changes;
// the rest stays, and so does what fails, which is noted by key.
// Source: PVE::QemuServer vmconfig_hotplug_pending.
func (s *Server) hotplugVM(g *guest, modified map[string]bool) map[string]string {
	errs := map[string]string{}
	before := g.Section.Clone()
	deleted := g.pendingDelete()
	for _, key := range sortedKeys(deleted) {
		err := s.unplug(g, key)
		if err == nil {
			err = s.applyVMDelete(g, key, deleted[key])
		}
		if err == nil {
			delete(deleted, key)
		} else if !errors.Is(err, errPending) && modified[key] {
			errs[key] = "hotplug problem - " + err.Error() + "\n"
		}
	}
	g.setPendingDelete(deleted)
	for _, key := range sortedKeys(g.Pending.Values) {
		if key == "delete" {
			continue
		}
		err := s.plug(g, key, g.Values[key], g.Pending.Values[key])
		if err == nil {
			s.applyVMSet(g, key)
		} else if !errors.Is(err, errPending) && modified[key] {
			errs[key] = "hotplug problem - " + err.Error() + "\n"
		}
	}
	g.noteCloudinit(s, before)
	return errs
}

// hotplugs tells whether the option hotplug names a kind of device.
func (g *guest) hotplugs(kind string) bool {
	switch text, set := g.Values["hotplug"]; {
	case !set || text == "1":
		return slices.Contains(words("network disk usb"), kind)
	default:
		return slices.Contains(splitList(text), kind)
	}
}

// when is nil if a change can be made now.
func when(now bool) error {
	if now {
		return nil
	}
	return errPending
}

// unplug decides about the deletion of a key.
func (s *Server) unplug(g *guest, key string) error {
	switch {
	case slices.Contains(alwaysPlugged, key), keyNumber(key, "ipconfig") >= 0, key == "cpulimit", key == "cpuunits":
		return nil
	case key == "hotplug":
		return when(!touchesCPU(g.Values["hotplug"]))
	case key == "vcpus":
		return when(g.hotplugs("cpu"))
	case key == "memory":
		return when(g.hotplugs("memory"))
	case key == "tablet", keyNumber(key, "usb") >= 0:
		return when(g.hotplugs("usb"))
	case keyNumber(key, "net") >= 0:
		return when(g.hotplugs("network"))
	case isDrive(key):
		return s.unplugDrive(g, key)
	}
	return errPending
}

func touchesCPU(hotplug string) bool {
	return strings.Contains(hotplug, "cpu") || strings.Contains(hotplug, "memory")
}

// unplugDrive decides whether a drive can go now.
func (s *Server) unplugDrive(g *guest, key string) error {
	if b := bus(key); b != "scsi" && b != "virtio" || !g.hotplugs("disk") {
		return errPending
	}
	if s.isBootDisk(g, key) {
		return die("can't unplug bootdisk '%s'", key)
	}
	return nil
}

func (s *Server) isBootDisk(g *guest, key string) bool {
	d := s.parseDrive(key, g.Values[key])
	if d == nil || d.isCDROM() {
		return false
	}
	return slices.Contains(s.bootOrder(g.Values["boot"]), key) || g.Values["bootdisk"] == key
}

// plug decides about a new value of a key.
func (s *Server) plug(g *guest, key, before, after string) error {
	switch {
	case slices.Contains(alwaysPlugged, key), keyNumber(key, "ipconfig") >= 0, key == "cpulimit", key == "cpuunits":
		return nil
	case key == "hotplug":
		return when(!touchesCPU(before) && !touchesCPU(after))
	case key == "balloon":
		return when(before != "" && before != "0" && after != "0")
	case key == "vcpus":
		if n := number(g.Values["sockets"], 1) * number(g.Values["cores"], 1); g.hotplugs("cpu") && number(after, 1) > n {
			return die("you can't add more vcpus than maxcpus")
		}
		return when(g.hotplugs("cpu"))
	case key == "memory":
		return when(g.hotplugs("memory") && g.Values["numa"] == "1")
	case key == "tablet", keyNumber(key, "usb") >= 0:
		return when(g.hotplugs("usb"))
	case key == "agent":
		return when(s.onlyDiffer("qemu.agent", before, after, "fstrim_cloned_disks"))
	case keyNumber(key, "net") >= 0:
		live := s.onlyDiffer("qemu.net", before, after, "bridge", "tag", "trunks", "firewall", "rate", "link_down")
		if live && strings.Contains(before, "bridge=") == strings.Contains(after, "bridge=") {
			return nil
		}
		return when(g.hotplugs("network"))
	case isDrive(key):
		return s.plugDrive(g, key, before, after)
	}
	return errPending
}

// onlyDiffer tells whether two values are there and differ in nothing but
// the keys given.
func (s *Server) onlyDiffer(format, before, after string, keys ...string) bool {
	a, err := s.table.Parse(format, before, "")
	b, err2 := s.table.Parse(format, after, "")
	if before == "" || err != nil || err2 != nil {
		return false
	}
	for _, m := range []map[string]string{a, b} {
		for key := range m {
			if a[key] != b[key] && !slices.Contains(keys, key) {
				return false
			}
		}
	}
	return true
}

// coldDriveKeys are keys of a drive that a running machine does not take. All
// others are live, or stored at once although it sees them only when it
// starts again. Source: PVE::QemuServer vmconfig_update_disk.
var coldDriveKeys = words("aio discard iothread queues product cache ssd vendor ro")

// plugDrive decides whether a drive can be changed or added now.
func (s *Server) plugDrive(g *guest, key, before, after string) error {
	old, fresh := s.parseDrive(key, before), s.parseDrive(key, after)
	cold := bus(key) != "scsi" && bus(key) != "virtio" || !g.hotplugs("disk")
	switch {
	case key == "efidisk0" || key == "tpmstate0" || fresh == nil:
		return errPending
	case before == "" || old == nil:
		return when(!cold)
	case old.isCDROM() != fresh.isCDROM():
		return die("unable to change media type")
	case fresh.isCDROM():
		return nil
	case old.file == fresh.file:
		for _, cold := range coldDriveKeys {
			if old.keys[cold] != fresh.keys[cold] {
				return errPending
			}
		}
		return nil
	case cold:
		return errPending
	}
	return s.unplugDrive(g, key)
}
