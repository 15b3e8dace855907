package pvesim

import (
	"strconv"
	"time"
)

func init() {
	base := "POST /nodes/{node}/qemu/{vmid}/status/"
	routes(map[string]handler{
		base + "start":    vmStart,
		base + "stop":     vmStop,
		base + "shutdown": vmShutdown,
		base + "reboot":   vmReboot,
		base + "reset":    vmReset,
		base + "suspend":  vmSuspend,
		base + "resume":   vmResume,

		"PUT /nodes/{node}/qemu/{vmid}/sendkey":  vmSendKey,
		"POST /nodes/{node}/qemu/{vmid}/monitor": vmMonitor,
	})
}

// rootOnly refuses parameters that are kept for root@pam.
func (c *call) rootOnly(names ...string) error {
	for _, name := range names {
		if c.has(name) && !c.user.root() {
			return wrong(name, "Only root may use this option.")
		}
	}
	return nil
}

// vmFile is the machine that a call names, in the words of those calls that
// look for the file instead of reading it.
func (c *call) vmFile() (*guest, error) {
	g, err := c.vm()
	if err != nil {
		return nil, die("unable to find configuration file for VM %d on node '%s'", c.int("vmid"), c.node.name)
	}
	return g, nil
}

// vmTask runs f in a worker under the lock of the machine, which is read
// when the worker begins.
func (c *call) vmTask(kind string, f func(t *task, g *guest) error) string {
	node, vmid := c.node.name, c.int("vmid")
	return c.fork(kind, strconv.Itoa(vmid), func(t *task) error {
		return c.s.lockGuest(kindQEMU, vmid, func() error {
			g, err := c.s.guest(kindQEMU, node, vmid)
			if err != nil {
				return err
			}
			return f(t, g)
		})
	})
}

// stoppedVM notes that a machine has been stopped by a call: its pending
// changes are applied then. Source: PVE::QemuServer vm_stop_cleanup.
func (s *Server) stoppedVM(g *guest) {
	s.setRunning(g.vmid, false)
	delete(s.vms.paused, g.vmid)
	if g.reload(s) != nil || len(g.Pending.Values) == 0 {
		return
	}
	s.applyVMPending(g, nil)
	s.save(g)
}

func vmStop(c *call) (any, error) {
	if err := c.rootOnly("skiplock", "keepActive", "migratedfrom"); err != nil {
		return nil, err
	}
	vmid := c.int("vmid")
	g, err := c.vm()
	if err == nil && c.s.haManaged(g) {
		if c.flag("overrule-shutdown") {
			return nil, wrong("overrule-shutdown", "not applicable for HA resources")
		}
		return c.haStop(g), nil
	}
	if c.flag("overrule-shutdown") {
		c.s.abortShutdowns("qmshutdown", vmid)
	}
	return c.fork("qmstop", strconv.Itoa(vmid), func(t *task) error { return c.haltVM(t, vmid, false, 0) }), nil
}

// haStop asks the manager of high availability to stop a machine.
func (c *call) haStop(g *guest) string {
	return c.fork("hastop", strconv.Itoa(g.vmid), func(t *task) error {
		t.log("Requesting HA stop for VM %d", g.vmid)
		c.s.haSet(g, "stopped")
		if !c.s.haRuns() {
			return nil
		}
		return c.haltVM(t, g.vmid, false, 0)
	})
}

// haltVM stops a machine; one that ignores shutdowns is waited for until the
// timeout, if one is given, and then killed if force says so.
func (c *call) haltVM(t *task, vmid int, force bool, timeout time.Duration) error {
	return c.s.lockGuest(kindQEMU, vmid, func() error {
		g, err := c.s.guest(kindQEMU, t.node, vmid)
		if err != nil {
			return die("unable to find configuration file for VM %d on node '%s'", vmid, t.node)
		}
		if !c.s.isRunning(vmid) {
			return nil
		}
		if err := g.checkLock(); err != nil && !c.flag("skiplock") {
			return err
		}
		if timeout > 0 && c.s.agentEnabled(g) && c.s.vms.agents[vmid] == nil {
			t.log("QEMU Guest Agent is not running - VM %d qga command 'guest-ping' failed - got timeout", vmid)
		}
		if timeout > 0 && c.s.knobs.stubborn[vmid] {
			if err := t.pass(timeout); err != nil {
				return err
			}
			if !force {
				return die("VM quit/powerdown failed - got timeout")
			}
			t.log("VM still running - terminating now with SIGTERM")
		}
		if err := t.work(); err != nil {
			return err
		}
		c.s.stoppedVM(g)
		return nil
	})
}

