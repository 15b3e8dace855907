package pvesim

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/crypt"
)

func init() {
	routes(map[string]handler{
		"PUT /nodes/{node}/qemu/{vmid}/config":  vmUpdateSync,
		"POST /nodes/{node}/qemu/{vmid}/config": vmUpdateAsync,
		"PUT /nodes/{node}/qemu/{vmid}/unlink":  vmUnlink,
	})
}

// onlyVMUpdate are parameters that are no keys of the configuration.
var onlyVMUpdate = words("node vmid digest delete revert force skiplock background_delay import-working-storage idlist")

// vmUpdate is a wish to change the configuration of a machine.
type vmUpdate struct {
	c      *call
	set    map[string]string
	drives map[string]*drive
	del    []string
	revert []string
	force  bool
	log    func(string, ...any)
}

// vmUpdateSync changes the configuration before it answers.
func vmUpdateSync(c *call) (any, error) {
	u, err := c.newVMUpdate()
	if err != nil {
		return nil, err
	}
	return nil, c.s.lockGuest(kindQEMU, c.int("vmid"), func() error {
		if u.allocates() {
			c.s.sleep(c.s.opts.TaskTime) // which is what a worker would take for it
		}
		return u.run()
	})
}

// allocates tells whether a new volume is to be made.
func (u *vmUpdate) allocates() bool {
	for _, d := range u.drives {
		if newDrive.MatchString(d.file) || strings.HasSuffix(d.file, ":cloudinit") {
			return true
		}
	}
	return false
}

// vmUpdateAsync leaves the change to a worker, for whose end it may wait a
// while. Source: PVE::API2::Qemu update_vm_api.
func vmUpdateAsync(c *call) (any, error) {
	u, err := c.newVMUpdate()
	if err != nil {
		return nil, err
	}
	vmid := c.int("vmid")
	upid := c.fork("qmconfig", strconv.Itoa(vmid), func(t *task) error {
		u.log = t.log
		return c.s.lockGuest(kindQEMU, vmid, func() error {
			if err := t.work(); err != nil {
				return err
			}
			return u.run()
		})
	})
	if !c.has("background_delay") {
		return upid, nil
	}
	exit, done := c.s.awaitFor(upid, time.Duration(c.int("background_delay"))*time.Second)
	switch {
	case !done:
		return upid, nil
	case exit != "OK":
		return nil, die("failed to update VM %d: %s", vmid, exit)
	}
	return nil, nil
}

// awaitFor waits for the end of a task, at most for d.
func (s *Server) awaitFor(upid string, d time.Duration) (exit string, done bool) {
	t := s.task(upid)
	deadline := time.Now().Add(d)
	timer := time.AfterFunc(d, s.cond.Broadcast)
	defer timer.Stop()
	for !t.done && !s.closed && time.Now().Before(deadline) {
		s.cond.Wait()
	}
	return t.exit, t.done
}

// vmUnlink is a change that only deletes drives.
func vmUnlink(c *call) (any, error) {
	u, err := c.newUpdate(nil, splitList(c.str("idlist")), nil)
	if err != nil {
		return nil, err
	}
	return nil, c.s.lockGuest(kindQEMU, c.int("vmid"), u.run)
}

func (c *call) newVMUpdate() (*vmUpdate, error) {
	if err := c.rootOnly("skiplock"); err != nil {
		return nil, err
	}
	set := map[string]string{}
	for key, v := range c.params {
		if !slices.Contains(onlyVMUpdate, key) {
			set[key] = v.Text
		}
	}
	if len(set) == 0 && !c.has("delete") && !c.has("revert") {
		return nil, die("no options specified")
	}
	if err := checkSSHKeys(set["sshkeys"]); err != nil {
		return nil, err
	}
	return c.newUpdate(set, splitList(c.str("delete")), splitList(c.str("revert")))
}

// newUpdate checks everything that can be checked before the lock is taken.
func (c *call) newUpdate(set map[string]string, del, revert []string) (*vmUpdate, error) {
	smp := set["smp"] != ""
	normaliseVM(set)
	for i, key := range del {
		if key == "cdrom" {
			del[i] = "ide2"
		}
	}
	if smp {
		del = append(del, "cores")
	}
	u := &vmUpdate{c: c, set: set, del: del, revert: revert, force: c.flag("force"), drives: map[string]*drive{}, log: func(string, ...any) {}}
	if err := u.checkLists(); err != nil {
		return nil, err
	}
	drives, err := c.checkDrives(set)
	if err != nil {
		return nil, err
	}
	for _, d := range drives {
		u.drives[d.key] = d
	}
	if err := u.normalise(); err != nil {
		return nil, err
	}
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	if err := c.mayChangeVM(vmChange{vmid: g.vmid, old: g.merged().Values, set: set, del: del}); err != nil {
		return nil, err
	}
	if err := c.mayUseDrives(g.vmid, drives); err != nil {
		return nil, err
	}
	return u, u.checkNow(g)
}

