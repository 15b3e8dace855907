package pvesim

import (
	"slices"
)

func init() {
	routes(map[string]handler{"GET /nodes/{node}/lxc/{vmid}/feature": lxcFeature})
}

func lxcFeature(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	sec := &g.Section
	if name := c.str("snapname"); name != "" {
		if sec = g.Snapshots[name]; sec == nil {
			return nil, die("snapshot '%s' does not exist", name)
		}
	}
	all := true
	for _, m := range c.s.mounts(kindLXC, sec, "rootfs", "mp") {
		all = all && c.s.hasFeature(c.str("feature"), m, c.str("snapname"))
	}
	return object{"hasFeature": flagValue(all)}, nil
}

// hasFeature tells whether the storage of a mount can do something with it.
// Source: volume_has_feature of the plugins.
func (s *Server) hasFeature(feature string, m *mount, snapname string) bool {
	id, name, err := splitVolid(m.volid)
	if m.kind != mountVolume || err != nil {
		return false
	}
	st, err := s.storage(id)
	if err != nil {
		return false
	}
	v, err := st.parseVolname(name)
	if err != nil {
		return false
	}
	cow := v.format == "qcow2" && st.plugin().files
	switch feature {
	case "copy":
		return true
	case "template":
		return st.Type != "lvm" && st.Type != "iscsi" && st.Type != "iscsidirect"
	case "snapshot":
		return cow || slices.Contains(words("zfspool zfs lvmthin rbd"), st.Type) || st.Type == "btrfs" && v.format != "vmdk"
	case "clone":
		switch st.Type {
		case "btrfs":
			return v.format == "raw" || v.format == "subvol" || v.isBase
		case "zfspool", "zfs":
			return v.isBase
		case "lvmthin", "rbd":
			return v.isBase || snapname != ""
		}
		return st.plugin().files && v.format != "subvol" && v.isBase && cow
	}
	return false
}
