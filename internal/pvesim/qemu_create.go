package pvesim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() {
	routes(map[string]handler{"POST /nodes/{node}/qemu": vmCreate})
}

// onlyVMCreate are parameters that do not go into the configuration.
var onlyVMCreate = words("node vmid archive bwlimit force ha-managed import-working-storage live-restore pool start storage unique")

// vmCreation is a virtual machine that is being created.
type vmCreation struct {
	c      *call
	vmid   int
	plain  map[string]string
	drives []*drive
	g      *guest
}

// vmCreate checks everything, reserves the number and starts the worker.
// Source: PVE::API2::Qemu create_vm.
func vmCreate(c *call) (any, error) {
	if c.has("archive") {
		return vmRestore(c)
	}
	vmid := c.int("vmid")
	if err := c.mayCreateVM(vmid); err != nil {
		return nil, err
	}
	set := map[string]string{}
	for key, v := range c.params {
		if !slices.Contains(onlyVMCreate, key) {
			set[key] = v.Text
		}
	}
	normaliseVM(set)
	cr := &vmCreation{c: c, vmid: vmid, plain: set}
	if err := cr.check(set); err != nil {
		return nil, err
	}
	if err := c.s.unused(vmid); err != nil {
		return nil, die("unable to create VM %d - %s", vmid, err)
	}
	cr.g = c.s.newGuest(kindQEMU, c.node.name, vmid)
	c.s.reserve(cr.g)
	return c.fork("qmcreate", strconv.Itoa(vmid), cr.work), nil
}

// mayCreateVM holds the rights to create a machine at all.
func (c *call) mayCreateVM(vmid int) error {
	pool := c.str("pool")
	if err := checkSSHKeys(c.str("sshkeys")); err != nil {
		return err
	}
	if err := c.s.needPool(pool); err != nil {
		return err
	}
	if c.has("storage") {
		if err := c.need("/storage/"+c.str("storage"), "Datastore.AllocateSpace"); err != nil {
			return err
		}
	}
	if c.flag("ha-managed") {
		if err := c.need("/", "Sys.Console"); err != nil {
			return err
		}
	}
	if c.flag("start") {
		if err := c.needOwn(vmid, pool, "VM.PowerMgmt"); err != nil {
			return err
		}
	}
	if !c.may(vmPath(vmid), "VM.Allocate") && (pool == "" || !c.may("/pool/"+pool, "VM.Allocate")) {
		return &apiError{status: 403, message: "Permission check failed\n"}
	}
	return nil
}

func (cr *vmCreation) check(set map[string]string) error {
	c := cr.c
	drives, err := c.checkDrives(set)
	if err != nil {
		return err
	}
	cr.drives = drives
	if err := c.mayUseDrives(cr.vmid, drives); err != nil {
		return err
	}
	if err := c.mayUseUnused(cr.vmid, set); err != nil {
		return err
	}
	for _, d := range drives {
		delete(cr.plain, d.key)
	}
	if err := c.mayChangeVM(vmChange{vmid: cr.vmid, pool: c.str("pool"), set: cr.plain}); err != nil {
		return err
	}
	return c.s.checkVMValues(cr.plain, cr.plain)
}

// createLockWait is how long the workers of create and clone wait for the
// lock of the new machine.
const createLockWait = time.Second

func (cr *vmCreation) work(t *task) error {
	c := cr.c
	err := c.s.lockGuestFor(kindQEMU, cr.vmid, false, createLockWait, func() error { return cr.build(t) })
	if err != nil {
		c.s.remove(cr.g.path())
		c.s.removeFirewall(cr.vmid)
		return die("unable to create VM %d - %s", cr.vmid, err)
	}
	if pool := c.str("pool"); pool != "" {
		c.s.addToPool(cr.vmid, pool)
	}
	if c.flag("ha-managed") {
		t.log("Add as HA resource")
		c.s.haAdd(cr.g)
	}
	if c.flag("start") {
		t.log("Execute autostart")
		c.s.forkVMStart(c.s.node(cr.g.node), cr.vmid, c.user, false)
	}
	return nil
}

func (cr *vmCreation) build(t *task) error {
	s, g := cr.c.s, cr.g
	maker := &diskMaker{s: s, g: g, log: t.log}
	var err error
	for _, d := range cr.drives {
		if g.Values[d.key], err = maker.put(d); err != nil {
			break
		}
	}
	if err == nil {
		err = t.work()
	}
	if err == nil {
		err = cr.fill()
	}
	if err != nil {
		maker.undo()
		return err
	}
	s.save(g)
	return nil
}

// fill writes the plain keys and what is written without being asked for.
func (cr *vmCreation) fill() error {
	s, g := cr.c.s, cr.g
	for key, text := range cr.plain {
		switch {
		case key == "description":
			g.Description = vmDescription(text)
			continue
		case keyNumber(key, "net") >= 0:
			net, err := s.printVMNet(key, text)
			if err != nil {
				return err
			}
			text = net
		case key == "tags":
			text = s.uniqueTags(text)
		}
		if err := oneLine(key, text); err != nil {
			return err
		}
		g.Values[key] = text
	}
	if err := s.pinWindows(g); err != nil {
		return err
	}
	g.Values["meta"] = fmt.Sprintf("creation-qemu=%s,ctime=%d", qemuVersion, s.now().Unix())
	if !strings.Contains(g.Values["smbios1"], "uuid=") {
		g.Values["smbios1"] = strings.TrimSuffix("uuid="+uuid()+","+g.Values["smbios1"], ",")
	}
	switch {
	case g.Values["vmgenid"] == "0":
		delete(g.Values, "vmgenid")
	case g.Values["vmgenid"] == "" && g.Values["arch"] != "aarch64":
		g.Values["vmgenid"] = uuid()
	}
	if !g.isSet("boot") {
		g.Values["boot"] = s.defaultBoot(g.Values)
	}
	return nil
}