// checkLists refuses keys that nobody knows or that are used twice.
func (u *vmUpdate) checkLists() error {
	known := u.c.s.table.Group("qemu-config")
	for _, key := range u.revert {
		if known[key] == nil {
			return wrong("revert", "unknown option '%s'", key)
		}
		if _, both := u.set[key]; both {
			return wrong("revert", "you can't use '-%s' and '-revert %s' at the same time", key, key)
		}
	}
	for _, key := range u.del {
		if _, both := u.set[key]; both {
			return wrong("delete", "you can't use '-%s' and -delete %s' at the same time", key, key)
		}
		if slices.Contains(u.revert, key) {
			return wrong("delete", "you can't use '-delete %s' and '-revert %s' at the same time", key, key)
		}
		if known[key] == nil && key != "vmstate" {
			return wrong("delete", "unknown option '%s'", key)
		}
	}
	return nil
}

// hashedPassword finds passwords that are stored as they are.
var hashedPassword = regexp.MustCompile(`^\$(?:1|5|6|2a|2y)\$`)

// normalise rewrites values to the form in which they are stored.
func (u *vmUpdate) normalise() error {
	s := u.c.s
	for _, key := range sortedKeys(u.set) {
		text := u.set[key]
		switch {
		case keyNumber(key, "net") >= 0:
			net, err := s.printVMNet(key, text)
			if err != nil {
				return err
			}
			u.set[key] = net
		case key == "tags":
			u.set[key] = s.uniqueTags(text)
		case key == "hookscript":
			if s.vol(u.c.node.name, text) == nil {
				return wrong(key, "script '%s' does not exist\n", text)
			}
		}
	}
	return nil
}

// checkNow holds what must be so both when the call comes in and when the
// lock is there.
func (u *vmUpdate) checkNow(g *guest) error {
	if err := g.checkDigest(u.c.str("digest")); err != nil {
		return err
	}
	if err := g.checkLock(); err != nil && !u.c.flag("skiplock") && !u.dropsState(g) {
		return err
	}
	all := g.merged().Values
	for key, text := range u.set {
		all[key] = text
	}
	for _, key := range u.del {
		delete(all, key)
	}
	return u.c.s.checkVMValues(u.set, all)
}

// dropsState tells whether all that is asked is to forget the memory of a
// suspended machine.
func (u *vmUpdate) dropsState(g *guest) bool {
	return g.Values["lock"] == "suspended" && slices.Contains(u.del, "vmstate")
}

// run makes the change: deletions in their order, then the rest one after
// the other, each written at once. An error leaves what was done before it.
func (u *vmUpdate) run() error {
	s := u.c.s
	g, err := u.c.vm()
	if err != nil {
		return err
	}
	if err := u.checkNow(g); err != nil {
		return err
	}
	u.logWish(g.vmid)
	modified := map[string]bool{}
	u.revertKeys(g)
	for _, key := range u.del {
		if err := u.deleteKey(g, key, modified); err != nil {
			return err
		}
		s.save(g)
	}
	u.dropFromBoot(g, modified)
	for _, key := range setOrder(u.set) {
		if err := u.setKey(g, key); err != nil {
			return err
		}
		modified[key] = true
		s.save(g)
	}
	u.addToBoot(g, modified)
	if err := u.pin(g, modified); err != nil {
		return err
	}
	g.cleanPending()
	s.save(g)
	errs := map[string]string{}
	if s.isRunning(g.vmid) {
		errs = s.hotplugVM(g, modified)
	} else {
		errs = s.applyVMPending(g, errs)
	}
	s.save(g)
	if len(errs) > 0 {
		return wrongParams(errs)
	}
	return nil
}

// setOrder is the order in which keys are set. Proxmox has none; here boot is
// the last, so that it finds the devices.
func setOrder(set map[string]string) []string {
	keys := sortedKeys(set)
	if i := slices.Index(keys, "boot"); i >= 0 {
		keys = append(slices.Delete(keys, i, i+1), "boot")
	}
	return keys
}

// logWish writes the first line of the worker's log.
func (u *vmUpdate) logWish(vmid int) {
	line := "update VM " + strconv.Itoa(vmid) + ":"
	for _, key := range sortedKeys(u.c.sent) {
		text := u.c.str(key)
		switch {
		case slices.Contains(words("digest background_delay skiplock force"), key):
			continue
		case key == "cipassword":
			text = "<hidden>"
		}
		line += " -" + key + " " + text
	}
	u.log("%s", line)
}

// revertKeys takes back what is pending.
func (u *vmUpdate) revertKeys(g *guest) {
	deleted := g.pendingDelete()
	for _, key := range u.revert {
		if text, ok := g.Pending.Values[key]; ok && isDrive(key) {
			if d := u.c.s.parseDrive(key, text); d != nil {
				u.c.s.detach(g, d)
			}
		}
		delete(g.Pending.Values, key)
		delete(deleted, key)
	}
	g.setPendingDelete(deleted)
}

