package vm_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// applied are the lines of requests since the clone or create request.
func applied(sim *pvesim.Server) []string {
	lines := acctest.Lines(sim.Requests())
	for i, line := range lines {
		if strings.HasPrefix(line, "POST ") {
			return lines[i:]
		}
	}
	return nil
}

func TestCloneConfigureAndStartCostFiveRequests(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	config := vm(cloned, `cpu = { cores = 2 }`, `cloud_init = { user = "admin", ip_config = { ipconfig0 = { ip = "dhcp" } } }`)
	var until []string
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: acctest.Provider(sim) + config,
		PreConfig: func() {
			sim.Hook("POST", "/nodes/*/qemu/5001/status/start", func() { until = applied(sim) })
		},
		Check: check(func() {
			if len(until) == 0 || len(until) > 5 {
				t.Errorf("%d requests up to the start, with it:\n%s", len(until), strings.Join(until, "\n"))
			}
		}),
		ConfigPlanChecks: empty(),
	}}})
}

// Refreshing N unchanged VMs is one request each and one for all.
func TestRefreshOfManyVMs(t *testing.T) {
	t.Parallel()
	const n = 6
	for name, tc := range map[string]struct {
		extra string
		want  int
	}{
		"without addresses": {"", n + 1},
		"with addresses":    {"read_addresses = true", 2*n + 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim := cluster(t, pvesim.Options{})
			config := fmt.Sprintf("resource \"proxmox_vm\" \"v\" {\n  count = %d\n  node  = \"pve1\"\n  vmid  = 5001 + count.index\n  %s\n  %s\n}\n", n, cloned, tc.extra)
			w := acctest.NewCLI(t)
			w.Config(acctest.Provider(sim) + config)
			w.Must("apply", "-auto-approve")
			for i := range n {
				sim.SetAgent(5001+i, &pvesim.Agent{})
			}
			w.Must("apply", "-auto-approve", "-refresh-only")
			sim.ResetRequests()
			w.Must("apply", "-auto-approve", "-refresh-only")
			if got := acctest.Lines(sim.Requests()); len(got) != tc.want {
				t.Errorf("%d requests, want %d:\n%s", len(got), tc.want, strings.Join(got, "\n"))
			}
		})
	}
}

// Twenty clones of one template at a time all end well, although the template is
// locked for each, and for something else in between.
func TestTwentyClonesOfOneTemplate(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{TaskTime: 200 * time.Millisecond})
	var busy sync.Once
	sim.Hook("POST", "/nodes/*/qemu/9000/clone", func() {
		busy.Do(func() {
			for range 3 {
				sim.FailNext("POST", "/nodes/*/qemu/9000/clone", pvesim.Fault{Status: 500, Message: "can't lock file '/var/lock/qemu-server/lock-9000.conf' - got timeout"})
			}
		})
	})
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + "resource \"proxmox_vm\" \"v\" {\n  count = 20\n  node  = \"pve1\"\n  vmid  = 5001 + count.index\n  name  = \"clone-${count.index}\"\n  " + cloned + "\n}\n")
	w.Must("apply", "-auto-approve", "-parallelism=10")
	for i := range 20 {
		if !sim.Running(5001 + i) {
			t.Errorf("VM %d does not run", 5001+i)
		}
	}
	if again := w.Run("plan", "-detailed-exitcode"); again.Code != 0 {
		t.Errorf("the second plan is not empty:\n%s", again.Out)
	}
}

// Clones of a VM that runs exclude each other: all but one at a time fail in their
// tasks for want of its lock, and are made again.
func TestClonesOfARunningVM(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{TaskTime: 300 * time.Millisecond})
	sim.WriteFile("nodes/pve1/qemu-server/9001.conf", "memory: 16\nscsi0: fast:vm-9001-disk-0,size=1G\n")
	sim.AddVolume("pve1", "fast:vm-9001-disk-0", gib)
	sim.SetRunning(9001, true)
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + "resource \"proxmox_vm\" \"v\" {\n  count = 6\n  node  = \"pve1\"\n  vmid  = 5001 + count.index\n  clone = { vmid = 9001 }\n}\n")
	w.Must("apply", "-auto-approve")
	asked := 0
	for _, line := range acctest.Writes(sim.Requests()) {
		if strings.HasPrefix(line, "POST /nodes/pve1/qemu/9001/clone") {
			asked++
		}
	}
	if asked <= 6 {
		t.Errorf("%d clone requests: no clone met the lock", asked)
	}
	if made := strings.Count(strings.Join(sim.Volumes("pve1"), "\n"), "fast:vm-500"); made != 6 {
		t.Errorf("%d volumes for 6 clones: %q", made, sim.Volumes("pve1"))
	}
}