// shutdownTime is how long a shutdown waits: as asked for, else what startup
// says, else a minute.
func (c *call) shutdownTime(g *guest) time.Duration {
	seconds := 60
	for _, part := range splitList(g.Values["startup"]) {
		if len(part) > 5 && part[:5] == "down=" {
			seconds = number(part[5:], seconds)
		}
	}
	if c.has("timeout") {
		seconds = c.int("timeout")
	}
	return max(time.Duration(seconds)*time.Second, time.Nanosecond)
}

func vmShutdown(c *call) (any, error) {
	if err := c.rootOnly("skiplock", "keepActive"); err != nil {
		return nil, err
	}
	vmid := c.int("vmid")
	g, err := c.vm()
	timeout := time.Minute
	if err == nil {
		timeout = c.shutdownTime(g)
		if c.s.haManaged(g) {
			return c.haStop(g), nil
		}
	}
	if c.s.vms.paused[vmid] {
		if !c.flag("forceStop") {
			return nil, die("VM is paused - cannot shutdown")
		}
		timeout = 0
	}
	return c.fork("qmshutdown", strconv.Itoa(vmid), func(t *task) error {
		return c.haltVM(t, vmid, c.flag("forceStop"), timeout)
	}), nil
}

// vmReboot stops a machine; what cleans up after it starts it again, in a
// task of root@pam. Source: PVE::QemuServer vm_reboot.
func vmReboot(c *call) (any, error) {
	vmid := c.int("vmid")
	g, err := c.vmFile()
	if err != nil {
		return nil, err
	}
	switch {
	case c.s.vms.paused[vmid]:
		return nil, die("VM is paused - cannot shutdown")
	case !c.s.isRunning(vmid):
		return nil, die("VM %d not running", vmid)
	}
	timeout := c.shutdownTime(g)
	return c.fork("qmreboot", strconv.Itoa(vmid), func(t *task) error {
		if err := c.haltVM(t, vmid, false, timeout); err != nil {
			return err
		}
		c.s.forkVMStart(c.node, vmid, identity{"root@pam"}, false)
		return nil
	}), nil
}

// needRunningVM refuses a machine that does not run.
func (c *call) needRunningVM() error {
	if err := c.rootOnly("skiplock"); err != nil {
		return err
	}
	g, err := c.vmFile()
	if err == nil && !c.s.isRunning(g.vmid) {
		return die("VM %d not running", g.vmid)
	}
	return err
}

func vmReset(c *call) (any, error) {
	if err := c.needRunningVM(); err != nil {
		return nil, err
	}
	return c.vmTask("qmreset", func(t *task, g *guest) error { return g.checkLock() }), nil
}

func vmSuspend(c *call) (any, error) {
	if err := c.needRunningVM(); err != nil {
		return nil, err
	}
	if !c.flag("todisk") {
		return c.vmTask("qmpause", func(t *task, g *guest) error {
			if err := g.checkLock(); err != nil {
				return err
			}
			c.s.vms.paused[g.vmid] = true
			return nil
		}), nil
	}
	if err := c.need(vmPath(c.int("vmid")), "VM.Config.Disk"); err != nil {
		return nil, err
	}
	return c.vmTask("qmsuspend", func(t *task, g *guest) error {
		if err := g.checkLock(); err != nil {
			return err
		}
		v, err := c.s.allocState(g, "suspend-"+c.s.now().Format("2006-01-02"), c.str("statestorage"))
		if err != nil {
			return err
		}
		g.Values["vmstate"], g.Values["lock"] = v.ID, "suspended"
		g.Values["runningmachine"] = c.s.runningMachine(g)
		c.s.save(g)
		c.s.setRunning(g.vmid, false)
		return nil
	}), nil
}

func vmResume(c *call) (any, error) {
	if err := c.needRunningVM(); err != nil {
		return nil, err
	}
	return c.vmTask("qmresume", func(t *task, g *guest) error {
		if err := g.checkLock(); err != nil {
			return err
		}
		delete(c.s.vms.paused, g.vmid)
		return nil
	}), nil
}

func vmSendKey(c *call) (any, error) {
	return nil, c.needRunningVM()
}

func vmMonitor(c *call) (any, error) {
	vmid := c.int("vmid")
	if !c.s.isRunning(vmid) {
		return "ERROR: VM " + strconv.Itoa(vmid) + " not running\n", nil
	}
	return "", nil
}
