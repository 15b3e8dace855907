package pvesim

import (
	"fmt"
	"strings"
)

func init() {
	base := "/nodes/{node}/qemu/{vmid}/snapshot"
	routes(map[string]handler{
		"GET " + base:                           vmSnapshots,
		"POST " + base:                          vmSnapshotCreate,
		"GET " + base + "/{snapname}":           parts("cmd", "rollback config"),
		"DELETE " + base + "/{snapname}":        vmSnapshotDelete,
		"GET " + base + "/{snapname}/config":    vmSnapshotConfig,
		"PUT " + base + "/{snapname}/config":    vmSnapshotDescribe,
		"POST " + base + "/{snapname}/rollback": vmRollback,
	})
}

func vmSnapshots(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	return c.s.snapshotRows(g), nil
}

// vmSnapshotConfig shows a snapshot as it is stored, the password too.
func vmSnapshotConfig(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	sec, err := c.findSnapshot(g)
	if err != nil {
		return nil, err
	}
	return c.s.section(g.kind, sec), nil
}

func vmSnapshotDescribe(c *call) (any, error) {
	return nil, c.s.lockGuest(kindQEMU, c.int("vmid"), func() error {
		g, err := c.vm()
		if err != nil {
			return err
		}
		if err := g.checkLock(); err != nil {
			return err
		}
		sec, err := c.findSnapshot(g)
		if err != nil {
			return err
		}
		if c.has("description") {
			sec.Description = vmDescription(c.str("description"))
		}
		c.s.save(g)
		return nil
	})
}

// vmSnapshotCreate takes a snapshot, with the memory if the machine runs and
// vmstate asks for it. Source: PVE::AbstractConfig snapshot_create.
func vmSnapshotCreate(c *call) (any, error) {
	name := c.str("snapname")
	if name == "current" || name == "pending" {
		return nil, die("unable to use snapshot name '%s' (reserved name)", name)
	}
	return c.vmTask("qmsnapshot", func(t *task, g *guest) error {
		if err := c.maySnapshot(g, name); err != nil {
			return err
		}
		volumes := c.s.guestVolumes(g, &g.Section)
		for _, m := range volumes {
			if !strings.Contains(m.volid, "-cloudinit") && !c.s.vmHasFeature("snapshot", m, "") {
				return die("snapshot feature is not available")
			}
		}
		ram := c.flag("vmstate") && c.s.isRunning(g.vmid)
		if ram && len(numbered(g.Values, "virtiofs")) > 0 {
			return die("Cannot live-migrate, snapshot (with RAM), or hibernate a VM with: virtiofs")
		}
		for _, m := range volumes {
			if !strings.Contains(m.volid, "-cloudinit") {
				t.log("snapshotting 'drive-%s' (%s)", m.key, m.volid)
			}
		}
		if err := t.work(); err != nil {
			return err
		}
		sec := c.s.takeSnapshot(g, name, vmDescription(c.str("description")))
		if ram {
			v, err := c.s.allocState(g, name, "")
			if err != nil {
				c.s.dropSnapshot(g, name)
				t.log("snapshot create failed: starting cleanup")
				return err
			}
			sec.Values["vmstate"], sec.Values["runningmachine"] = v.ID, c.s.runningMachine(g)
		}
		c.s.save(g)
		return nil
	}), nil
}

func (c *call) maySnapshot(g *guest, name string) error {
	if g.template() {
		return die("you can't take a snapshot if it's a template")
	}
	if err := g.checkLock(); err != nil {
		return err
	}
	if g.Snapshots[name] != nil {
		return die("snapshot name '%s' already used", name)
	}
	return nil
}

// allocState makes the volume that keeps the memory of a machine. Without a
// storage it goes to the one that vmstatestorage names, or that of a disk.
// Source: PVE::QemuConfig __snapshot_save_vmstate, PVE::QemuServer find_vmstate_storage.
func (s *Server) allocState(g *guest, name, storageID string) (*volume, error) {
	if storageID == "" {
		storageID = g.Values["vmstatestorage"]
	}
	for _, m := range s.guestVolumes(g, &g.Section) {
		if id, _, err := splitVolid(m.volid); storageID == "" && err == nil {
			storageID = id
		}
	}
	if storageID == "" {
		storageID = "local"
	}
	st, err := s.usable(storageID, g.node)
	if err != nil {
		return nil, err
	}
	file := snapshotStateName(g.vmid, name)
	if st.plugin().files {
		file = fmt.Sprintf("%d/%s.raw", g.vmid, file)
	}
	return s.allocNamed(g.node, st.ID, file, g.vmid, (2*s.vmMemory(g.Values)+500)*mib)
}

func vmSnapshotDelete(c *call) (any, error) {
	name := c.str("snapname")
	return c.vmTask("qmdelsnapshot", func(t *task, g *guest) error {
		if err := g.checkLock(); err != nil {
			return err
		}
		sec, err := c.findSnapshot(g)
		if err != nil {
			return err
		}
		if err := t.work(); err != nil {
			return err
		}
		if volid := sec.Values["vmstate"]; volid != "" {
			_ = c.s.free(g.node, volid)
		}
		c.s.dropSnapshot(g, name)
		c.s.save(g)
		return nil
	}), nil
}

// vmRollback goes back to a snapshot; a running machine is stopped hard, and
// one whose memory was kept runs afterwards.
// Source: PVE::AbstractConfig snapshot_rollback, PVE::QemuConfig.
func vmRollback(c *call) (any, error) {
	if c.flag("start") {
		if err := c.need(vmPath(c.int("vmid")), "VM.PowerMgmt"); err != nil {
			return nil, err
		}
	}
	name := c.str("snapname")
	return c.vmTask("qmrollback", func(t *task, g *guest) error {
		if g.template() {
			return die("you can't rollback if VM is a template")
		}
		sec, err := c.findSnapshot(g)
		if err != nil {
			return err
		}
		if state := sec.Values["snapstate"]; state != "" {
			return die("unable to rollback to incomplete snapshot (snapstate = %s)", state)
		}
		if err := g.checkLock(); err != nil {
			return err
		}
		if err := c.s.newestOnZFS(g, sec, name); err != nil {
			return err
		}
		c.s.setRunning(g.vmid, false)
		if err := t.work(); err != nil {
			return err
		}
		c.s.rollBack(g, name)
		for _, key := range words("runningmachine runningcpu running-nets-host-mtu") {
			delete(g.Values, key)
		}
		if g.isSet("vmgenid") {
			g.Values["vmgenid"] = uuid()
		}
		if err := c.s.pinWindows(g); err != nil {
			return err
		}
		c.s.save(g)
		switch {
		case sec.Values["vmstate"] != "":
			return c.s.startVM(t, g, false)
		case c.flag("start"):
			c.s.forkVMStart(c.node, g.vmid, c.user, false)
		}
		return nil
	}), nil
}
