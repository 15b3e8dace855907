package pvesim

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// restoration is a container that is being made of a backup.
type restoration struct {
	creation
	over *guest // the container it takes the place of, nil for a new one
}

// lxcRestore makes a container of a backup; with force it takes the place of
// one that exists. Source: PVE::API2::LXC create_vm with restore.
func lxcRestore(c *call) (any, error) {
	vmid, pool := c.int("vmid"), c.str("pool")
	r := &restoration{}
	if old := c.s.find(vmid); old != nil && old.kind == kindLXC && old.node == c.node.name && c.flag("force") {
		r.over = old
		if err := c.mayOverwrite(old); err != nil {
			return nil, err
		}
	} else if err := c.s.unused(vmid); err != nil {
		return nil, err
	}
	if err := c.s.needPool(pool); err != nil {
		return nil, err
	}
	if r.over == nil && !c.may(vmPath(vmid), "VM.Allocate") && (pool == "" || !c.may("/pool/"+pool, "VM.Allocate")) {
		return nil, &apiError{status: 403, message: "Permission check failed\n"}
	}
	if c.has("unprivileged") && !c.flag("unprivileged") {
		if err := c.need("/", "Sys.Modify"); err != nil {
			return nil, err
		}
	}
	if err := r.check(c, vmid, pool); err != nil {
		return nil, err
	}
	if r.over == nil {
		c.s.reserve(r.g)
	} else {
		r.over.Values["lock"] = "create"
		c.s.save(r.over)
	}
	return c.fork("vzrestore", strconv.Itoa(vmid), r.work), nil
}

func (r *restoration) check(c *call, vmid int, pool string) error {
	r.creation = creation{c: c, vmid: vmid, storage: "local", archive: c.str("ostemplate")}
	if c.has("storage") {
		r.storage = c.str("storage")
	}
	all := map[string]string{}
	for key, v := range c.params {
		if !slices.Contains(onlyCreate, key) {
			all[key] = v.Text
		}
	}
	if err := c.mayChange(lxcChange{vmid: vmid, pool: pool, set: all, unprivileged: true}); err != nil {
		return err
	}
	if err := c.mayUse(r.archive, vmid, "backup"); err != nil {
		return err
	}
	r.sortKeys(all)
	if err := r.checkStorages(); err != nil {
		return err
	}
	r.g = c.s.newGuest(kindLXC, c.node.name, vmid)
	return nil
}

// mayOverwrite holds what forbids a restore over a container.
func (c *call) mayOverwrite(old *guest) error {
	if err := c.needAny(vmPath(old.vmid), "VM.Allocate", "VM.Backup"); err != nil {
		return err
	}
	if c.s.isRunning(old.vmid) {
		return die("can't overwrite running container")
	}
	if err := old.checkLock(); err != nil {
		return err
	}
	return old.checkProtection("unable to restore CT %d", old.vmid)
}

// work is the worker. Volumes are made before those of the container in place
// are destroyed; what fails before that leaves the container as it was.
func (r *restoration) work(t *task) error {
	s := r.c.s
	err := s.lockGuest(kindLXC, r.vmid, func() error {
		destroyed, err := r.rebuild(t)
		switch {
		case err == nil:
			return nil
		case r.over != nil && !destroyed:
			delete(r.over.Values, "lock")
			s.save(r.over)
		default:
			s.remove(r.g.path())
			s.removeFirewall(r.vmid)
		}
		return die("unable to restore CT %d - %s", r.vmid, err)
	})
	if err != nil {
		return err
	}
	if pool := r.c.str("pool"); pool != "" {
		s.addToPool(r.vmid, pool)
	}
	if r.c.flag("start") {
		r.c.startContainer(r.g)
	}
	return nil
}

