package pvesim

import (
	"maps"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{"POST /nodes/{node}/lxc/{vmid}/clone": lxcClone})
}

// lxcClone copies a container. All checks are made at once, the copying is
// left to the worker. Source: PVE::API2::LXC clone_vm.
func lxcClone(c *call) (any, error) {
	newid, node := c.int("newid"), c.node.name
	if err := c.cloneTargets(); err != nil {
		return nil, err
	}
	if c.has("target") {
		node = c.str("target")
	}
	var src *guest
	err := c.s.lockGuest(kindLXC, c.int("vmid"), func() (err error) {
		if src, err = c.container(); err != nil {
			return err
		}
		if err := c.s.unused(newid); err != nil {
			return err
		}
		if err := src.checkLock(); err != nil {
			return err
		}
		if _, _, err := c.cloneFrom(src); err != nil {
			return err
		}
		src.Values["lock"] = "disk"
		c.s.save(src)
		c.s.reserve(c.s.newGuest(kindLXC, node, newid))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.fork("vzclone", strconv.Itoa(src.vmid), func(t *task) error {
		err := c.cloneWork(t, src, node)
		_ = c.s.lockGuest(kindLXC, src.vmid, func() error {
			if again := src.reload(c.s); again == nil && src.Values["lock"] == "disk" {
				delete(src.Values, "lock")
				c.s.save(src)
			}
			return nil
		})
		if err != nil {
			c.s.remove(guestPath(node, kindLXC, newid))
			return die("clone failed: %s", err)
		}
		if pool := c.str("pool"); pool != "" {
			c.s.addToPool(newid, pool)
		}
		return nil
	}), nil
}

// cloneTargets checks pool, node and storage of the clone.
func (c *call) cloneTargets() error {
	if err := c.s.needPool(c.str("pool")); err != nil {
		return err
	}
	if target := c.str("target"); target != "" && c.s.node(target) == nil {
		return die("no such cluster node '%s'", target)
	}
	if id := c.str("storage"); id != "" {
		if _, err := c.s.usable(id, c.node.name); err != nil {
			return err
		}
		return c.need("/storage/"+id, "Datastore.AllocateSpace")
	}
	return nil
}

// cloneFrom is the section that is copied, and whether its volumes are copied
// in full.
func (c *call) cloneFrom(src *guest) (*conf.Section, bool, error) {
	full := !src.template()
	if c.has("full") {
		full = c.flag("full")
	}
	if c.has("storage") && !full {
		return nil, full, die("parameter 'storage' not allowed for linked clones")
	}
	sec, name := &src.Section, c.str("snapname")
	if name != "" {
		if sec = src.Snapshots[name]; sec == nil {
			return nil, full, die("snapshot '%s' does not exist", name)
		}
	}
	for _, m := range c.s.mounts(kindLXC, sec, "rootfs", "mp") {
		switch {
		case m.kind != mountVolume:
			return nil, full, die("unable to clone mountpoint '%s' (type %s)", m.key, m.kind)
		case full && c.s.isRunning(src.vmid) && name == "":
			return nil, full, die("Full clone of a running container is only possible from a snapshot")
		case full && c.s.hasFeature("copy", m, name):
		case full:
			return nil, full, die("Full clone feature for '%s' is not available", m.volid)
		case !c.s.hasFeature("clone", m, name):
			return nil, full, die("Linked clone feature for '%s' is not available", m.volid)
		}
		if c.has("target") && c.str("target") != c.node.name {
			id, _, _ := splitVolid(m.volid)
			if st, err := c.s.storage(id); err != nil || !st.shared() {
				return nil, full, die("can't clone to non-shared storage '%s'", id)
			}
		}
	}
	return sec, full, nil
}

func (c *call) cloneWork(t *task, src *guest, node string) error {
	newid := c.int("newid")
	t.log("creating a clone of container %d with ID %d", src.vmid, newid)
	sec, full, err := c.cloneFrom(src)
	if err != nil {
		return err
	}
	out := c.s.newGuest(kindLXC, node, newid)
	out.Section = *snapshotCopy(sec)
	out.Description = sec.Description
	delete(out.Values, "parent")
	delete(out.Values, "template")
	var made []*volume
	for _, m := range c.s.mounts(kindLXC, sec, "rootfs", "mp") {
		v, err := c.cloneVolume(t, src, m, full)
		if err == nil {
			made = append(made, v)
			keys := maps.Clone(m.keys)
			keys["volume"], keys["size"] = v.ID, formatSize(v.Size)
			out.Values[m.key] = c.s.table.Print(lxcFormat(m.key), keys)
			continue
		}
		for _, v := range made {
			c.s.dropVol(v)
		}
		return err
	}
	if err := t.work(); err != nil {
		for _, v := range made {
			c.s.dropVol(v)
		}
		return err
	}
	return c.cloneFinish(out)
}

// cloneFinish gives the clone addresses and a name of its own.
func (c *call) cloneFinish(out *guest) error {
	for _, key := range numbered(out.Values, "net") {
		net, err := c.s.table.Parse("lxc.net", out.Values[key], key)
		if err != nil {
			return err
		}
		net["hwaddr"] = c.s.randomMAC()
		out.Values[key] = c.s.table.Print("lxc.net", net)
	}
	if c.has("hostname") {
		out.Values["hostname"] = c.str("hostname")
	}
	if c.has("description") {
		out.Description = withNewline(c.str("description"))
	}
	c.s.save(out)
	return nil
}

func (c *call) cloneVolume(t *task, src *guest, m *mount, full bool) (*volume, error) {
	newid := c.int("newid")
	from := c.s.vol(src.node, m.volid)
	if from == nil {
		return nil, die("volume '%s' does not exist", m.volid)
	}
	id, name, _ := splitVolid(m.volid)
	if full {
		if c.has("storage") {
			id = c.str("storage")
		}
		t.log("create full clone of mountpoint %s (%s)", m.key, m.volid)
		return t.copyVolume(src.node, id, newid, from, m.key == "rootfs")
	}
	t.log("create linked clone of mount point %s (%s)", m.key, m.volid)
	return c.s.linkedClone(src.node, id, name, newid, from.Size)
}

// linkedClone makes a volume on top of a base volume. Where the name of the
// base is part of the name, the base can not be removed before the clone.
func (s *Server) linkedClone(node, id, baseName string, vmid int, size int64) (*volume, error) {
	st, err := s.usable(id, node)
	if err != nil {
		return nil, err
	}
	base, err := st.parseVolname(baseName)
	if err != nil {
		return nil, err
	}
	name, parent := s.nextName(st, node, vmid, base.format), id+":"+baseName
	switch st.Type {
	case "zfspool", "zfs", "rbd":
		name = base.file + "/" + name
	case "btrfs", "lvmthin":
		parent = ""
	default:
		name = strings.TrimPrefix(baseName, "/") + "/" + s.nextName(st, node, vmid, "qcow2")
	}
	v, err := s.allocNamed(node, id, name, vmid, size)
	if err == nil {
		v.Parent = parent
		s.putVol(v)
	}
	return v, err
}
