package pvesim

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// onlyRestore are parameters that do not go into the configuration.
var onlyRestore = words("node vmid archive force unique storage bwlimit pool start live-restore ha-managed")

// vmRestore makes a virtual machine of a backup; with force it takes the
// place of one that exists. Source: PVE::API2::Qemu create_vm with archive.
func vmRestore(c *call) (any, error) {
	vmid, pool, archive := c.int("vmid"), c.str("pool"), c.str("archive")
	for key := range c.params {
		if isMountKey(kindQEMU, key) {
			return nil, wrong(key, "option conflicts with option 'archive'")
		}
	}
	if err := c.s.needPool(pool); err != nil {
		return nil, err
	}
	if err := c.needOwn(vmid, pool, "VM.Allocate"); err != nil {
		return nil, err
	}
	if err := c.mayUse(archive, vmid, "backup"); err != nil {
		return nil, err
	}
	if id := c.str("storage"); id != "" {
		if _, err := c.s.usable(id, c.node.name); err != nil {
			return nil, err
		}
		if err := c.need("/storage/"+id, "Datastore.AllocateSpace"); err != nil {
			return nil, err
		}
	}
	old := c.s.find(vmid)
	if old != nil && (!c.flag("force") || old.kind != kindQEMU || old.node != c.node.name) {
		return nil, die("unable to restore VM %d - %s", vmid, c.s.unused(vmid))
	}
	if old == nil {
		c.s.reserve(c.s.newGuest(kindQEMU, c.node.name, vmid))
	}
	return c.fork("qmrestore", strconv.Itoa(vmid), func(t *task) error {
		if err := c.s.lockGuest(kindQEMU, vmid, func() error { return c.vmRestore(t, vmid, old) }); err != nil {
			return err
		}
		if pool != "" {
			c.s.addToPool(vmid, pool)
		}
		if c.flag("start") {
			c.s.setRunning(vmid, true)
		}
		return nil
	}), nil
}

// vmRestore is the worker. A failure leaves the virtual machine as far as it
// got, only without its lock.
func (c *call) vmRestore(t *task, vmid int, old *guest) error {
	s := c.s
	if old != nil {
		if s.isRunning(vmid) {
			return die("unable to restore VM %d - vm is running", vmid)
		}
		if err := old.checkProtection("unable to restore VM %d", vmid); err != nil {
			return err
		}
	}
	g := s.newGuest(kindQEMU, t.node, vmid)
	err := c.vmExtract(t, g, old)
	if err != nil {
		if old == nil {
			s.save(s.newGuest(kindQEMU, t.node, vmid))
		}
		return err
	}
	s.save(g)
	t.log("rescan volumes...")
	return nil
}

func (c *call) vmExtract(t *task, g, old *guest) error {
	s, volid := c.s, c.str("archive")
	v := s.vol(t.node, volid)
	if v == nil {
		return die("unable to restore VM %d - volume '%s' does not exist", g.vmid, volid)
	}
	id, name, _ := splitVolid(volid)
	st, err := s.usable(id, t.node)
	if err != nil {
		return err
	}
	if a := archiveOf(volid); a == nil || a.kind != kindQEMU {
		return die("ERROR: file '%s' does not look like a QemuServer vzdump backup", st.volumePath(name))
	}
	t.log("restore vma archive: vma extract -v -r /var/tmp/vzdumptmp%d.fifo %s /var/tmp/vzdumptmp%d", t.pid, st.volumePath(name), t.pid)
	saved := conf.ParseGuest(kindQEMU, v.Archive["config"], s.checker(kindQEMU))
	t.log("CFG: size: %d name: qemu-server.conf", len(v.Archive["config"]))
	if err := c.vmDisks(t, g, old, saved, strings.Fields(v.Archive["included"])); err != nil {
		return err
	}
	if err := t.work(); err != nil {
		return err
	}
	t.log("progress 100%% (read %d bytes, duration 1 sec)", v.Size)
	c.vmMerge(g, saved)
	if fw := v.Archive["firewall"]; fw != "" {
		s.write("firewall/"+strconv.Itoa(g.vmid)+".fw", fw)
	}
	return nil
}

