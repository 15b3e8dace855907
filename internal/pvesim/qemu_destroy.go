package pvesim

import (
	"strconv"
	"strings"
)

func init() {
	routes(map[string]handler{"DELETE /nodes/{node}/qemu/{vmid}": vmDestroy})
}

// vmDestroy removes a machine with its volumes. A lock of its configuration
// is found by the worker. Source: PVE::API2::Qemu destroy_vm.
func vmDestroy(c *call) (any, error) {
	if err := c.rootOnly("skiplock"); err != nil {
		return nil, err
	}
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	if err := c.mayDestroyVM(g); err != nil {
		return nil, err
	}
	node, vmid := c.node.name, g.vmid
	return c.fork("qmdestroy", strconv.Itoa(vmid), func(t *task) error {
		return c.s.lockGuest(kindQEMU, vmid, func() error {
			g, err := c.s.guest(kindQEMU, node, vmid)
			if err != nil {
				return err
			}
			if err := c.mayDestroyVM(g); err != nil {
				return err
			}
			if err := g.checkLock(); err != nil && !c.flag("skiplock") && g.Values["lock"] != "suspended" {
				return err
			}
			return c.destroyVM(t, g)
		})
	}), nil
}

// mayDestroyVM holds what forbids the destruction of a machine.
func (c *call) mayDestroyVM(g *guest) error {
	if err := g.checkProtection("can't remove VM %d", g.vmid); err != nil {
		return err
	}
	if c.s.haEntry(g) != nil && !c.flag("purge") {
		return die("unable to remove VM %d - used in HA resources and purge parameter not set.", g.vmid)
	}
	if c.s.isRunning(g.vmid) {
		return die("VM %d is running - destroy failed", g.vmid)
	}
	return nil
}

// destroyVM frees what belongs to the machine and is named in its file,
// snapshots included. A base volume with clones ends it before anything is
// freed; a volume that can not be freed is only noted.
// Source: PVE::QemuServer destroy_vm.
func (c *call) destroyVM(t *task, g *guest) error {
	s := c.s
	if g.template() {
		for _, d := range s.drives(&g.Section) {
			if v := s.vol(g.node, d.file); v != nil && s.cloneOf(v) != "" {
				return die("base volume '%s' is still in use by linked cloned", d.file)
			}
		}
	}
	if err := t.work(); err != nil {
		return err
	}
	for _, volid := range s.ownedVolumes(g) {
		if err := t.freeVolume(g.node, volid); err != nil {
			t.log("Could not remove disk '%s', check manually: %s", volid, err)
		}
	}
	if c.flag("destroy-unreferenced-disks") {
		s.freeUnreferenced(t, g, "images")
	}
	stub := s.newGuest(kindQEMU, g.node, g.vmid)
	stub.Values["lock"] = "destroyed"
	s.save(stub)
	s.removeAccess(g.vmid)
	s.removeFirewall(g.vmid)
	if c.flag("purge") {
		t.purge(g)
	}
	s.remove(g.path())
	return nil
}

// ownedVolumes are the volumes of the machine that its file names anywhere,
// memory of snapshots and unused volumes included, without CDs.
func (s *Server) ownedVolumes(g *guest) []string {
	var out []string
	seen := map[string]bool{}
	add := func(volid string) {
		if !seen[volid] && s.owner(volid) == g.vmid {
			seen[volid] = true
			out = append(out, volid)
		}
	}
	for _, sec := range append(sectionsOf(g), &g.Section, g.Pending) {
		for _, d := range s.drives(sec) {
			if d.hasVolume() && (!d.isCDROM() || d.isCloudinit()) {
				add(d.file)
			}
		}
		for _, key := range numbered(sec.Values, "unused") {
			add(strings.TrimPrefix(sec.Values[key], "file="))
		}
		if volid := sec.Values["vmstate"]; volid != "" {
			add(volid)
		}
	}
	return out
}
