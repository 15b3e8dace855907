package pvesim

import (
	"errors"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{"POST /nodes/{node}/qemu/{vmid}/clone": vmClone})
}

// vmCloning is a copy that is being made of a machine.
type vmCloning struct {
	c    *call
	src  *guest
	sec  *conf.Section // that is copied
	full bool
	out  *guest
	made []*volume
}

// vmClone copies a machine. Source: PVE::API2::Qemu clone_vm.
func vmClone(c *call) (any, error) {
	src, err := c.vmFile()
	if err != nil {
		return nil, err
	}
	if err := c.s.needPool(c.str("pool")); err != nil {
		return nil, err
	}
	if target := c.str("target"); target != "" && c.s.node(target) == nil {
		return nil, die("no such cluster node '%s'", target)
	}
	if err := c.cloneStorage(); err != nil {
		return nil, err
	}
	if _, err := c.newVMCloning(src); err != nil {
		return nil, err
	}
	return c.fork("qmclone", strconv.Itoa(src.vmid), c.cloneVM), nil
}

// cloneVM is the worker. It shares the lock of a stopped source with other
// clones and waits no longer than a second for it.
func (c *call) cloneVM(t *task) error {
	node, vmid, newid := c.node.name, c.int("vmid"), c.int("newid")
	shared := !c.s.isRunning(vmid)
	return c.s.lockGuestFor(kindQEMU, vmid, shared, createLockWait, func() error {
		src, err := c.s.guest(kindQEMU, node, vmid)
		if err != nil {
			return err
		}
		cl, err := c.newVMCloning(src)
		if err != nil {
			return err
		}
		return c.s.lockGuestFor(kindQEMU, newid, false, createLockWait, func() error { return cl.work(t) })
	})
}

func (cl *vmCloning) work(t *task) error {
	c, newid := cl.c, cl.c.int("newid")
	t.log("creating a clone of VM %d with ID %d", cl.src.vmid, newid)
	if other := c.s.find(newid); other != nil {
		return die("close (rename) atomic file '/etc/pve/%s' failed: File exists", guestPath(cl.src.node, kindQEMU, newid))
	}
	if waiting := sortedKeys(cl.src.Pending.Values); len(waiting) > 0 && c.str("snapname") == "" {
		t.log("found pending changes for '%s', discarding for clone", strings.Join(waiting, ","))
	}
	err := cl.copyConfig()
	if err == nil {
		err = cl.copyDisks(t)
	}
	if err == nil {
		err = t.work()
	}
	if err != nil {
		for _, v := range cl.made {
			c.s.dropVol(v)
		}
		c.s.remove(guestPath(cl.src.node, kindQEMU, newid))
		c.s.removeFirewall(newid)
		if errors.Is(err, errStopped) {
			return die("clone failed: interrupted by signal")
		}
		return die("clone failed: %s", err)
	}
	return cl.finish()
}

// copyConfig writes all that is copied but the disks, under the lock "clone".
// Source: PVE::API2::Qemu clone_vm, $newconf.
func (cl *vmCloning) copyConfig() error {
	c := cl.c
	out := c.s.newGuest(kindQEMU, cl.src.node, c.int("newid"))
	out.Section = *snapshotCopy(cl.sec)
	out.Description = cl.sec.Description
	for _, key := range words("parent template runningmachine runningcpu running-nets-host-mtu") {
		delete(out.Values, key)
	}
	for _, d := range cl.disks() {
		delete(out.Values, d.key)
	}
	for _, key := range numbered(out.Values, "net") {
		net, err := c.s.table.Parse("qemu.net", out.Values[key], key)
		if err != nil {
			return err
		}
		delete(net, "macaddr")
		out.Values[key] = c.s.printNetKeys(net)
	}
	cl.rename(out)
	out.Values["lock"] = "clone"
	cl.out = out
	c.s.save(out)
	return nil
}

// rename gives the clone an identity of its own.
func (cl *vmCloning) rename(out *guest) {
	c := cl.c
	smbios, _ := c.s.table.Parse("pve-qm-smbios1", out.Values["smbios1"], "smbios1")
	if smbios == nil {
		smbios = map[string]string{}
	}
	smbios["uuid"] = uuid()
	out.Values["smbios1"] = c.s.table.Print("pve-qm-smbios1", smbios)
	if id := out.Values["vmgenid"]; id != "" && id != "0" {
		out.Values["vmgenid"] = uuid()
	}
	name := cl.sec.Values["name"]
	if name == "" {
		name = strconv.Itoa(cl.src.vmid)
	}
	out.Values["name"] = "Copy-of-VM-" + name
	if c.has("name") {
		out.Values["name"] = c.str("name")
	}
	if c.str("description") != "" {
		out.Description = vmDescription(c.str("description"))
	}
}

func (cl *vmCloning) copyDisks(t *task) error {
	s, newid := cl.c.s, cl.c.int("newid")
	texts := map[string]string{}
	for _, d := range cl.disks() {
		from := s.vol(cl.src.node, d.file)
		if from == nil {
			return die("volume '%s' does not exist", d.file)
		}
		var v *volume
		var err error
		if cl.full || cl.alwaysFull(d) {
			t.log("create full clone of drive %s (%s)", d.key, d.file)
			id := storageOf(d.file)
			if cl.c.has("storage") {
				id = cl.c.str("storage")
			}
			v, err = t.copyDisk(cl.src.node, id, newid, from, cl.c.str("format"))
		} else {
			t.log("create linked clone of drive %s (%s)", d.key, d.file)
			_, name, _ := splitVolid(d.file)
			v, err = s.linkedClone(cl.src.node, storageOf(d.file), name, newid, from.Size)
		}
		if err != nil {
			return err
		}
		cl.made = append(cl.made, v)
		d.file = v.ID
		d.keys["size"] = formatSize(v.Size)
		texts[d.key] = s.printDrive(d)
	}
	for key, text := range texts {
		cl.out.Values[key] = text
	}
	return nil
}

// finish takes the lock away, moves the clone to its node and puts it into
// its pool, which is the last thing that happens.
func (cl *vmCloning) finish() error {
	c, out := cl.c, cl.out
	if rules, ok := c.s.files["firewall/"+strconv.Itoa(cl.src.vmid)+".fw"]; ok {
		c.s.write("firewall/"+strconv.Itoa(out.vmid)+".fw", rules)
	}
	delete(out.Values, "lock")
	if target := c.str("target"); target != "" && target != out.node {
		c.s.remove(out.path())
		out.node = target
	}
	c.s.save(out)
	if pool := c.str("pool"); pool != "" {
		c.s.addToPool(out.vmid, pool)
	}
	return nil
}