// vmDisks makes the disks that the archive has data of, on the storage given
// or the one they came from. Those of an old virtual machine that stand at
// the same keys are freed first, the others are left over.
// Source: PVE::QemuServer restore_cleanup_oldconf, restore_allocate_devices.
func (c *call) vmDisks(t *task, g, old *guest, saved *conf.Guest, included []string) error {
	s := c.s
	for _, key := range included {
		m := s.mount(kindQEMU, key, saved.Values[key])
		if m == nil {
			continue
		}
		if old != nil {
			if before := s.mount(kindQEMU, key, old.Values[key]); before != nil && before.kind == mountVolume && s.owner(before.volid) == g.vmid {
				if err := s.free(t.node, before.volid); err != nil {
					return err
				}
			}
		}
		storageID, format := c.str("storage"), "raw"
		if from, name, err := splitVolid(m.volid); err == nil {
			if storageID == "" {
				storageID = from
			}
			if i := strings.LastIndexByte(name, '.'); i >= 0 {
				format = name[i+1:]
			}
		}
		if storageID == "" {
			storageID = "local"
		}
		st, err := s.usable(storageID, t.node)
		if err != nil {
			return err
		}
		if !st.takes("images") {
			return die("Content type 'images' is not available on storage '%s'", st.ID)
		}
		if !st.plugin().files {
			format = "raw"
		}
		disk, err := s.alloc(t.node, st.ID, g.vmid, format, m.size)
		if err != nil {
			return err
		}
		t.log("new volume ID is '%s'", disk.ID)
		t.log("map 'drive-%s' to '%s' (write zeros = 0)", key, disk.ID)
		g.Values[key] = replaceVolume(saved.Values[key], m.volid, disk.ID, formatSize(m.size))
	}
	return nil
}

// replaceVolume puts another volume into the text of a drive.
func replaceVolume(text, from, to, size string) string {
	parts := strings.Split(text, ",")
	out := []string{to}
	for _, part := range parts {
		if part == from || strings.HasPrefix(part, "file=") || strings.HasPrefix(part, "volume=") || strings.HasPrefix(part, "size=") {
			continue
		}
		out = append(out, part)
	}
	return strings.Join(append(out, "size="+size), ",")
}

var macAddress = regexp.MustCompile(`(?i)[0-9a-f]{2}(:[0-9a-f]{2}){5}`)

// vmMerge takes over the lines of the archive. Drives that were left out of
// it become comments, that is description. Source: PVE::QemuServer
// restore_update_config_line, restore_merge_config.
func (c *call) vmMerge(g *guest, saved *conf.Guest) {
	s := c.s
	g.Description = saved.Description
	for _, key := range sortedKeys(saved.Values) {
		text := saved.Values[key]
		m := s.mount(kindQEMU, key, text)
		switch {
		case g.Values[key] != "", keyNumber(key, "unused") >= 0, slices.Contains(words("lock parent snaptime snapstate vmstate"), key):
			continue
		case m != nil && m.keys["media"] != "cdrom":
			g.Description += key + ": " + text + "\n"
			continue
		case keyNumber(key, "net") >= 0 && c.flag("unique"):
			text = macAddress.ReplaceAllStringFunc(text, func(string) string { return s.randomMAC() })
		case key == "smbios1" && c.flag("unique"):
			text = regexp.MustCompile(`uuid=[0-9a-fA-F-]+`).ReplaceAllString(text, "uuid="+uuid())
		case key == "vmgenid" && text != "0":
			text = uuid()
		}
		g.Values[key] = text
	}
	given := map[string]string{}
	for key, v := range c.sent {
		if !slices.Contains(onlyRestore, key) {
			given[key] = v.Text
		}
	}
	if text, ok := given["description"]; ok {
		g.Description = withNewline(text)
		delete(given, "description")
	}
	maps.Copy(g.Values, given)
}
