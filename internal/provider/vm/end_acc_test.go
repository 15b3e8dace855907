package vm_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// life is a VM that has been applied once with a CLI.
func life(t *testing.T, sim *pvesim.Server, config string) *acctest.CLI {
	t.Helper()
	w := acctest.NewCLI(t)
	w.Config(config)
	w.Must("apply", "-auto-approve")
	sim.ResetRequests()
	return w
}

func TestReinstallShowsWhatGoesAndMakesItAgain(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	lines := []string{cloned, `disks = { scsi1 = { storage = "fast", size = "1G" } }`, `cdroms = { ide0 = { volume = "` + iso + `" } }`, `reinstall_trigger = "1"`}
	w := life(t, sim, acctest.Provider(sim)+vm(lines...))
	sim.AddVolume("pve1", "fast:vm-777-disk-0", gib) // nobody's in this state
	lines[3] = `reinstall_trigger = "2"`
	w.Config(acctest.Provider(sim) + vm(lines...))
	plan := w.Must("plan")
	for _, want := range []string{
		"must be replaced", `"scsi1"`, `"erased"`, `"excluded"`, "VM 5001 will be reinstalled",
		"scsi0", "local-lvm:vm-5001-disk-0",
	} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan does not say %q:\n%s", want, plan)
		}
	}
	w.Must("apply", "-auto-approve")
	var calls []string
	for _, line := range acctest.Writes(sim.Requests()) {
		calls = append(calls, digest.ReplaceAllString(line, "DIGEST"))
	}
	want := []string{
		"POST /nodes/pve1/qemu/5001/status/shutdown timeout=180",
		"DELETE /nodes/pve1/qemu/5001 destroy-unreferenced-disks=0",
		"POST /nodes/pve1/qemu/9000/clone newid=5001",
		"POST /nodes/pve1/qemu/5001/config DIGEST ide0=" + iso + ",media=cdrom scsi1=fast:1",
		"POST /nodes/pve1/qemu/5001/status/start",
	}
	if strings.Join(calls, "\n") != strings.Join(want, "\n") {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(calls, "\n"), strings.Join(want, "\n"))
	}
	if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
		t.Errorf("the plan after the reinstall is not empty:\n%s", r.Out)
	}
	for _, id := range []string{iso, "fast:vm-777-disk-0", "local-lvm:base-9000-disk-0"} {
		volumes(id)(t, sim, "5001")
	}
}

func TestAProtectedVMSurvives(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	lines := []string{cloned, `protection = true`, `reinstall_trigger = "1"`}
	w := life(t, sim, acctest.Provider(sim)+vm(lines...))
	refuse := func(args ...string) {
		t.Helper()
		if r := w.Run(args...); r.Code == 0 || !strings.Contains(unwrapped(r.Out), "VM 5001") || !strings.Contains(r.Out, "protect") {
			t.Errorf("%v ended with %d:\n%s", args, r.Code, r.Out)
		}
	}
	refuse("destroy", "-auto-approve")
	refuse("apply", "-auto-approve", "-replace=proxmox_vm.v")
	lines[2] = `reinstall_trigger = "2"`
	w.Config(acctest.Provider(sim) + vm(lines...))
	refuse("apply", "-auto-approve")
	w.Config(acctest.Provider(sim))
	refuse("apply", "-auto-approve")
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 || !sim.Running(5001) {
		t.Errorf("writes %q, runs %t", writes, sim.Running(5001))
	}
}

// A disk that somebody attached after the plan stops the destruction.
func TestADiskThatTheStateDoesNotKnowStopsTheEnd(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	w := life(t, sim, acctest.Provider(sim)+vm(cloned, "started = false"))
	w.Must("plan", "-destroy", "-out=tfplan")
	sim.AddVolume("pve1", "fast:vm-5001-disk-3", gib)
	sim.EditConfig(5001, func(text string) string { return text + "scsi5: fast:vm-5001-disk-3,size=1G\n" })
	if r := w.Run("apply", "tfplan"); r.Code == 0 || !strings.Contains(r.Out, "scsi5") {
		t.Errorf("ended with %d:\n%s", r.Code, r.Out)
	}
	wrote(t, sim)
	volumes("fast:vm-5001-disk-3")(t, sim, "5001")
	w.Must("destroy", "-auto-approve") // planned anew, it is known
	wrote(t, sim, "DELETE /nodes/pve1/qemu/5001 destroy-unreferenced-disks=0")
}

