package pvesim

import (
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{"POST /nodes/{node}/lxc/{vmid}/snapshot/{snapname}/rollback": lxcRollback})
}

// lxcRollback goes back to a snapshot; a running container is stopped hard.
// Source: PVE::AbstractConfig snapshot_rollback.
func lxcRollback(c *call) (any, error) {
	if c.flag("start") {
		if err := c.need(vmPath(c.int("vmid")), "VM.PowerMgmt"); err != nil {
			return nil, err
		}
	}
	return c.inTask("vzrollback", func(t *task, g *guest) error {
		if g.template() {
			return die("you can't rollback if CT is a template")
		}
		sec, err := c.findSnapshot(g)
		if err != nil {
			return err
		}
		if sec.Values["snapstate"] != "" {
			return die("unable to rollback to incomplete snapshot (snapstate = %s)", sec.Values["snapstate"])
		}
		if err := g.checkLock(); err != nil {
			return err
		}
		if err := c.s.newestOnZFS(g, sec, c.str("snapname")); err != nil {
			return err
		}
		c.s.setRunning(g.vmid, false)
		if err := t.work(); err != nil {
			return err
		}
		c.s.rollBack(g, c.str("snapname"))
		c.s.save(g)
		if c.flag("start") {
			c.startContainer(g)
		}
		return nil
	}), nil
}

// newestOnZFS refuses to go back past a newer snapshot where the storage can not.
func (s *Server) newestOnZFS(g *guest, sec *conf.Section, name string) error {
	for _, m := range s.guestVolumes(g, sec) {
		id, _, _ := splitVolid(m.volid)
		st, err := s.storage(id)
		if err != nil || st.Type != "zfspool" {
			continue
		}
		for other, o := range g.Snapshots {
			if other != name && number(o.Values["snaptime"], 0) > number(sec.Values["snaptime"], 0) {
				return die("can't rollback, '%s' is not most recent snapshot on '%s'", name, m.volid)
			}
		}
	}
	return nil
}

// rollBack makes a snapshot the configuration; the description and the unused
// volumes stay, and volumes the snapshot does not know become unused.
func (s *Server) rollBack(g *guest, name string) {
	before := g.Section.Clone()
	sec := g.Snapshots[name]
	g.Section = *snapshotCopy(sec)
	g.Description = before.Description
	g.Values["parent"] = name
	*g.Pending = *conf.NewSection()
	known := map[string]bool{}
	for _, m := range s.guestVolumes(g, sec) {
		known[m.volid] = true
		if v := s.vol(g.node, m.volid); v != nil {
			if size, ok := v.Snapshots[name]; ok {
				v.Size = size
			}
		}
	}
	s.saveVolumes()
	for _, key := range numbered(before.Values, "unused") {
		g.Values[key] = before.Values[key]
	}
	for _, m := range s.guestVolumes(g, before) {
		if !known[m.volid] {
			s.addUnused(g, m.volid)
		}
	}
}
