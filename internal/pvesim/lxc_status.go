package pvesim

import (
	"strconv"
	"time"
)

func init() {
	routes(map[string]handler{
		"POST /nodes/{node}/lxc/{vmid}/status/start":    lxcStart,
		"POST /nodes/{node}/lxc/{vmid}/status/stop":     lxcStop,
		"POST /nodes/{node}/lxc/{vmid}/status/shutdown": lxcShutdown,
		"POST /nodes/{node}/lxc/{vmid}/status/reboot":   lxcReboot,
		"POST /nodes/{node}/lxc/{vmid}/status/suspend":  lxcSuspend,
		"POST /nodes/{node}/lxc/{vmid}/status/resume":   lxcResume,
	})
}

// skipLock tells whether locks are to be ignored, which only root@pam may ask for.
func (c *call) skipLock() (bool, error) {
	if c.has("skiplock") && !c.user.root() {
		return false, wrong("skiplock", "Only root may use this option.")
	}
	return c.flag("skiplock"), nil
}

// lxcStart starts a container. Source: PVE::API2::LXC::Status vm_start.
func lxcStart(c *call) (any, error) {
	skip, err := c.skipLock()
	if err != nil {
		return nil, err
	}
	vmid := c.int("vmid")
	if c.s.isRunning(vmid) {
		return nil, die("CT %d already running", vmid)
	}
	node := c.node
	if g, err := c.container(); err == nil && c.s.haManaged(g) {
		return c.fork("hastart", strconv.Itoa(vmid), func(t *task) error {
			t.log("Requesting HA start for CT %d", vmid)
			c.s.haSet(g, "started")
			if c.s.haRuns() {
				c.s.forkStart(node, vmid, identity{"root@pam"}, false)
			}
			return nil
		}), nil
	}
	return c.s.forkStart(node, vmid, c.user, skip), nil
}

// startContainer starts a container that was just made.
func (c *call) startContainer(g *guest) { c.s.forkStart(c.s.node(g.node), g.vmid, c.user, false) }

func (s *Server) forkStart(n *node, vmid int, user identity, skipLock bool) string {
	return s.fork(n, "vzstart", strconv.Itoa(vmid), user, func(t *task) error {
		return s.lockGuest(kindLXC, vmid, func() error {
			g, err := s.guest(kindLXC, n.name, vmid)
			if err != nil {
				return err
			}
			if err := g.checkLock(); err != nil && !skipLock {
				return err
			}
			if g.template() {
				return die("you can't start a CT if it's a template")
			}
			s.applyPending(g, nil, false)
			s.save(g)
			if err := s.lxcRunnable(g); err != nil {
				return err
			}
			if err := s.volumesExist(g); err != nil {
				return err
			}
			if root := s.mount(kindLXC, "rootfs", g.Values["rootfs"]); root != nil {
				if v := s.vol(g.node, root.volid); v != nil {
					t.warnSystemd(g, v.Systemd)
				}
			}
			if err := t.work(); err != nil {
				return err
			}
			s.setRunning(vmid, true)
			return nil
		})
	})
}

// volumesExist refuses to start a container whose volumes are gone.
func (s *Server) volumesExist(g *guest) error {
	for _, m := range s.mounts(kindLXC, &g.Section, "rootfs", "mp") {
		if m.kind != mountVolume {
			continue
		}
		id, name, err := splitVolid(m.volid)
		if err != nil {
			return err
		}
		st, err := s.usable(id, g.node)
		if err != nil {
			return err
		}
		if _, err := st.parseVolname(name); err != nil {
			return err
		}
		if s.vol(g.node, m.volid) == nil {
			return die("volume '%s' does not exist", m.volid)
		}
	}
	return nil
}

// stopped notes that a container has stopped; its pending changes are
// applied by the hook that runs then.
func (s *Server) stopped(node string, vmid int) {
	s.setRunning(vmid, false)
	g, err := s.guest(kindLXC, node, vmid)
	if err != nil || len(g.Pending.Values) == 0 {
		return
	}
	s.applyPending(g, nil, false)
	s.save(g)
}

func lxcStop(c *call) (any, error) {
	skip, err := c.skipLock()
	if err != nil {
		return nil, err
	}
	vmid := c.int("vmid")
	if !c.s.isRunning(vmid) {
		return nil, die("CT %d not running", vmid)
	}
	if g, err := c.container(); err == nil && c.s.haManaged(g) {
		return c.haStopContainer(vmid, g, 0), nil
	}
	if c.flag("overrule-shutdown") {
		c.s.abortShutdowns("vzshutdown", vmid)
	}
	return c.fork("vzstop", strconv.Itoa(vmid), func(t *task) error { return c.s.halt(t, vmid, skip, 0) }), nil
}

