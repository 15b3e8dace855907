package pvesim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	base := "/nodes/{node}/lxc/{vmid}/snapshot"
	routes(map[string]handler{
		"GET " + base:                        lxcSnapshots,
		"POST " + base:                       lxcSnapshotCreate,
		"GET " + base + "/{snapname}":        parts("cmd", "rollback config"),
		"DELETE " + base + "/{snapname}":     lxcSnapshotDelete,
		"GET " + base + "/{snapname}/config": lxcSnapshotConfig,
		"PUT " + base + "/{snapname}/config": lxcSnapshotDescribe,
	})
}

func lxcSnapshots(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	return c.s.snapshotRows(g), nil
}

// snapshotRows are the snapshots of a guest and the row "current" for now.
// Source: PVE::GuestHelpers snapshot_tree.
func (s *Server) snapshotRows(g *guest) []object {
	out := []object{}
	for _, name := range sortedKeys(g.Snapshots) {
		sec := g.Snapshots[name]
		row := object{"name": name, "description": description(g.kind, sec.Description), "snaptime": number(sec.Values["snaptime"], 0)}
		if p := sec.Values["parent"]; p != "" {
			row["parent"] = p
		}
		if state := sec.Values["snapstate"]; state != "" {
			row["snapstate"] = state
		}
		if g.kind == kindQEMU {
			row["vmstate"] = flagValue(sec.Values["vmstate"] != "")
		}
		out = append(out, row)
	}
	row := object{"name": "current", "description": "You are here!", "digest": g.Digest, "running": flagValue(s.isRunning(g.vmid))}
	if p := g.Values["parent"]; p != "" {
		row["parent"] = p
	}
	return append(out, row)
}

// findSnapshot returns the section of the snapshot that a call names.
func (c *call) findSnapshot(g *guest) (*conf.Section, error) {
	if sec := g.Snapshots[c.str("snapname")]; sec != nil {
		return sec, nil
	}
	return nil, die("snapshot '%s' does not exist", c.str("snapname"))
}

func lxcSnapshotConfig(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	sec, err := c.findSnapshot(g)
	if err != nil {
		return nil, err
	}
	return c.s.section(g.kind, sec), nil
}

func lxcSnapshotDescribe(c *call) (any, error) {
	return nil, c.s.lockGuest(kindLXC, c.int("vmid"), func() error {
		g, err := c.container()
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
			sec.Description = withNewline(c.str("description"))
		}
		c.s.save(g)
		return nil
	})
}

// inTask runs f in a worker under the lock of the container, which is read
// when the worker begins.
func (c *call) inTask(kind string, f func(t *task, g *guest) error) string {
	node, vmid := c.node.name, c.int("vmid")
	return c.fork(kind, strconv.Itoa(vmid), func(t *task) error {
		return c.s.lockGuest(kindLXC, vmid, func() error {
			g, err := c.s.guest(kindLXC, node, vmid)
			if err != nil {
				return err
			}
			return f(t, g)
		})
	})
}

// lxcSnapshotCreate takes a snapshot. Source: PVE::AbstractConfig snapshot_create.
func lxcSnapshotCreate(c *call) (any, error) {
	name := c.str("snapname")
	if name == "current" || name == "vzdump" {
		return nil, die("unable to use snapshot name '%s' (reserved name)", name)
	}
	return c.inTask("vzsnapshot", func(t *task, g *guest) error {
		if g.template() {
			return die("you can't take a snapshot if it's a template")
		}
		if err := g.checkLock(); err != nil {
			return err
		}
		if g.Snapshots[name] != nil {
			return die("snapshot name '%s' already used", name)
		}
		for _, m := range c.s.mounts(kindLXC, &g.Section, "rootfs", "mp") {
			if !c.s.hasFeature("snapshot", m, "") {
				return die("snapshot feature is not available")
			}
		}
		if err := t.work(); err != nil {
			return err
		}
		c.s.takeSnapshot(g, name, withNewline(c.str("description")))
		c.s.save(g)
		return nil
	}), nil
}

// takeSnapshot notes the configuration and the sizes of the volumes.
func (s *Server) takeSnapshot(g *guest, name, text string) *conf.Section {
	sec := snapshotCopy(&g.Section)
	sec.Values["snaptime"] = strconv.FormatInt(s.now().Unix(), 10)
	sec.Description = text
	g.Snapshots[name] = sec
	g.Values["parent"] = name
	for _, m := range s.guestVolumes(g, sec) {
		if v := s.vol(g.node, m.volid); v != nil {
			if v.Snapshots == nil {
				v.Snapshots = map[string]int64{}
			}
			v.Snapshots[name] = v.Size
		}
	}
	s.saveVolumes()
	return sec
}

// guestVolumes are the volumes in use of a section, of either kind of guest.
func (s *Server) guestVolumes(g *guest, sec *conf.Section) []*mount {
	prefixes := words("rootfs mp")
	if g.kind == kindQEMU {
		prefixes = words("ide sata scsi virtio efidisk tpmstate")
	}
	return slices.DeleteFunc(s.mounts(g.kind, sec, prefixes...), func(m *mount) bool {
		return m.kind != mountVolume || m.keys["media"] == "cdrom" && !strings.Contains(m.volid, "cloudinit")
	})
}

// snapshotCopy is what a snapshot keeps of a configuration.
// Source: PVE::AbstractConfig __snapshot_copy_config.
func snapshotCopy(from *conf.Section) *conf.Section {
	out := from.Clone()
	out.Description = ""
	for key := range out.Values {
		if key == "snapstate" || key == "snaptime" || key == "vmstate" || key == "lock" || keyNumber(key, "unused") >= 0 {
			delete(out.Values, key)
		}
	}
	return out
}

// lxcSnapshotDelete removes a snapshot; those after it get its parent.
func lxcSnapshotDelete(c *call) (any, error) {
	name := c.str("snapname")
	return c.inTask("vzdelsnapshot", func(t *task, g *guest) error {
		if err := g.checkLock(); err != nil {
			return err
		}
		if _, err := c.findSnapshot(g); err != nil {
			return err
		}
		if err := t.work(); err != nil {
			return err
		}
		c.s.dropSnapshot(g, name)
		c.s.save(g)
		return nil
	}), nil
}

func (s *Server) dropSnapshot(g *guest, name string) {
	sec := g.Snapshots[name]
	for _, m := range s.guestVolumes(g, sec) {
		if v := s.vol(g.node, m.volid); v != nil {
			delete(v.Snapshots, name)
		}
	}
	s.saveVolumes()
	delete(g.Snapshots, name)
	for _, other := range append(sectionsOf(g), &g.Section) {
		if other.Values["parent"] != name {
			continue
		}
		delete(other.Values, "parent")
		if p := sec.Values["parent"]; p != "" {
			other.Values["parent"] = p
		}
	}
}
