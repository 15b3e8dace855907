package pvesim

import (
	"fmt"
)

// lxcReassign gives a volume to another container, or another key of the
// same one. The volume gets a new name.
// Source: PVE::API2::LXC move_volume, $load_and_check_reassign_configs.
func lxcReassign(c *call) (any, error) {
	target := c.int("target-vmid")
	if err := c.need(vmPath(target), "VM.Config.Disk"); err != nil {
		return nil, err
	}
	key, toKey := c.str("volume"), c.str("target-volume")
	if toKey == "" {
		toKey = key
	}
	if _, _, err := c.reassignCheck(key, toKey); err != nil {
		return nil, err
	}
	vmid := c.int("vmid")
	id := fmt.Sprintf("%d-%s>%d-%s", vmid, key, target, toKey)
	return c.fork("move_volume", id, func(t *task) error {
		if err := t.work(); err != nil {
			return err
		}
		from, to, err := c.reassignCheck(key, toKey)
		if err != nil {
			return err
		}
		return c.reassign(t, from, to, key, toKey)
	}), nil
}

func (c *call) reassignCheck(key, toKey string) (from, to *guest, err error) {
	if key == "rootfs" || toKey == "rootfs" {
		return nil, nil, die("Cannot move to/from 'rootfs'")
	}
	if keyNumber(key, "unused") >= 0 && keyNumber(toKey, "unused") < 0 {
		return nil, nil, die("Moving an unused volume to a used one is not possible")
	}
	if from, to, err = c.bothContainers(); err != nil {
		return nil, nil, err
	}
	for g, digest := range map[*guest]string{from: c.str("digest"), to: c.str("target-digest")} {
		if err := g.checkDigest(digest); err != nil {
			return nil, nil, die("Container %d: %s", g.vmid, err)
		}
	}
	m := c.s.mount(kindLXC, key, from.Values[key])
	switch {
	case m == nil:
		return nil, nil, die("volume '%s' for container '%d' does not exist", key, from.vmid)
	case to.isSet(toKey):
		return nil, nil, die("Target volume key '%s' is already in use for container '%d'", toKey, to.vmid)
	case m.kind != mountVolume:
		return nil, nil, die("Cannot move a bindmount or device mount to another container")
	case keyNumber(key, "unused") < 0 && c.s.isRunning(from.vmid):
		return nil, nil, die("Cannot move in-use volume while the source CT is running - detach first")
	case keyNumber(toKey, "unused") < 0 && c.s.isRunning(to.vmid):
		return nil, nil, die("Cannot move in-use volume while the target CT is running - detach first")
	}
	for _, sec := range sectionsOf(from) {
		for _, other := range c.s.mounts(kindLXC, sec, "rootfs", "mp") {
			if other.volid == m.volid {
				return nil, nil, die("Cannot move volume used by a snapshot to another container")
			}
		}
	}
	storageID, _, err := splitVolid(m.volid)
	if err != nil {
		return nil, nil, err
	}
	return from, to, c.need("/storage/"+storageID, "Datastore.AllocateSpace")
}

// bothContainers are the source and the target, which may be the same.
func (c *call) bothContainers() (from, to *guest, err error) {
	target := c.int("target-vmid")
	other := c.s.find(target)
	if other == nil {
		return nil, nil, die("could not find CT %d", target)
	}
	if from, err = c.container(); err != nil {
		return nil, nil, err
	}
	if other.node != from.node {
		return nil, nil, die("Both containers need to be on the same node (%s != %s)", from.node, other.node)
	}
	if err := from.checkLock(); err != nil {
		return nil, nil, err
	}
	to = from
	if target != from.vmid {
		if to, err = c.s.guest(kindLXC, from.node, target); err != nil {
			return nil, nil, err
		}
		if err := to.checkLock(); err != nil {
			return nil, nil, err
		}
	}
	if from.template() || to.template() {
		return nil, nil, die("Can't move volumes from or to template CT")
	}
	return from, to, nil
}

func (c *call) reassign(t *task, from, to *guest, key, toKey string) error {
	m := c.s.mount(kindLXC, key, from.Values[key])
	volid, err := c.s.rename(from.node, m.volid, to.vmid)
	if err != nil {
		return err
	}
	t.log("moving volume '%s' from container '%d' to '%d'", key, from.vmid, to.vmid)
	t.log("removing volume '%s' from container '%d' config", key, from.vmid)
	text := volid
	if keyNumber(toKey, "unused") < 0 {
		keys, err := c.s.table.Parse(lxcFormat(key), from.Values[key], key)
		if err != nil {
			return err
		}
		keys["volume"] = volid
		text = c.s.table.Print(lxcFormat(toKey), keys)
	}
	delete(from.Values, key)
	to.Values[toKey] = text
	c.s.save(from)
	if to != from {
		c.s.save(to)
	}
	t.log("target container '%d' updated with '%s'", to.vmid, toKey)
	return nil
}

// rename gives a volume the next free name of another guest.
// Source: PVE::Storage rename_volume.
func (s *Server) rename(node, volid string, vmid int) (string, error) {
	id, name, err := splitVolid(volid)
	if err != nil {
		return "", err
	}
	st, err := s.usable(id, node)
	if err != nil {
		return "", err
	}
	v := s.vol(node, volid)
	parsed, err := st.parseVolname(name)
	if err != nil {
		return "", err
	}
	if v == nil {
		return "", die("volume '%s' does not exist", volid)
	}
	after := *v
	after.ID = id + ":" + s.nextName(st, node, vmid, parsed.format)
	s.dropVol(v)
	s.putVol(&after)
	return after.ID, nil
}
