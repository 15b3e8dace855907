package pvesim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/crypt"
)

// hashedPassword finds passwords that are stored as they are.
var hashedPassword = regexp.MustCompile(`^\$(?:1|5|6|2a|2y)\$`)

// setOrder is the order in which keys are set. Proxmox has none; here boot is
// the last, so that it finds the devices.
func setOrder(set map[string]string) []string {
	keys := sortedKeys(set)
	if i := slices.Index(keys, "boot"); i >= 0 {
		keys = append(slices.Delete(keys, i, i+1), "boot")
	}
	return keys
}

// revertKeys takes back what is pending.
func (u *vmUpdate) revertKeys(g *guest) {
	deleted := g.pendingDelete()
	for _, key := range u.revert {
		if text, ok := g.Pending.Values[key]; ok && isDrive(key) {
			if d := u.c.s.parseDrive(key, text); d != nil {
				u.c.s.detach(g, d)
			}
		}
		delete(g.Pending.Values, key)
		delete(deleted, key)
	}
	g.setPendingDelete(deleted)
}

// deleteKey notes that a key is to go, or frees an unused volume.
func (u *vmUpdate) deleteKey(g *guest, key string, modified map[string]bool) error {
	s := u.c.s
	pending, waits := g.Pending.Values[key]
	if !g.isSet(key) && !waits {
		u.log("cannot delete '%s' - not set in current configuration!", key)
		return nil
	}
	modified[key] = true
	switch {
	case key == "vmstate":
		s.dropState(g)
		return nil
	case isUnused(key):
		return u.freeUnused(g, key)
	case isDrive(key):
		if err := g.checkProtection("can't remove drive '%s'", key); err != nil {
			return err
		}
		if err := u.c.mayDetach(g, s.parseDrive(key, g.Values[key]), u.force); err != nil {
			return err
		}
		if d := s.parseDrive(key, pending); waits && d != nil {
			s.detach(g, d)
		}
	}
	deleted := g.pendingDelete()
	if g.isSet(key) {
		deleted[key] = u.force
	}
	delete(g.Pending.Values, key)
	g.setPendingDelete(deleted)
	return nil
}

// mayDetach checks the right to take a drive out of an existing machine.
func (c *call) mayDetach(g *guest, d *drive, force bool) error {
	privileges := []string{"VM.Config.Disk"}
	switch {
	case d != nil && d.isCloudinit():
		privileges = []string{"VM.Config.Cloudinit", "VM.Config.CDROM"}
	case d != nil && d.isCDROM():
		privileges = []string{"VM.Config.CDROM"}
	}
	if err := c.need(vmPath(g.vmid), privileges...); err != nil {
		return err
	}
	if d == nil || !force || d.isCDROM() || !d.hasVolume() {
		return nil
	}
	id, _, err := splitVolid(d.file)
	if err != nil {
		return err
	}
	return c.need("/storage/"+id, "Datastore.AllocateSpace")
}

// freeUnused frees an unused volume, which is done at once even while the
// machine runs.
func (u *vmUpdate) freeUnused(g *guest, key string) error {
	s, volid := u.c.s, g.Values[key]
	if err := g.checkProtection("can't remove unused disk '%s'", volid); err != nil {
		return err
	}
	if err := u.c.mayDetach(g, &drive{key: key, file: volid, keys: map[string]string{}}, true); err != nil {
		return err
	}
	if err := s.deallocate(g, key, volid); err != nil {
		return err
	}
	delete(g.Values, key)
	return nil
}

// setKey notes a new value; a new volume is made now.
func (u *vmUpdate) setKey(g *guest, key string) error {
	s, text := u.c.s, u.set[key]
	switch d := u.drives[key]; {
	case d != nil:
		if err := u.c.mayDetach(g, d, false); err != nil {
			return err
		}
		if old := s.parseDrive(key, g.Values[key]); key == "tpmstate0" && old != nil && old.file == d.file && old.keys["version"] != d.keys["version"] {
			return die("cannot change TPM state version after creation")
		}
		if old := s.parseDrive(key, g.Pending.Values[key]); old != nil && old.file != d.file {
			s.detach(g, old)
		}
		maker := &diskMaker{s: s, g: g, log: u.log}
		stored, err := maker.put(d)
		if err != nil {
			maker.undo()
			return err
		}
		text = stored
	case key == "boot":
		for _, device := range s.bootOrder(text) {
			_, now := g.Values[device]
			_, soon := g.Pending.Values[device]
			if !now && !soon || slices.Contains(u.del, device) {
				return die("invalid bootorder: device '%s' does not exist'", device)
			}
		}
	case key == "cipassword":
		if !hashedPassword.MatchString(text) && !isWindows(g.Values["ostype"]) {
			text = crypt.Make(text, strings.ReplaceAll(uuid(), "-", "")[:8])
		}
	case key == "description":
		g.Description = vmDescription(text) // never has to wait
		return nil
	}
	if err := oneLine(key, text); err != nil {
		return err
	}
	g.Pending.Values[key] = text
	deleted := g.pendingDelete()
	delete(deleted, key)
	g.setPendingDelete(deleted)
	return nil
}

// dropFromBoot takes devices that go out of the boot order.
func (u *vmUpdate) dropFromBoot(g *guest, modified map[string]bool) {
	u.changeBoot(g, modified, func(order []string) []string {
		return slices.DeleteFunc(order, func(device string) bool { return modified[device] && slices.Contains(u.del, device) })
	})
}

// addToBoot appends new CD-ROM drives to the boot order; disks are not.
func (u *vmUpdate) addToBoot(g *guest, modified map[string]bool) {
	if _, given := u.set["boot"]; given {
		return
	}
	u.changeBoot(g, modified, func(order []string) []string {
		for _, key := range sortedKeys(u.set) {
			if d := u.drives[key]; d != nil && d.isCDROM() && !d.isCloudinit() && !slices.Contains(order, key) {
				order = append(order, key)
			}
		}
		return order
	})
}

func (u *vmUpdate) changeBoot(g *guest, modified map[string]bool, f func([]string) []string) {
	order := u.c.s.bootOrder(g.merged().Values["boot"])
	after := f(slices.Clone(order))
	if len(order) > 0 && !slices.Equal(order, after) {
		g.Pending.Values["boot"] = printBootOrder(after)
		modified["boot"] = true
	}
}

// pin gives a machine a version when it becomes one that runs Windows.
func (u *vmUpdate) pin(g *guest, modified map[string]bool) error {
	if _, given := u.set["machine"]; given || !isWindows(u.set["ostype"]) {
		return nil
	}
	keys, err := u.c.s.table.Parse("qemu.machine", g.merged().Values["machine"], "machine")
	if err != nil {
		return die("%s", err)
	}
	keys["type"] = pinMachine(keys["type"])
	g.Pending.Values["machine"] = u.c.s.table.Print("qemu.machine", keys)
	modified["machine"] = true
	return nil
}
