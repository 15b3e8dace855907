package pvesim

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func init() {
	routes(map[string]handler{"POST /nodes/{node}/lxc": lxcCreate})
}

// creation is a container that is being created.
type creation struct {
	c       *call
	vmid    int
	storage string
	archive string            // volume of the template
	plain   map[string]string // keys that name no volume
	mounts  map[string]string // keys that do, as wished
	g       *guest
}

// onlyCreate are parameters that do not go into the configuration.
var onlyCreate = words("node vmid ostemplate restore force unique ignore-unpack-errors storage bwlimit pool start ha-managed password ssh-public-keys unprivileged")

// lxcCreate checks everything, reserves the number and starts the worker.
// Source: PVE::API2::LXC create_vm.
func lxcCreate(c *call) (any, error) {
	if c.flag("restore") {
		return lxcRestore(c)
	}
	vmid, pool := c.int("vmid"), c.str("pool")
	unprivileged := !c.has("unprivileged") || c.flag("unprivileged")
	if !unprivileged {
		if err := c.need("/", "Sys.Modify"); err != nil {
			return nil, err
		}
	}
	if c.flag("ha-managed") {
		if err := c.need("/", "Sys.Console"); err != nil {
			return nil, err
		}
	}
	if err := c.s.unused(vmid); err != nil {
		return nil, err
	}
	if err := checkKeys(c.str("ssh-public-keys")); err != nil {
		return nil, err
	}
	if err := c.s.needPool(pool); err != nil {
		return nil, err
	}
	if !c.may(vmPath(vmid), "VM.Allocate") && (pool == "" || !c.may("/pool/"+pool, "VM.Allocate")) {
		return nil, &apiError{status: 403, message: "Permission check failed\n"}
	}
	cr, err := c.newCreation(vmid, unprivileged)
	if err != nil {
		return nil, err
	}
	c.s.reserve(cr.g)
	return c.fork("vzcreate", strconv.Itoa(vmid), cr.work), nil
}

// newCreation does the checks of everything that was wished for.
func (c *call) newCreation(vmid int, unprivileged bool) (*creation, error) {
	cr := &creation{c: c, vmid: vmid, storage: "local", archive: c.str("ostemplate")}
	if c.has("storage") {
		cr.storage = c.str("storage")
	}
	all := map[string]string{}
	for key, v := range c.params {
		if !slices.Contains(onlyCreate, key) {
			all[key] = v.Text
		}
	}
	err := c.mayChange(lxcChange{vmid: vmid, pool: c.str("pool"), set: all, unprivileged: unprivileged})
	if err != nil {
		return nil, err
	}
	if err := c.mayUse(cr.archive, vmid, "vztmpl"); err != nil {
		return nil, err
	}
	cr.sortKeys(all)
	if err := cr.checkStorages(); err != nil {
		return nil, err
	}
	cr.g = c.s.newGuest(kindLXC, c.node.name, vmid)
	if err := c.s.applyPlain(cr.g, cr.plain); err != nil {
		return nil, err
	}
	if unprivileged {
		cr.g.Values["unprivileged"] = "1"
	}
	return cr, nil
}

// sortKeys parts the keys into those with volumes and the rest.
func (cr *creation) sortKeys(all map[string]string) {
	cr.plain, cr.mounts = map[string]string{}, map[string]string{}
	for key, text := range all {
		switch {
		case keyNumber(key, "unused") >= 0: // ignored, with a warning in the journal
		case key != "rootfs" && keyNumber(key, "mp") < 0:
			cr.plain[key] = text
		case bareSize.MatchString(text):
			cr.mounts[key] = cr.storage + ":" + text
		default:
			cr.mounts[key] = text
		}
	}
}

func (cr *creation) checkStorages() error {
	if len(cr.mounts) > 0 && cr.mounts["rootfs"] == "" {
		return die("mount points configured, but 'rootfs' not set - aborting")
	}
	ids := []string{}
	for _, key := range mountOrder(cr.mounts) {
		m := cr.c.s.mount(kindLXC, key, cr.mounts[key])
		if m == nil || m.kind != mountVolume {
			continue
		}
		id, _, err := splitVolid(m.volid)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if cr.mounts["rootfs"] == "" {
		ids = append(ids, cr.storage)
	}
	for _, id := range ids {
		if err := cr.c.needRootdir(id); err != nil {
			return err
		}
	}
	return nil
}

// needRootdir refuses a storage that can not take containers.
func (c *call) needRootdir(id string) error {
	st, err := c.s.usable(id, c.node.name)
	if err != nil {
		return err
	}
	if !st.takes("rootdir") {
		return wrong("storage", "storage '%s' does not support container directories", id)
	}
	return c.need("/storage/"+id, "Datastore.AllocateSpace")
}

// reserve writes the file that keeps a number while its guest is made.
// Source: PVE::AbstractConfig create_and_lock_config.
func (s *Server) reserve(g *guest) {
	stub := s.newGuest(g.kind, g.node, g.vmid)
	stub.Values["lock"] = "create"
	s.save(stub)
}

// checkKeys refuses what is no list of SSH keys.
// Source: PVE::Tools validate_ssh_public_keys.
func checkKeys(text string) error {
	for line := range strings.SplitSeq(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) < 2 || !strings.HasPrefix(f[0], "ssh-") && !strings.HasPrefix(f[0], "ecdsa-") && !strings.HasPrefix(f[0], "sk-") || len(f[1]) < 16 {
			return die("SSH public key validation error")
		}
	}
	return nil
}

// work is the worker: it makes the volumes, unpacks and writes the configuration.
func (cr *creation) work(t *task) error {
	c := cr.c
	err := c.s.lockGuest(kindLXC, cr.vmid, func() error {
		err := cr.build(t)
		if err != nil {
			c.s.remove(cr.g.path())
			c.s.removeFirewall(cr.vmid)
			return die("unable to create CT %d - %s", cr.vmid, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if pool := c.str("pool"); pool != "" {
		c.s.addToPool(cr.vmid, pool)
	}
	if c.flag("ha-managed") {
		c.s.haAdd(cr.g)
	}
	if c.flag("start") {
		c.startContainer(cr.g)
	}
	return nil
}

func (cr *creation) build(t *task) error {
	s, g := cr.c.s, cr.g
	if cr.mounts["rootfs"] == "" {
		cr.mounts["rootfs"] = cr.storage + ":4"
	}
	texts, made, err := s.createDisks(g.node, cr.vmid, cr.mounts, t.log)
	if err != nil {
		return err
	}
	if err = cr.unpack(t); err == nil {
		cr.afterUnpack(t, made)
		err = t.work()
	}
	if err != nil {
		for _, v := range made {
			s.dropVol(v)
		}
		return err
	}
	maps.Copy(g.Values, texts)
	for key, text := range map[string]string{"hostname": "CT" + strconv.Itoa(cr.vmid), "memory": "512", "swap": "512"} {
		if g.Values[key] == "" {
			g.Values[key] = text
		}
	}
	s.save(g)
	return nil
}