// deleteKey notes that a key is to go, or frees an unused volume.
func (u *vmUpdate) deleteKey(g *guest, key string, modified map[string]bool) error {
	s := u.c.s
	pending, waits := g.Pending.Values[key]
	if !g.isSet(key) && !waits {
		u.log("cannot delete '%s' - not set in current configuration!", key)
		return nil
	}
	modified[key] = true
	switch {
	case key == "vmstate":
		s.dropState(g)
		return nil
	case isUnused(key):
		return u.freeUnused(g, key)
	case isDrive(key):
		if err := g.checkProtection("can't remove drive '%s'", key); err != nil {
			return err
		}
		if err := u.c.mayDetach(g, s.parseDrive(key, g.Values[key]), u.force); err != nil {
			return err
		}
		if d := s.parseDrive(key, pending); waits && d != nil {
			s.detach(g, d)
		}
	}
	deleted := g.pendingDelete()
	if g.isSet(key) {
		deleted[key] = u.force
	}
	delete(g.Pending.Values, key)
	g.setPendingDelete(deleted)
	return nil
}

// mayDetach checks the right to take a drive out of an existing machine.
func (c *call) mayDetach(g *guest, d *drive, force bool) error {
	privilege := "VM.Config.Disk"
	if d != nil && d.isCDROM() {
		privilege = "VM.Config.CDROM"
	}
	if err := c.need(vmPath(g.vmid), privilege); err != nil {
		return err
	}
	if d == nil || !force || d.isCDROM() || !d.hasVolume() {
		return nil
	}
	id, _, err := splitVolid(d.file)
	if err != nil {
		return err
	}
	return c.need("/storage/"+id, "Datastore.AllocateSpace")
}

// freeUnused frees an unused volume, which is done at once even while the
// machine runs.
func (u *vmUpdate) freeUnused(g *guest, key string) error {
	s, volid := u.c.s, g.Values[key]
	if err := g.checkProtection("can't remove unused disk '%s'", volid); err != nil {
		return err
	}
	if err := u.c.mayDetach(g, &drive{key: key, file: volid, keys: map[string]string{}}, true); err != nil {
		return err
	}
	if err := s.deallocate(g, key, volid); err != nil {
		return err
	}
	delete(g.Values, key)
	return nil
}

// setKey notes a new value; a new volume is made now.
func (u *vmUpdate) setKey(g *guest, key string) error {
	s, text := u.c.s, u.set[key]
	switch d := u.drives[key]; {
	case d != nil:
		if err := u.c.mayDetach(g, d, false); err != nil {
			return err
		}
		if old := s.parseDrive(key, g.Pending.Values[key]); old != nil && old.file != d.file {
			s.detach(g, old)
		}
		maker := &diskMaker{s: s, g: g, log: u.log}
		stored, err := maker.put(d)
		if err != nil {
			maker.undo()
			return err
		}
		text = stored
	case key == "boot":
		for _, device := range s.bootOrder(text) {
			_, now := g.Values[device]
			_, soon := g.Pending.Values[device]
			if !now && !soon || slices.Contains(u.del, device) {
				return die("invalid bootorder: device '%s' does not exist'", device)
			}
		}
	case key == "cipassword":
		if !hashedPassword.MatchString(text) && !isWindows(g.Values["ostype"]) {
			text = crypt.Make(text, strings.ReplaceAll(uuid(), "-", "")[:8])
		}
	case key == "description":
		g.Description = vmDescription(text) // never has to wait
		return nil
	}
	g.Pending.Values[key] = text
	deleted := g.pendingDelete()
	delete(deleted, key)
	g.setPendingDelete(deleted)
	return nil
}

// dropFromBoot takes devices that go out of the boot order.
func (u *vmUpdate) dropFromBoot(g *guest, modified map[string]bool) {
	u.changeBoot(g, modified, func(order []string) []string {
		return slices.DeleteFunc(order, func(device string) bool { return modified[device] && slices.Contains(u.del, device) })
	})
}

// addToBoot appends new CD-ROM drives to the boot order; disks are not.
func (u *vmUpdate) addToBoot(g *guest, modified map[string]bool) {
	if _, given := u.set["boot"]; given {
		return
	}
	u.changeBoot(g, modified, func(order []string) []string {
		for _, key := range sortedKeys(u.set) {
			if d := u.drives[key]; d != nil && d.isCDROM() && !d.isCloudinit() && !slices.Contains(order, key) {
				order = append(order, key)
			}
		}
		return order
	})
}

func (u *vmUpdate) changeBoot(g *guest, modified map[string]bool, f func([]string) []string) {
	order := u.c.s.bootOrder(g.merged().Values["boot"])
	after := f(slices.Clone(order))
	if len(order) > 0 && !slices.Equal(order, after) {
		g.Pending.Values["boot"] = printBootOrder(after)
		modified["boot"] = true
	}
}

// pin gives a machine a version when it becomes one that runs Windows.
func (u *vmUpdate) pin(g *guest, modified map[string]bool) error {
	if _, given := u.set["machine"]; given || !isWindows(u.set["ostype"]) {
		return nil
	}
	keys, err := u.c.s.table.Parse("qemu.machine", g.merged().Values["machine"], "machine")
	if err != nil {
		return die("%s", err)
	}
	keys["type"] = pinMachine(keys["type"])
	g.Pending.Values["machine"] = u.c.s.table.Print("qemu.machine", keys)
	modified["machine"] = true
	return nil
}