// haStopContainer asks the manager of high availability to stop a container.
// Its task ends when that is asked for, not when it is done.
func (c *call) haStopContainer(vmid int, g *guest, timeout time.Duration) string {
	return c.fork("hastop", strconv.Itoa(vmid), func(t *task) error {
		t.log("Requesting HA stop for CT %d", vmid)
		c.s.haSet(g, "stopped")
		if c.s.haRuns() {
			c.s.fork(c.node, "vzstop", strconv.Itoa(vmid), identity{"root@pam"}, func(t *task) error {
				return c.s.halt(t, vmid, false, timeout)
			})
		}
		return nil
	})
}

// abortShutdowns stops the tasks of a type that wait for a guest to stop.
func (s *Server) abortShutdowns(kind string, vmid int) {
	for _, t := range s.tasks {
		if t.kind == kind && t.id == strconv.Itoa(vmid) && !t.done {
			t.stopped = true
		}
	}
	s.cond.Broadcast()
}

// halt stops a container; a guest that ignores shutdowns is waited for until
// the timeout, if one is given.
func (s *Server) halt(t *task, vmid int, skipLock bool, timeout time.Duration) error {
	return s.lockGuest(kindLXC, vmid, func() error {
		g, err := s.guest(kindLXC, t.node, vmid)
		if err != nil {
			return err
		}
		if err := g.checkLock(); err != nil && !skipLock {
			return err
		}
		if timeout > 0 && s.knobs.stubborn[vmid] {
			if err := t.pass(timeout); err != nil {
				return err
			}
			return die("container did not stop")
		}
		if err := t.work(); err != nil {
			return err
		}
		s.stopped(t.node, vmid)
		return nil
	})
}

// lxcShutdown asks a container to stop, for at most timeout seconds.
func lxcShutdown(c *call) (any, error) {
	vmid := c.int("vmid")
	if !c.s.isRunning(vmid) {
		return nil, die("CT %d not running", vmid)
	}
	timeout := 60 * time.Second
	if c.has("timeout") {
		timeout = time.Duration(c.int("timeout")) * time.Second
	}
	if g, err := c.container(); err == nil && c.s.haManaged(g) {
		return c.haStopContainer(vmid, g, max(timeout, time.Nanosecond)), nil
	}
	return c.fork("vzshutdown", strconv.Itoa(vmid), func(t *task) error {
		err := c.s.halt(t, vmid, false, max(timeout, time.Nanosecond))
		if err != nil && c.flag("forceStop") && c.s.isRunning(vmid) {
			return c.s.halt(t, vmid, false, 0)
		}
		return err
	}), nil
}

func lxcReboot(c *call) (any, error) {
	vmid := c.int("vmid")
	if !c.s.isRunning(vmid) {
		return nil, die("VM %d not running", vmid)
	}
	return c.fork("vzreboot", strconv.Itoa(vmid), func(t *task) error {
		if err := c.s.halt(t, vmid, false, 0); err != nil {
			return err
		}
		c.s.setRunning(vmid, true)
		return nil
	}), nil
}

func lxcSuspend(c *call) (any, error) {
	vmid := c.int("vmid")
	if !c.s.isRunning(vmid) {
		return nil, die("CT %d not running", vmid)
	}
	return c.fork("vzsuspend", strconv.Itoa(vmid), func(t *task) error {
		t.log("lxc-checkpoint: %d: ../src/lxc/criu.c: criu_version_ok: 767 No such file or directory - execing criu failed, is it installed?", vmid)
		t.log("lxc-checkpoint: %d: ../src/lxc/tools/lxc_checkpoint.c: checkpoint: 182 Checkpointing %d failed", vmid, vmid)
		return die("command 'lxc-checkpoint -n %d -s -D /var/lib/vz/dump' failed: exit code 1", vmid)
	}), nil
}

func lxcResume(c *call) (any, error) {
	vmid := c.int("vmid")
	return c.fork("vzresume", strconv.Itoa(vmid), func(*task) error {
		return die("command 'lxc-checkpoint -n %d -r --foreground -D /var/lib/vz/dump' failed: exit code 1", vmid)
	}), nil
}
