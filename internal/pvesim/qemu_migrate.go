package pvesim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/qemu/{vmid}/migrate":  vmMigratePreconditions,
		"POST /nodes/{node}/qemu/{vmid}/migrate": vmMigrate,
	})
}

// vmMigratePreconditions tells what stands in the way of a migration.
// Source: PVE::API2::Qemu migrate_vm_precondition.
func vmMigratePreconditions(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	if err := g.checkLock(); err != nil {
		return nil, err
	}
	allowed, refused := []string{}, object{}
	for _, n := range c.s.nodes {
		if n.name == g.node || c.has("target") && c.str("target") != n.name {
			continue
		}
		missing := []string{}
		for _, d := range c.s.drives(&g.Section) {
			if id := storageOf(d.file); d.hasVolume() && !slices.Contains(missing, id) {
				if _, err := c.s.usable(id, n.name); err != nil {
					missing = append(missing, id)
				}
			}
		}
		if n.down || len(missing) > 0 {
			refused[n.name] = object{"unavailable_storages": missing}
			continue
		}
		allowed = append(allowed, n.name)
	}
	out := object{
		"running": flagValue(c.s.isRunning(g.vmid)), "local_disks": c.s.localDisks(g), "local_resources": c.s.localDevices(g),
		"mapped-resources": c.s.mappedDevices(g), "mapped-resource-info": object{}, "has-dbus-vmstate": 0,
		"dependent-ha-resources": []string{},
	}
	if !c.s.isRunning(g.vmid) {
		out["allowed_nodes"], out["not_allowed_nodes"] = allowed, refused
	}
	return out, nil
}

// localDisks are the volumes that are not on shared storages.
func (s *Server) localDisks(g *guest) []object {
	out := []object{}
	add := func(key, volid string, cd bool) {
		if st, err := s.storage(storageOf(volid)); err != nil || st.shared() {
			return
		}
		row := object{"volid": volid, "drivename": key, "cdrom": flagValue(cd), "is_unused": flagValue(isUnused(key)), "is_attached": flagValue(!isUnused(key)), "size": int64(0)}
		if v := s.vol(g.node, volid); v != nil {
			row["size"] = v.Size
		}
		out = append(out, row)
	}
	for _, d := range s.drives(&g.Section) {
		if d.hasVolume() {
			add(d.key, d.file, d.isCDROM())
		}
	}
	for _, key := range numbered(g.Values, "unused") {
		add(key, g.Values[key], false)
	}
	return out
}

// localDevices are the keys that tie a machine to its node.
// Source: PVE::QemuServer check_local_resources.
func (s *Server) localDevices(g *guest) []string {
	out := []string{}
	for _, key := range sortedKeys(g.Values) {
		text := g.Values[key]
		local := keyNumber(key, "hostpci") >= 0 || key == "ivshmem" || keyNumber(key, "parallel") >= 0 ||
			keyNumber(key, "usb") >= 0 && !strings.EqualFold(strings.TrimPrefix(text, "host="), "spice") ||
			keyNumber(key, "serial") >= 0 && text != "socket"
		if local && !strings.Contains(text, "mapping=") {
			out = append(out, key)
		}
	}
	return out
}

func (s *Server) mappedDevices(g *guest) []string {
	out := []string{}
	for _, key := range sortedKeys(g.Values) {
		if (keyNumber(key, "hostpci") >= 0 || keyNumber(key, "usb") >= 0) && strings.Contains(g.Values[key], "mapping=") {
			out = append(out, key)
		}
	}
	return out
}

// vmMigrate moves a machine to another node.
// Source: PVE::API2::Qemu migrate_vm.
func vmMigrate(c *call) (any, error) {
	if err := c.rootOnly("force", "migration_type", "migration_network"); err != nil {
		return nil, err
	}
	target := c.s.node(c.str("target"))
	switch {
	case target != nil && target.name == c.node.name:
		return nil, wrong("target", "target is local node.")
	case target == nil:
		return nil, die("no such cluster node '%s'", c.str("target"))
	}
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	if err := g.checkLock(); err != nil {
		return nil, err
	}
	if c.s.isRunning(g.vmid) && !c.flag("online") {
		return nil, die("can't migrate running VM without --online")
	}
	if err := c.migrationStorages(g, target.name); err != nil {
		return nil, err
	}
	if c.s.haManaged(g) {
		return c.fork("hamigrate", strconv.Itoa(g.vmid), func(t *task) error {
			t.log("Requesting HA migration for VM %d to node %s", g.vmid, target.name)
			return c.s.lockGuest(kindQEMU, g.vmid, func() error { return c.migrateVM(t, g, target) })
		}), nil
	}
	return c.vmTask("qmigrate", func(t *task, g *guest) error { return c.migrateVM(t, g, target) }), nil
}

