package pvesim_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// TestManyClients lets clients work on guests of their own and on one they
// share, all at once; with -race it shows that the state is guarded.
func TestManyClients(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{Workers: 4})
	c.create("100")
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			vmid := fmt.Sprint(200 + i)
			c.create(vmid, "hostname=ct"+vmid)
			c.must("PUT", "/nodes/pve1/lxc/100/config", fmt.Sprintf("net%d=name=eth%d,bridge=vmbr0", i, i))
			c.exit(c.must("PUT", "/nodes/pve1/lxc/"+vmid+"/resize", "disk=rootfs", "size=+1G"))
			c.must("GET", "/cluster/resources")
			c.exit(c.must("DELETE", "/nodes/pve1/lxc/"+vmid))
		})
	}
	wg.Wait()
	got := c.config("100")
	for i := range 12 {
		if got[fmt.Sprintf("net%d", i)] == nil {
			t.Errorf("net%d was lost", i)
		}
	}
	if n := len(c.sim.Volumes("pve1")); n != 3 {
		t.Errorf("%d volumes are left, want the two templates and a root disk", n)
	}
}

// TestTwoClientsOneNumber: the cluster is the arbiter.
func TestTwoClientsOneNumber(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	won := make(chan bool, 8)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			a, err := c.send("POST", "/nodes/pve1/lxc", "vmid=300", "ostemplate="+template, "storage=local-lvm")
			won <- err == nil && a.Status == 200
		})
	}
	wg.Wait()
	close(won)
	winners := 0
	for ok := range won {
		if ok {
			winners++
		}
	}
	if winners != 1 {
		t.Errorf("%d clients got the number", winners)
	}
}
