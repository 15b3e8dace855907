package pvesim

import (
	"strconv"
)

func init() {
	routes(map[string]handler{"DELETE /nodes/{node}/lxc/{vmid}": lxcDestroy})
}

// lxcDestroy removes a container with its volumes.
// Source: PVE::API2::LXC destroy_vm.
func lxcDestroy(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	if err := c.mayDestroy(g); err != nil {
		return nil, err
	}
	if c.s.isRunning(g.vmid) && !c.flag("force") {
		return nil, die("unable to destroy CT %d - container is running", g.vmid)
	}
	return c.fork("vzdestroy", strconv.Itoa(g.vmid), func(t *task) error {
		return c.s.lockGuest(kindLXC, g.vmid, func() error {
			if err := g.reload(c.s); err != nil {
				return err
			}
			if err := c.mayDestroy(g); err != nil {
				return err
			}
			return c.destroy(t, g)
		})
	}), nil
}

// mayDestroy holds what forbids the destruction of a guest of either kind.
func (c *call) mayDestroy(g *guest) error {
	if err := g.checkProtection("can't remove CT %d", g.vmid); err != nil {
		return err
	}
	if err := g.checkLock(); err != nil {
		return err
	}
	if c.s.haEntry(g) != nil && !c.flag("purge") {
		return die("unable to remove CT %d - used in HA resources and purge parameter not set.", g.vmid)
	}
	return nil
}

func (c *call) destroy(t *task, g *guest) error {
	if c.s.isRunning(g.vmid) {
		if !c.flag("force") {
			return die("unable to destroy CT %d - container is running", g.vmid)
		}
		t.log("forced to stop CT %d before destroying!", g.vmid)
		c.s.setRunning(g.vmid, false)
	}
	if err := t.work(); err != nil {
		return err
	}
	if err := t.destroyVolumes(g); err != nil {
		return err
	}
	if c.flag("destroy-unreferenced-disks") {
		c.s.freeUnreferenced(t, g, "rootdir")
	}
	stub := c.s.newGuest(g.kind, g.node, g.vmid)
	stub.Values["lock"] = "destroyed"
	c.s.save(stub)
	c.s.removeAccess(g.vmid)
	c.s.removeFirewall(g.vmid)
	if c.flag("purge") {
		t.purge(g)
	}
	c.s.remove(g.path())
	return nil
}

// destroyVolumes frees all volumes that belong to the container; those of
// other guests stay. The first that can not be freed ends it.
// Source: PVE::LXC destroy_lxc_container, delete_mountpoint_volume.
func (t *task) destroyVolumes(g *guest) error {
	done := map[string]bool{}
	mounts := t.s.mounts(g.kind, &g.Section, "rootfs", "mp", "unused")
	mounts = append(mounts, t.s.mounts(g.kind, g.Pending, "rootfs", "mp", "unused")...)
	for _, m := range mounts {
		if m.kind != mountVolume || done[m.volid] {
			continue
		}
		done[m.volid] = true
		if t.s.owner(m.volid) != g.vmid {
			t.log("ignore deletion of '%s', CT %d isn't the owner!", m.volid, g.vmid)
			continue
		}
		if err := t.freeVolume(g.node, m.volid); err != nil {
			return err
		}
	}
	return nil
}

// freeVolume frees a volume; a file that is not there is only noted.
func (t *task) freeVolume(node, volid string) error {
	id, name, err := splitVolid(volid)
	if err != nil {
		return err
	}
	st, err := t.s.usable(id, node)
	if err != nil {
		return err
	}
	if t.s.vol(node, volid) == nil && st.plugin().files {
		t.log("disk image '%s' does not exist", st.volumePath(name))
		return nil
	}
	return t.s.free(node, volid)
}

// freeUnreferenced frees every volume that is named for the guest on any
// enabled storage with the type of content; errors are only noted.
func (s *Server) freeUnreferenced(t *task, g *guest, content string) {
	for _, st := range s.storages() {
		if st.disabled() || !st.on(g.node) || !st.takes(content) {
			continue
		}
		for _, v := range s.onStorage(st, g.node) {
			if s.owner(v.ID) != g.vmid {
				continue
			}
			if err := s.free(g.node, v.ID); err != nil {
				t.log("%s", err)
			}
		}
	}
}
