package pvesim

import (
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// applyVMPending moves all pending changes of a stopped machine into the
// main section; errors are noted in errs by key, and what they are about
// stays pending.
//
// Source: PVE::QemuServer vmconfig_apply_pending.
func (s *Server) applyVMPending(g *guest, errs map[string]string) map[string]string {
	if errs == nil {
		errs = map[string]string{}
	}
	deleted := g.pendingDelete()
	for _, key := range sortedKeys(deleted) {
		if err := s.applyVMDelete(g, key, deleted[key]); err != nil {
			errs[key] = "unable to apply pending change " + key + " : " + err.Error() + "\n"
			continue
		}
		delete(deleted, key)
	}
	g.setPendingDelete(deleted)
	g.cleanPending()
	cloudinit := false
	for _, key := range sortedKeys(g.Pending.Values) {
		if key == "delete" {
			continue
		}
		if d := s.parseDrive(key, g.Pending.Values[key]); isDrive(key) && d != nil {
			cloudinit = cloudinit || d.isCloudinit()
		}
		s.applyVMSet(g, key)
	}
	if cloudinit {
		g.cloudinitDone()
	}
	return errs
}

// applyVMSet makes a pending value the one in force; a volume that it
// replaces becomes unused.
func (s *Server) applyVMSet(g *guest, key string) {
	text := g.Pending.Values[key]
	delete(g.Pending.Values, key)
	switch {
	case isDrive(key):
		before, after := s.parseDrive(key, g.Values[key]), s.parseDrive(key, text)
		if before != nil && after != nil && before.file != after.file {
			delete(g.Values, key)
			s.detach(g, before)
		}
	case key == "boot" && strings.Contains(text, "order="):
		delete(g.Values, "bootdisk")
	}
	g.Values[key] = text
}

// applyVMDelete removes a key; the volume of a drive becomes unused or, by
// force, is freed.
func (s *Server) applyVMDelete(g *guest, key string, force bool) error {
	if key == "description" {
		g.Description = ""
		return nil
	}
	d := s.parseDrive(key, g.Values[key])
	if !isDrive(key) || d == nil {
		delete(g.Values, key)
		return nil
	}
	if force && !d.isCDROM() && d.hasVolume() {
		if err := s.deallocate(g, key, d.file); err != nil {
			return err
		}
		delete(g.Values, key)
		return nil
	}
	delete(g.Values, key)
	s.detach(g, d)
	return nil
}

// detach keeps the volume of a drive that went as unusedN. What cloud-init
// reads is freed, a CD is left, and so is the volume of another guest.
// Source: PVE::QemuServer vmconfig_register_unused_drive.
func (s *Server) detach(g *guest, d *drive) {
	switch {
	case !d.hasVolume():
	case d.isCloudinit():
		_ = s.free(g.node, d.file)
		delete(g.Special, "cloudinit")
	case !d.isCDROM() && s.owner(d.file) == g.vmid:
		s.addUnused(g, d.file)
	}
}

// deallocate frees a volume that belongs to the machine and that nothing
// else of it names. Source: PVE::QemuServer try_deallocate_drive.
func (s *Server) deallocate(g *guest, key, volid string) error {
	if s.owner(volid) != g.vmid {
		return nil
	}
	if s.vmVolumeUsed(g, key, volid) {
		return die("unable to delete '%s' - volume is still in use (snapshot?)", volid)
	}
	return s.free(g.node, volid)
}

// vmVolumeUsed tells whether another key or a snapshot names a volume.
func (s *Server) vmVolumeUsed(g *guest, skip, volid string) bool {
	named := func(sec *conf.Section, skip string) bool {
		for _, d := range s.drives(sec) {
			if d.key != skip && d.file == volid {
				return true
			}
		}
		return false
	}
	for _, sec := range sectionsOf(g) {
		if named(sec, "") {
			return true
		}
	}
	return named(&g.Section, skip)
}
