package pvesim

import (
	"slices"
	"strconv"
	"strings"
	"time"
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
	if g, err := c.vm(); err != nil {
		return nil, err
	} else if err := u.checkNow(g); err != nil {
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
	return u, c.mayUseUnused(g.vmid, set)
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

// checkNow holds what must be so when the change is made; a call that leaves
// the change to a worker looks before that too.
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
