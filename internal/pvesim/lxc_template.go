package pvesim

import (
	"strings"
)

func init() {
	routes(map[string]handler{"POST /nodes/{node}/lxc/{vmid}/template": lxcTemplate})
}

// lxcTemplate turns a container into a template. It is done by a worker, but
// no UPID is returned. Source: PVE::API2::LXC template.
func lxcTemplate(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	if err := c.s.templateCheck(g); err != nil {
		return nil, err
	}
	c.inTask("vztemplate", func(t *task, g *guest) error {
		if err := c.s.templateCheck(g); err != nil {
			return err
		}
		if err := t.work(); err != nil {
			return err
		}
		for _, m := range c.s.mounts(kindLXC, &g.Section, "rootfs", "mp") {
			if m.kind != mountVolume {
				continue
			}
			volid, err := c.s.makeBase(g.node, m.volid)
			if err != nil {
				return err
			}
			g.Values[m.key] = strings.Replace(g.Values[m.key], m.volid, volid, 1)
		}
		g.Values["template"] = "1"
		c.s.save(g)
		return nil
	})
	return nil, nil
}

func (s *Server) templateCheck(g *guest) error {
	if err := g.checkLock(); err != nil {
		return err
	}
	switch {
	case len(g.Snapshots) > 0:
		return die("unable to create template, because %s contains snapshots", short(g.kind))
	case g.template():
		return die("you can't convert a template to a template")
	case s.isRunning(g.vmid):
		if g.kind == kindLXC {
			return die("you can't convert a CT to template if the CT is running")
		}
		return die("you can't convert a VM to template if VM is running")
	}
	return nil
}

// makeBase renames a volume so that it can have linked clones.
func (s *Server) makeBase(node, volid string) (string, error) {
	id, name, err := splitVolid(volid)
	if err != nil {
		return "", err
	}
	st, err := s.usable(id, node)
	if err != nil {
		return "", err
	}
	if st.Type == "lvm" {
		return "", die("Template feature is not available for '%s'", volid)
	}
	v := s.vol(node, volid)
	if v == nil {
		return "", die("volume '%s' does not exist", volid)
	}
	dir, file := "", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		dir, file = name[:i+1], name[i+1:]
	}
	switch {
	case strings.HasPrefix(file, "vm-"):
		file = "base-" + file[len("vm-"):]
	case strings.HasPrefix(file, "subvol-"):
		file = "basevol-" + file[len("subvol-"):]
	default:
		return volid, nil
	}
	after := *v
	after.ID = id + ":" + dir + file
	s.dropVol(v)
	s.putVol(&after)
	return after.ID, nil
}
