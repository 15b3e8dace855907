package pvesim_test

import (
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

func TestMigrate(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.create("100")
	c.must("POST", "/nodes/pve1/lxc/100/status/start")
	c.sim.WaitTasks()
	c.refused("500 can't migrate running container without --online or --restart", "POST", "/nodes/pve1/lxc/100/migrate", "target=pve2")
	c.refused("500 no such cluster node 'pve9'", "POST", "/nodes/pve1/lxc/100/migrate", "target=pve9")
	if exit := c.exit(c.must("POST", "/nodes/pve1/lxc/100/migrate", "target=pve2", "restart=1")); exit != "OK" {
		t.Fatal(exit)
	}
	c.sim.WaitTasks()
	c.refused("500 Configuration file 'nodes/pve1/lxc/100.conf' does not exist", "GET", "/nodes/pve1/lxc/100/config")
	c.must("GET", "/nodes/pve2/lxc/100/config")
	if !c.sim.Running(100) {
		t.Error("the container was not started on the other node")
	}
	if here := strings.Join(c.sim.Volumes("pve1"), " "); strings.Contains(here, "vm-100-disk-0") {
		t.Errorf("the volume is still here: %s", here)
	}
	if there := strings.Join(c.sim.Volumes("pve2"), " "); !strings.Contains(there, "local-lvm:vm-100-disk-0") {
		t.Errorf("the volume is not there: %s", there)
	}
}

func TestMigrateWithABindMount(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.create("100")
	c.sim.EditConfig(100, func(text string) string { return text + "mp0: /srv,mp=/srv\n" })
	exit := c.exit(c.must("POST", "/nodes/pve1/lxc/100/migrate", "target=pve2"))
	if want := "migration aborted (duration 00:00:00): cannot migrate local bind mount point 'mp0'"; exit != want {
		t.Errorf("exit status %q, want %q", exit, want)
	}
	c.must("GET", "/nodes/pve1/lxc/100/config")
}
