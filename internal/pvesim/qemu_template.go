package pvesim

import (
	"slices"
	"strings"
)

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/qemu/{vmid}/feature":   vmFeature,
		"POST /nodes/{node}/qemu/{vmid}/template": vmTemplate,
	})
}

// vmHasFeature is hasFeature for the disks of virtual machines, which can
// have linked clones of every format on storages with files.
func (s *Server) vmHasFeature(feature string, m *mount, snapname string) bool {
	id, _, err := splitVolid(m.volid)
	if err != nil {
		return false
	}
	st, err := s.storage(id)
	if err != nil {
		return false
	}
	v, err := s.volname(m.volid)
	if err != nil {
		return false
	}
	switch {
	case feature == "clone" && st.plugin().files && st.Type != "btrfs":
		return v.isBase && snapname == ""
	case feature == "copy" && snapname != "" && st.plugin().files && st.Type != "btrfs":
		return v.format == "qcow2"
	case feature == "copy" && snapname != "" && st.Type == "zfspool":
		return false
	case feature == "snapshot" && st.Type == "lvm":
		return st.Values["snapshot-as-volume-chain"] == "1" && v.format == "qcow2"
	}
	return s.hasFeature(feature, m, snapname)
}

func vmFeature(c *call) (any, error) {
	g, err := c.vmFile()
	if err != nil {
		return nil, err
	}
	sec, name := &g.Section, c.str("snapname")
	if name != "" {
		if sec = g.Snapshots[name]; sec == nil {
			return nil, die("snapshot '%s' does not exist", name)
		}
	}
	has := !slices.ContainsFunc(c.s.guestVolumes(g, sec), func(m *mount) bool {
		return !strings.Contains(m.volid, "-cloudinit") && !c.s.vmHasFeature(c.str("feature"), m, name)
	})
	nodes := []string{}
	for _, n := range c.s.nodes {
		if has && (n.name == g.node || c.s.firstLocal(sec.Values) == "") {
			nodes = append(nodes, n.name)
		}
	}
	return object{"hasFeature": flagValue(has), "nodes": nodes}, nil
}

// firstLocal is the first storage that a machine names, for CDs too, and that
// is not shared; empty if there is none.
func (s *Server) firstLocal(values map[string]string) string {
	for _, key := range sortedKeys(values) {
		d := s.parseDrive(key, values[key])
		if !isDrive(key) || d == nil || !d.hasVolume() {
			continue
		}
		id, _, err := splitVolid(d.file)
		if err != nil {
			continue
		}
		if st, err := s.storage(id); err != nil || !st.shared() {
			return id
		}
	}
	return ""
}

// vmTemplate turns a machine, or one disk of a template, into a template.
// Disks on storages without base images are left as they are.
// Source: PVE::API2::Qemu template, PVE::QemuServer template_create.
func vmTemplate(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	disk := c.str("disk")
	check := func(g *guest) error {
		if disk != "" && g.template() {
			return g.checkLock()
		}
		return c.s.templateCheck(g)
	}
	if err := check(g); err != nil {
		return nil, err
	}
	if disk != "" && !g.isSet(disk) {
		return nil, die("disk '%s' does not exist", disk)
	}
	return c.vmTask("qmtemplate", func(t *task, g *guest) error {
		if err := check(g); err != nil {
			return err
		}
		if err := t.work(); err != nil {
			return err
		}
		g.Values["template"] = "1"
		for _, m := range c.s.guestVolumes(g, &g.Section) {
			if disk != "" && m.key != disk || strings.Contains(m.volid, "-cloudinit") || !c.s.vmHasFeature("template", m, "") {
				continue
			}
			volid, err := c.s.makeBase(g.node, m.volid)
			if err != nil {
				return err
			}
			g.Values[m.key] = strings.Replace(g.Values[m.key], m.volid, volid, 1)
		}
		c.s.save(g)
		return nil
	}), nil
}
