package pvesim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/lxc/{vmid}/migrate":  lxcMigratePreconditions,
		"POST /nodes/{node}/lxc/{vmid}/migrate": lxcMigrate,
	})
}

// lxcMigratePreconditions tells what stands in the way of a migration.
func lxcMigratePreconditions(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	allowed, refused := []string{}, object{}
	for _, n := range c.s.nodes {
		if n.name == g.node || c.has("target") && c.str("target") != n.name {
			continue
		}
		missing := []string{}
		for _, m := range c.s.mounts(kindLXC, &g.Section, "rootfs", "mp") {
			id, _, err := splitVolid(m.volid)
			if err != nil {
				continue
			}
			if _, err := c.s.usable(id, n.name); err != nil && !slices.Contains(missing, id) {
				missing = append(missing, id)
			}
		}
		if n.down || len(missing) > 0 {
			refused[n.name] = object{"unavailable-storages": missing}
			continue
		}
		allowed = append(allowed, n.name)
	}
	return object{
		"running": flagValue(c.s.isRunning(g.vmid)), "allowed-nodes": allowed, "not-allowed-nodes": refused,
		"dependent-ha-resources": []string{},
	}, nil
}

// lxcMigrate moves a container to another node. A running one is restarted
// there if the request says so. Source: PVE::API2::LXC migrate_vm, PVE::LXC::Migrate.
func lxcMigrate(c *call) (any, error) {
	target := c.s.node(c.str("target"))
	if target == nil {
		return nil, die("no such cluster node '%s'", c.str("target"))
	}
	if target.name == c.node.name {
		return nil, wrong("target", "target is local node.")
	}
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	if c.s.isRunning(g.vmid) && !c.flag("online") && !c.flag("restart") {
		return nil, die("can't migrate running container without --online or --restart")
	}
	if c.has("target-storage") && !strings.Contains(c.str("target-storage"), ":") && c.str("target-storage") != "1" {
		if _, err := c.s.usable(c.str("target-storage"), target.name); err != nil {
			return nil, err
		}
	}
	return c.inTask("vzmigrate", func(t *task, g *guest) error { return c.migrate(t, g, target) }), nil
}

func (c *call) migrate(t *task, g *guest, target *node) error {
	if err := g.checkLock(); err != nil {
		return err
	}
	restart := c.s.isRunning(g.vmid)
	if restart && c.flag("online") {
		return die("lxc live migration is currently not implemented")
	}
	t.log("starting migration of CT %d to node '%s' (192.0.2.%d)", g.vmid, target.name, slices.Index(c.s.nodes, target)+1)
	if target.down {
		return die("Can't connect to destination address using public key")
	}
	moves, err := c.migrationVolumes(t, g, target.name)
	if err != nil {
		return die("migration aborted (duration 00:00:00): %s", err)
	}
	if restart {
		t.log("shutdown CT %d", g.vmid)
		c.s.stopped(g.node, g.vmid)
		if err := g.reload(c.s); err != nil {
			return err
		}
	}
	if err := t.work(); err != nil {
		return err
	}
	c.s.remove(g.path())
	for _, mv := range moves {
		c.s.dropVol(mv.from)
		c.s.putVol(mv.to)
		for key, text := range g.Values {
			if m := c.s.mount(kindLXC, key, text); m != nil && m.volid == mv.from.ID {
				g.Values[key] = strings.Replace(text, mv.from.ID, mv.to.ID, 1)
			}
		}
	}
	g.node = target.name
	c.s.save(g)
	t.log("start final cleanup")
	if restart {
		t.log("start container on target node")
		c.s.fork(target, "vzstart", strconv.Itoa(g.vmid), t.user, func(*task) error {
			c.s.setRunning(g.vmid, true)
			return nil
		})
	}
	t.log("migration finished successfully (duration 00:00:00)")
	return nil
}

// migration is a local volume and what it becomes.
type migration struct{ from, to *volume }

// migrationVolumes finds the local volumes that are copied; a local bind or
// device mount that is not marked as shared ends it.
func (c *call) migrationVolumes(t *task, g *guest, target string) ([]migration, error) {
	var out []migration
	for _, m := range c.s.mounts(kindLXC, &g.Section, "rootfs", "mp", "unused") {
		if m.kind != mountVolume {
			if m.keys["shared"] != "1" {
				return nil, die("cannot migrate local %s mount point '%s'", m.kind, m.key)
			}
			continue
		}
		id, name, err := splitVolid(m.volid)
		if err != nil {
			return nil, err
		}
		st, err := c.s.usable(id, g.node)
		if err != nil {
			return nil, err
		}
		to := storageMap(c.str("target-storage"), id)
		if st.shared() && to == id {
			continue
		}
		if _, err := c.s.usable(to, target); err != nil {
			return nil, err
		}
		from := c.s.vol(g.node, m.volid)
		if from == nil {
			return nil, die("volume '%s' does not exist", m.volid)
		}
		t.log("found local volume '%s' (in current VM config)", m.volid)
		after := *from
		after.Node, after.ID = target, fmt.Sprintf("%s:%s", to, name)
		out = append(out, migration{from, &after})
	}
	return out, nil
}

// storageMap is the storage that a map such as "a:b,c" gives for another.
func storageMap(text, id string) string {
	for _, pair := range splitList(text) {
		from, to, ok := strings.Cut(pair, ":")
		switch {
		case !ok && pair != "1":
			return pair
		case ok && from == id:
			return to
		}
	}
	return id
}
