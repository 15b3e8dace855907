package pvesim

import (
	"strconv"
)

// vmStart starts a machine. Source: PVE::API2::Qemu vm_start.
func vmStart(c *call) (any, error) {
	err := c.rootOnly("skiplock", "migratedfrom", "migration_type", "migration_network", "stateuri", "targetstorage", "force-cpu")
	if err != nil {
		return nil, err
	}
	vmid := c.int("vmid")
	if g, err := c.vm(); err == nil && c.s.haManaged(g) {
		return c.fork("hastart", strconv.Itoa(vmid), func(t *task) error {
			t.log("Requesting HA start for VM %d", vmid)
			c.s.haSet(g, "started")
			if c.s.haRuns() {
				c.s.forkVMStart(c.node, vmid, identity{"root@pam"}, false)
			}
			return nil
		}), nil
	}
	return c.s.forkVMStart(c.node, vmid, c.user, c.flag("skiplock")), nil
}

func (s *Server) forkVMStart(n *node, vmid int, user identity, skipLock bool) string {
	return s.fork(n, "qmstart", strconv.Itoa(vmid), user, func(t *task) error {
		return s.lockGuest(kindQEMU, vmid, func() error {
			g, err := s.guest(kindQEMU, n.name, vmid)
			if err != nil {
				return err
			}
			if g.template() {
				return die("you can't start a vm if it's a template")
			}
			suspended := g.Values["lock"] == "suspended"
			if err := g.checkLock(); err != nil && !skipLock && !suspended {
				return err
			}
			if s.isRunning(vmid) {
				return die("VM %d already running", vmid)
			}
			return s.startVM(t, g, suspended)
		})
	})
}

// startVM is what happens from here on with a machine that may start.
// Source: PVE::QemuServer vm_start_nolock.
func (s *Server) startVM(t *task, g *guest, suspended bool) error {
	if suspended {
		s.dropState(g)
	} else if errs := s.applyVMPending(g, nil); len(errs) > 0 {
		t.log("%v", errs)
	}
	if s.cloudinitDrive(&g.Section) != nil {
		t.log("generating cloud-init ISO")
		g.cloudinitDone()
	}
	s.save(g)
	if err := s.vmRunnable(t, g); err != nil {
		return err
	}
	if err := t.work(); err != nil {
		return err
	}
	delete(s.vms.paused, g.vmid)
	s.setRunning(g.vmid, true)
	return nil
}

// dropState forgets the memory that a machine was suspended with.
func (s *Server) dropState(g *guest) {
	if volid := g.Values["vmstate"]; volid != "" {
		_ = s.free(g.node, volid)
	}
	for _, key := range words("vmstate runningmachine runningcpu running-nets-host-mtu lock") {
		delete(g.Values, key)
	}
}

// vmRunnable refuses to start what QEMU would not start.
func (s *Server) vmRunnable(t *task, g *guest) error {
	if n := number(g.Values["sockets"], 1) * number(g.Values["cores"], 1); n > s.cpus() {
		return die("MAX %d vcpus allowed per VM on this node", s.cpus())
	}
	for _, d := range s.drives(&g.Section) {
		if !d.hasVolume() {
			continue
		}
		id, _, err := splitVolid(d.file)
		if err != nil {
			return err
		}
		if _, err := s.usable(id, g.node); err != nil {
			return err
		}
		if s.vol(g.node, d.file) == nil {
			return die("volume '%s' does not exist", d.file)
		}
		if d.keys["iothread"] == "1" && bus(d.key) == "scsi" && g.Values["scsihw"] != "virtio-scsi-single" {
			t.warn("iothread is only valid with virtio disk or virtio-scsi-single controller, ignoring")
		}
	}
	for _, key := range numbered(g.Values, "net") {
		net, err := s.table.Parse("qemu.net", g.Values[key], key)
		if err == nil && net["bridge"] != "" && !s.hasBridge(net["bridge"]) {
			t.log("bridge '%s' does not exist", net["bridge"])
			t.log("kvm: -netdev type=tap,id=%s,ifname=tap%di%s: network script /usr/libexec/qemu-server/pve-bridge failed with status 512",
				key, g.vmid, key[len("net"):])
			return die("start failed: QEMU exited with code 1")
		}
	}
	return nil
}
