package pvesim

import (
	"fmt"
	"strconv"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

func init() {
	routes(map[string]handler{"POST /nodes/{node}/qemu/{vmid}/move_disk": vmMove})
}

// vmMove moves a disk to another storage or to another machine.
// Source: PVE::API2::Qemu move_vm_disk.
func vmMove(c *call) (any, error) {
	both := func(text string) error {
		return wrongParams(schema.Errors{"storage": text, "target-vmid": text})
	}
	switch {
	case c.has("storage") && c.has("target-vmid"):
		return nil, both("either set 'storage' or 'target-vmid', but not both")
	case c.has("target-vmid"):
		return vmReassign(c)
	case !c.has("storage"):
		return nil, both("both 'storage' and 'target-vmid' missing, either needs to be set")
	}
	if err := c.need("/storage/"+c.str("storage"), "Datastore.AllocateSpace"); err != nil {
		return nil, err
	}
	err := c.s.lockGuest(kindQEMU, c.int("vmid"), func() error {
		g, err := c.vm()
		if err != nil {
			return err
		}
		_, err = c.movable(g)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.vmTask("qmmove", func(t *task, g *guest) error {
		d, err := c.movable(g)
		if err != nil {
			return err
		}
		if err := c.moveDisk(t, g, d); err != nil {
			return die("storage migration failed: %s", err)
		}
		return nil
	}), nil
}

// movable returns the disk that is meant, if it can be moved as asked.
func (c *call) movable(g *guest) (*drive, error) {
	if c.has("digest") && c.str("digest") != g.Digest {
		return nil, die("detected modified configuration - file changed by other user? Try again.")
	}
	if err := g.checkLock(); err != nil {
		return nil, err
	}
	key := c.str("disk")
	d := c.s.parseDrive(key, g.Values[key])
	switch {
	case d == nil:
		return nil, die("disk '%s' does not exist", key)
	case d.isCDROM() && !d.isCloudinit():
		return nil, die("you can't move a cdrom")
	}
	parsed, err := c.s.volname(d.file)
	if err != nil {
		return nil, err
	}
	if storageOf(d.file) == c.str("storage") && (!c.has("format") || c.str("format") == parsed.format) {
		return nil, die("you can't move to the same storage with same format")
	}
	if _, err := c.s.usable(c.str("storage"), g.node); err != nil {
		return nil, err
	}
	if err := c.needImages(c.str("storage")); err != nil {
		return nil, err
	}
	if c.flag("delete") && c.s.inSnapshot(g, d.file) {
		return nil, die("you can't move a disk with snapshots and delete the source")
	}
	return d, nil
}

// inSnapshot tells whether a snapshot of the machine names a volume.
func (s *Server) inSnapshot(g *guest, volid string) bool {
	for _, sec := range sectionsOf(g) {
		for _, d := range s.drives(sec) {
			if d.file == volid {
				return true
			}
		}
	}
	return false
}

func (c *call) moveDisk(t *task, g *guest, d *drive) error {
	if d.key == "tpmstate0" && c.s.isRunning(g.vmid) {
		return die("cannot move TPM state while VM is running")
	}
	from := c.s.vol(g.node, d.file)
	if from == nil {
		return die("volume '%s' does not exist", d.file)
	}
	t.log("create full clone of drive %s (%s)", d.key, d.file)
	to, err := t.copyDisk(g.node, c.str("storage"), g.vmid, from, c.str("format"))
	if err != nil {
		return err
	}
	if err := t.work(); err != nil {
		c.s.dropVol(to)
		return err
	}
	d.file = to.ID
	if isUnused(d.key) {
		g.Values[d.key] = to.ID
	} else {
		d.keys["size"] = formatSize(to.Size)
		g.Values[d.key] = c.s.printDrive(d)
	}
	if c.s.owner(from.ID) == g.vmid {
		if !c.flag("delete") {
			c.s.addUnused(g, from.ID)
		} else if err := c.s.free(g.node, from.ID); err != nil {
			t.warn("%s", err)
		}
	}
	c.s.save(g)
	return nil
}

// vmReassign gives a disk to another machine, where it gets a new name.
// Source: PVE::API2::Qemu $load_and_check_reassign_configs.
func vmReassign(c *call) (any, error) {
	target, vmid, key := c.int("target-vmid"), c.int("vmid"), c.str("disk")
	if target == vmid {
		return nil, wrong("target-vmid", "must be different than source VMID to reassign disk")
	}
	if err := c.need(vmPath(target), "VM.Config.Disk"); err != nil {
		return nil, err
	}
	toKey := c.str("target-disk")
	if toKey == "" {
		toKey = key
	}
	if _, _, _, err := c.reassignVMCheck(key, toKey); err != nil {
		return nil, err
	}
	id := fmt.Sprintf("%d-%s>%d-%s", vmid, key, target, toKey)
	return c.fork("qmmove", id, func(t *task) error {
		return c.s.lockGuest(kindQEMU, min(vmid, target), func() error {
			return c.s.lockGuest(kindQEMU, max(vmid, target), func() error {
				if err := t.work(); err != nil {
					return err
				}
				return c.reassignDisk(t, key, toKey)
			})
		})
	}), nil
}

func (c *call) reassignVMCheck(key, toKey string) (from, to *guest, d *drive, err error) {
	if from, to, err = c.bothVMs(); err != nil {
		return nil, nil, nil, err
	}
	for _, side := range []struct {
		g      *guest
		digest string
	}{{from, c.str("digest")}, {to, c.str("target-digest")}} {
		if side.digest != "" && side.digest != side.g.Digest {
			return nil, nil, nil, die("VM %d: detected modified configuration - file changed by other user? Try again.", side.g.vmid)
		}
	}
	d = c.s.parseDrive(key, from.Values[key])
	switch {
	case d == nil || !from.isSet(key):
		return nil, nil, nil, die("Disk '%s' for VM '%d' does not exist", key, from.vmid)
	case to.isSet(toKey):
		return nil, nil, nil, die("Target disk key '%s' is already in use for VM '%d'", toKey, to.vmid)
	case d.isCDROM() && !d.isCloudinit():
		return nil, nil, nil, die("Cannot move CD-ROM drive")
	case c.s.inSnapshot(from, d.file):
		return nil, nil, nil, die("Can't move disk used by a snapshot to another VM")
	case !d.hasVolume():
		return nil, nil, nil, die("Storage does not support moving of this disk to another VM")
	case c.s.isRunning(from.vmid) && !isUnused(key):
		return nil, nil, nil, die("Cannot move disk to another VM while the source VM is running - detach first")
	}
	return from, to, d, c.need("/storage/"+storageOf(d.file), "Datastore.AllocateSpace")
}

// bothVMs are the machine that gives a disk away and the one that gets it.
func (c *call) bothVMs() (from, to *guest, err error) {
	target := c.int("target-vmid")
	other := c.s.find(target)
	if other == nil {
		return nil, nil, die("could not find target VM %d", target)
	}
	if from, err = c.vm(); err != nil {
		return nil, nil, err
	}
	if other.node != from.node {
		return nil, nil, die("Both VMs need to be on the same node (%s != %s)", from.node, other.node)
	}
	if to, err = c.s.guest(kindQEMU, from.node, target); err != nil {
		return nil, nil, err
	}
	for _, g := range []*guest{from, to} {
		if err := g.checkLock(); err != nil {
			return nil, nil, err
		}
	}
	if from.template() || to.template() {
		return nil, nil, die("Can't move disks from or to template VMs")
	}
	return from, to, nil
}

func (c *call) reassignDisk(t *task, key, toKey string) error {
	from, to, d, err := c.reassignVMCheck(key, toKey)
	if err != nil {
		return err
	}
	t.log("reassign disk '%s' from VM '%d' as '%s' to VM '%d'", key, from.vmid, toKey, to.vmid)
	volid, err := c.s.rename(from.node, d.file, to.vmid)
	if err != nil {
		return err
	}
	t.log("removing disk '%s' from VM '%d' config", key, from.vmid)
	delete(from.Values, key)
	c.s.save(from)
	text := volid
	if !isUnused(toKey) {
		d.key, d.file = toKey, volid
		if v := c.s.vol(to.node, volid); v != nil {
			d.keys["size"] = formatSize(v.Size)
		}
		text = c.s.printDrive(d)
	}
	t.log("update VM %s: -%s %s", strconv.Itoa(to.vmid), toKey, text)
	to.Values[toKey] = text
	c.s.save(to)
	return nil
}
