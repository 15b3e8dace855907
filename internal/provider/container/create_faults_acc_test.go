package container_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// smallCLI is a folder with the shortest useful container.
func smallCLI(t *testing.T, sim *pvesim.Server) *acctest.CLI {
	t.Helper()
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + small)
	return w
}

func count(sim *pvesim.Server, method, path string) int {
	n := 0
	for _, r := range sim.Requests() {
		if r.Method == method && r.Path == path {
			n++
		}
	}
	return n
}

func TestACreateWhoseAnswerIsLostIsFoundAndNotSentAgain(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*pvesim.Server){
		"the connection broke": func(s *pvesim.Server) { s.DropConnection("POST", "/nodes/pve1/lxc", true) },
		"the proxy gave up, 596": func(s *pvesim.Server) {
			s.FailNext("POST", "/nodes/pve1/lxc", pvesim.Fault{Status: 596, Message: "Connection timed out", After: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim := acctest.Cluster(t, pvesim.Options{})
			w := smallCLI(t, sim)
			lose(sim)
			w.Must("apply", "-auto-approve")
			if n := count(sim, "POST", "/nodes/pve1/lxc"); n != 1 {
				t.Errorf("%d creates were sent", n)
			}
			if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
				t.Errorf("the plan after it is not empty:\n%s", r.Out)
			}
		})
	}
}

func TestACreateThatWasNeverReceivedIsNotInTheState(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	w := smallCLI(t, sim)
	sim.FailNext("POST", "/nodes/pve1/lxc", pvesim.Fault{Status: 596, Message: "Connection timed out"})
	r := w.Run("apply", "-auto-approve")
	if r.Code == 0 || !strings.Contains(unwrapped(r.Out), "Whether container 5001 was created on node pve1 is not known") {
		t.Errorf("code %d:\n%s", r.Code, r.Out)
	}
	if out := w.Run("state", "list").Out; strings.Contains(out, "proxmox_container") {
		t.Errorf("it is in the state: %s", out)
	}
	if n := count(sim, "POST", "/nodes/pve1/lxc"); n != 1 {
		t.Errorf("%d creates were sent", n)
	}
	w.Must("apply", "-auto-approve")
}

func TestACreateThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	w := smallCLI(t, sim)
	sim.StorageFull("local-lvm", true)
	r := w.Run("apply", "-auto-approve")
	out := unwrapped(r.Out)
	if r.Code == 0 || !strings.Contains(out, "Container 5001 was not created on node pve1") || !regexp.MustCompile(`The task UPID:pve1:\S+:vzcreate:5001:\S+ ended with`).MatchString(out) {
		t.Errorf("code %d:\n%s", r.Code, r.Out)
	}
	if list := w.Run("state", "list").Out; strings.Contains(list, "proxmox_container") {
		t.Errorf("it is in the state: %s", list)
	}
	sim.StorageFull("local-lvm", false)
	w.Must("apply", "-auto-approve")
}

func TestAContainerThatDoesNotStartIsRecorded(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	w := smallCLI(t, sim)
	sim.FailNext("POST", "/nodes/pve1/lxc/5001/status/start", pvesim.Fault{Status: 500, Message: "startup for container '5001' failed"})
	r := w.Run("apply", "-auto-approve")
	if r.Code == 0 || !strings.Contains(unwrapped(r.Out), "Container 5001 was created and did not start") {
		t.Fatalf("code %d:\n%s", r.Code, r.Out)
	}
	state := w.Must("state", "show", "-no-color", "proxmox_container.c")
	if !strings.Contains(state, `stage  = "start"`) || !strings.Contains(state, "exists = true") {
		t.Errorf("the state has no record:\n%s", state)
	}
}

func TestANumberIsTakenFromTheRange(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	sim.WriteFile("nodes/pve2/qemu-server/5000.conf", "name: theirs\n")
	w := acctest.NewCLI(t)
	text := strings.Replace(many(3), "vmid       = 5001 + count.index", "", 1)
	w.Config(acctest.Provider(sim) + text)
	if r := w.Run("apply", "-auto-approve"); r.Code == 0 || !strings.Contains(unwrapped(r.Out), "The container has no VMID and the provider no range to take one from") {
		t.Errorf("without a range: code %d\n%s", r.Code, r.Out)
	}
	w.Config(acctest.Provider(sim, `vmid_range = "5000-5009"`) + text)
	w.Must("apply", "-auto-approve")
	for _, path := range []string{"nodes/pve1/lxc/5001.conf", "nodes/pve1/lxc/5002.conf", "nodes/pve1/lxc/5003.conf"} {
		if _, ok := sim.ReadFile(path); !ok {
			t.Errorf("there is no %s", path)
		}
	}
}
