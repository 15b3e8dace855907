package vm_test

import (
	"os"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// The example is applied twice: the second time there is nothing to do, and no
// volume is made by it.
func TestTheExampleIsAppliedTwice(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	sim.AddVolume("pve1", "local:import/debian-13-generic-amd64.qcow2", 3*gib)
	sim.AddVolume("pve1", "local:iso/debian-13.1.0-amd64-netinst.iso", gib)
	text, err := os.ReadFile("../../../examples/resources/proxmox_vm/resource.tf")
	if err != nil {
		t.Fatal(err)
	}
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim, `vmid_range = "5000-8999"`, `default_node = "pve1"`) + string(text))
	w.Must("apply", "-auto-approve")
	made := len(sim.Volumes("pve1"))
	if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
		t.Errorf("the plan after the apply is not empty:\n%s", r.Out)
	}
	sim.ResetRequests()
	w.Must("apply", "-auto-approve")
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("the second apply wrote: %q", writes)
	}
	if now := len(sim.Volumes("pve1")); now != made {
		t.Errorf("%d volumes after the first apply, %d after the second", made, now)
	}
}