func TestAStartThatFailsIsHealedByTheNextApply(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + vm(cloned))
	sim.Hook("POST", "/nodes/*/qemu/5001/status/start", func() {
		sim.EditConfig(5001, func(text string) string { return strings.Replace(text, "cores: 1", "cores: 999", 1) })
	})
	r := w.Run("apply", "-auto-approve")
	if r.Code == 0 || !strings.Contains(unwrapped(r.Out), "VM 5001 was created and did not start") {
		t.Fatalf("ended with %d:\n%s", r.Code, r.Out)
	}
	sim.EditConfig(5001, func(text string) string { return strings.Replace(text, "cores: 999", "cores: 1", 1) })
	w.Must("apply", "-auto-approve")
	if !sim.Running(5001) {
		t.Error("it does not run after the second apply")
	}
	if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
		t.Errorf("the plan after it is not empty:\n%s", r.Out)
	}
}

// A clone whose answer was lost is found by its task, and made once.
func TestALostAnswerOfACloneIsLookedUp(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	sim.DropConnection("POST", "/nodes/*/qemu/9000/clone", true)
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + vm(cloned))
	w.Must("apply", "-auto-approve")
	wrote(t, sim, "POST /nodes/pve1/qemu/9000/clone newid=5001", "POST /nodes/pve1/qemu/5001/status/start")
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	wait := func(lines ...string) string {
		return vm(append([]string{cloned, "read_addresses = true", `wait_for_addresses = { ipv4 = true, timeout = "2s" }`}, lines...)...)
	}
	t.Run("an agent that is silent costs the wait and a warning", func(t *testing.T) {
		t.Parallel()
		sim := cluster(t, pvesim.Options{})
		began := time.Now()
		w := acctest.NewCLI(t)
		w.Config(acctest.Provider(sim) + wait())
		out := unwrapped(w.Must("apply", "-auto-approve"))
		if !strings.Contains(out, "VM 5001 runs, and its agent did not report the addresses that were waited for") {
			t.Errorf("no warning:\n%s", out)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("the apply took %s", took)
		}
		sim.SetAgent(5001, &pvesim.Agent{Interfaces: []pvesim.AgentInterface{{Name: "eth0", Addresses: []string{"192.0.2.7/24", "fe80::1/64"}}}})
		sim.ResetRequests()
		w.Must("apply", "-auto-approve", "-refresh-only")
		if asked := strings.Count(strings.Join(acctest.Lines(sim.Requests()), "\n"), "/agent/"); asked != 1 {
			t.Errorf("a refresh asked the agent %d times", asked)
		}
		if out := w.Must("state", "show", "-no-color", "proxmox_vm.v"); !strings.Contains(out, `"192.0.2.7",`) || strings.Contains(out, "fe80") {
			t.Errorf("the address that came later is not in state:\n%s", out)
		}
	})
	t.Run("an agent that may not be asked ends the wait at once", func(t *testing.T) {
		t.Parallel()
		sim := cluster(t, pvesim.Options{})
		sim.FailNext("GET", "/nodes/*/qemu/5001/agent/network-get-interfaces", pvesim.Fault{Status: 403, Message: "Permission check failed (/vms/5001, VM.GuestAgent.Audit|VM.GuestAgent.Unrestricted)"})
		w := acctest.NewCLI(t)
		w.Config(acctest.Provider(sim) + vm(cloned, `wait_for_addresses = { ipv4 = true, timeout = "10m" }`))
		out := unwrapped(w.Must("apply", "-auto-approve"))
		if !strings.Contains(out, "VM.GuestAgent.Audit on Proxmox VE 9 and VM.Monitor on Proxmox VE 8") {
			t.Errorf("the privilege is not named:\n%s", out)
		}
	})
	t.Run("an agent that comes late is waited for", func(t *testing.T) {
		t.Parallel()
		sim := cluster(t, pvesim.Options{})
		sim.Hook("POST", "/nodes/*/qemu/5001/status/start", func() {
			sim.SetAgent(5001, &pvesim.Agent{Absent: 2, Interfaces: []pvesim.AgentInterface{{Name: "eth0", Addresses: []string{"192.0.2.7/24"}}}})
		})
		acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
			Config:           acctest.Provider(sim) + strings.Replace(wait(), `"2s"`, `"1m"`, 1),
			ConfigPlanChecks: empty(),
			Check:            resource.TestCheckTypeSetElemAttr("proxmox_vm.v", "addresses.*", "192.0.2.7"),
		}}})
	})
}

// A create that fails cleanly leaves nothing, not even in state.
func TestACreateThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	sim.StorageFull("fast", true)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:      acctest.Provider(sim) + vm(`disks = { scsi0 = { storage = "fast", size = "1G" } }`),
		ExpectError: regexp.MustCompile(`(?s)VM 5001 was not created on node pve1.*the number\s+is\s+free\s+again`),
	}}})
	if _, there := sim.ReadFile("nodes/pve1/qemu-server/5001.conf"); there {
		t.Error("something is left")
	}
}