// rebuild reports whether the old container was destroyed.
func (r *restoration) rebuild(t *task) (destroyed bool, err error) {
	s := r.c.s
	t.log("recovering backed-up configuration from '%s'", r.archive)
	v := s.vol(t.node, r.archive)
	if v == nil {
		return false, die("volume '%s' does not exist", r.archive)
	}
	if a := archiveOf(v.ID); a != nil && a.kind != kindLXC {
		return false, die("unable to extract configuration: archive contains no container")
	}
	saved := conf.ParseGuest(kindLXC, v.Archive["config"], s.checker(kindLXC))
	if r.mounts["rootfs"] == "" {
		if err := r.recreate(&saved.Section); err != nil {
			return false, err
		}
	}
	texts, made, err := s.createDisks(t.node, r.vmid, r.mounts, t.log)
	if err != nil {
		return false, err
	}
	drop := func() {
		for _, m := range made {
			s.dropVol(m)
		}
	}
	if r.over != nil {
		if err := t.destroyVolumes(r.over); err != nil {
			drop()
			return false, err
		}
	}
	if err := r.extract(t, v, saved); err != nil {
		drop()
		return r.over != nil, err
	}
	t.log("merging backed-up and given configuration..")
	if err := r.merge(t, saved); err != nil {
		drop()
		return r.over != nil, err
	}
	maps.Copy(r.g.Values, texts)
	s.save(r.g)
	if fw := v.Archive["firewall"]; fw != "" && r.c.may(vmPath(r.vmid), "VM.Config.Network") {
		s.write("firewall/"+strconv.Itoa(r.vmid)+".fw", fw)
	}
	return false, nil
}

// recreate wishes for every volume of the archive on the one storage, those
// without data too; binds and devices come back for root@pam alone.
func (r *restoration) recreate(saved *conf.Section) error {
	for _, m := range r.c.s.mounts(kindLXC, saved, "rootfs", "mp") {
		if m.kind != mountVolume {
			if !r.c.user.root() {
				return die("restoring '%s' to %s mount is only possible for root", m.key, m.kind)
			}
			r.mounts[m.key] = saved.Values[m.key]
			continue
		}
		if m.keys["size"] == "" {
			return die("unable to detect disk size - please specify %s (size)", m.key)
		}
		keys := maps.Clone(m.keys)
		delete(keys, "size")
		keys["volume"] = r.storage + ":" + strconv.FormatFloat(float64(m.size)/float64(gib), 'f', -1, 64)
		r.mounts[m.key] = r.c.s.table.Print(lxcFormat(m.key), keys)
	}
	return nil
}

// extract unpacks the archive. In an unprivileged container no device node
// can be made, and one with the feature mknod may hold some.
func (r *restoration) extract(t *task, v *volume, saved *conf.Guest) error {
	id, name, _ := splitVolid(v.ID)
	st, err := r.c.s.usable(id, t.node)
	if err != nil {
		return err
	}
	t.log("restoring '%s' now..", v.ID)
	t.log("extracting archive '%s'", st.volumePath(name))
	if strings.Contains(saved.Values["features"], "mknod=1") && saved.Values["unprivileged"] == "1" {
		t.log("tar: ./dev/loop0: Cannot mknod: Operation not permitted")
		return die("command 'lxc-usernsexec -m u:0:100000:65536 -m g:0:100000:65536 -- tar xpf - --zstd --totals' failed: exit code 2")
	}
	if err := t.work(); err != nil {
		return err
	}
	t.log("Total bytes read: 2119680 (2.1MiB, 170MiB/s)")
	return nil
}

// merge puts the archive's keys and the given ones together; given ones win,
// except that unique gives new MACs to the interfaces of the archive.
// Source: PVE::LXC::Create sanitize_and_merge_config.
func (r *restoration) merge(t *task, saved *conf.Guest) error {
	s, g := r.c.s, r.g
	for key, text := range saved.Values {
		if isMountKey(kindLXC, key) || slices.Contains(words("template parent snaptime snapstate lock"), key) {
			continue
		}
		g.Values[key] = text
	}
	g.Description = saved.Description
	if len(saved.Raw) > 0 && r.c.user.root() {
		g.Raw = saved.Raw
	} else {
		for _, kv := range saved.Raw {
			t.warn("skipping custom lxc options, restore manually as root: %s: %s", kv[0], kv[1])
		}
	}
	if err := s.applyPlain(g, r.plain); err != nil {
		return err
	}
	if r.c.has("unprivileged") {
		g.Values["unprivileged"] = r.c.str("unprivileged")
	}
	if !r.c.flag("unique") {
		return nil
	}
	for _, key := range numbered(saved.Values, "net") {
		net, err := s.table.Parse("lxc.net", saved.Values[key], key)
		if err != nil {
			continue
		}
		net = maps.Clone(net)
		delete(net, "hwaddr")
		if g.Values[key], err = s.printNet(key, s.table.Print("lxc.net", net)); err != nil {
			return err
		}
	}
	return nil
}