// migrationStorages refuses a target that lacks a storage of the machine.
func (c *call) migrationStorages(g *guest, target string) error {
	for _, d := range c.s.drives(&g.Section) {
		if !d.hasVolume() {
			continue
		}
		to := storageMap(c.str("targetstorage"), storageOf(d.file))
		if _, err := c.s.usable(to, target); err != nil {
			return err
		}
		if to != storageOf(d.file) {
			if err := c.need("/storage/"+to, "Datastore.AllocateSpace"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *call) migrateVM(t *task, g *guest, target *node) error {
	if err := g.checkLock(); err != nil {
		return err
	}
	running := c.s.isRunning(g.vmid)
	t.log("starting migration of VM %d to node '%s' (192.0.2.%d)", g.vmid, target.name, slices.Index(c.s.nodes, target)+1)
	if err := c.migrationBlocked(t, g, target, running); err != nil {
		t.log("ERROR: %s", err)
		t.log("aborting phase 1 - cleanup resources")
		return die("migration aborted")
	}
	moves := c.vmMigrationVolumes(t, g, target.name)
	if err := t.work(); err != nil {
		return err
	}
	c.s.remove(g.path())
	for _, mv := range moves {
		c.s.dropVol(mv.from)
		c.s.putVol(mv.to)
		for _, sec := range append(sectionsOf(g), &g.Section, g.Pending) {
			renameVolume(sec, mv.from.ID, mv.to.ID)
		}
	}
	g.node = target.name
	c.s.save(g)
	if running {
		t.log("starting VM %d on remote node '%s'", g.vmid, target.name)
	}
	t.log("migration finished successfully (duration 00:00:01)")
	return nil
}

// renameVolume gives a volume its new name in all values of a section.
func renameVolume(sec *conf.Section, from, to string) {
	for key, text := range sec.Values {
		if (isDrive(key) || isUnused(key) || key == "vmstate") && (text == from || strings.HasPrefix(text, from+",")) {
			sec.Values[key] = to + text[len(from):]
		}
	}
}

// migrationBlocked finds what QEMU or the copying of disks does not allow.
// Source: PVE::QemuMigrate prepare, scan_local_volumes.
func (c *call) migrationBlocked(t *task, g *guest, target *node, running bool) error {
	if target.down {
		return die("Can't connect to destination address using public key")
	}
	if local := c.s.localDevices(g); len(local) > 0 {
		return die("can't migrate VM which uses local devices: %s", strings.Join(local, ", "))
	}
	if mapped := c.s.mappedDevices(g); running && len(mapped) > 0 {
		return die("can't live migrate running VM which uses following mapped devices: %s", strings.Join(mapped, ", "))
	}
	bad := false
	note := func(volid, why string) {
		t.log("can't migrate local disk '%s': %s", volid, why)
		bad = true
	}
	for _, row := range c.s.localDisks(g) {
		volid := row["volid"].(string) //nolint:forcetypeassert // made by localDisks
		switch owner := c.s.owner(volid); {
		case row["cdrom"] == 1 && !cloudinitVolume.MatchString(volid):
			note(volid, "local cdrom image")
		case owner != 0 && owner != g.vmid:
			note(volid, "owned by other VM (owner = VM "+strconv.Itoa(owner)+")")
		case running && row["is_unused"] == 0 && row["cdrom"] == 0 && !c.flag("with-local-disks"):
			note(volid, "can't live migrate attached local disks without with-local-disks option")
		case running && c.s.inSnapshot(g, volid):
			note(volid, "online storage migration not possible if non-replicated snapshot exists")
		case c.s.vol(g.node, volid) != nil && c.s.cloneOf(c.s.vol(g.node, volid)) != "":
			note(volid, "referenced by linked clone(s)")
		}
	}
	if bad {
		return die("Problem found while scanning volumes - can't migrate VM - check log")
	}
	return nil
}

// vmMigrationVolumes are the local volumes and what they become, which may
// have another storage and another number.
func (c *call) vmMigrationVolumes(t *task, g *guest, target string) []migration {
	var out []migration
	done := map[string]bool{}
	for _, row := range c.s.localDisks(g) {
		volid := row["volid"].(string) //nolint:forcetypeassert // made by localDisks
		from := c.s.vol(g.node, volid)
		if from == nil || done[volid] {
			continue
		}
		done[volid] = true
		_, name, _ := splitVolid(volid)
		to := storageMap(c.str("targetstorage"), storageOf(volid))
		after := *from
		after.Node, after.Parent, after.ID = target, "", to+":"+name
		if st, err := c.s.storage(to); err == nil && (to != storageOf(volid) || c.s.vol(target, after.ID) != nil) && !cloudinitVolume.MatchString(volid) {
			after.ID = to + ":" + c.s.nextName(st, target, g.vmid, st.defaultFormat())
		}
		t.log("found local disk '%s' (attached)", volid)
		t.log("volume '%s' is '%s' on the target", volid, after.ID)
		out = append(out, migration{from, &after})
	}
	return out
}
