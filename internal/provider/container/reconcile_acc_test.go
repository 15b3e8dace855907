package container_test

import (
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// halfMade is a container whose create outlived the patience of the provider,
// and whose task its node has forgotten since: nothing but a human can tell.
func halfMade(t *testing.T) (w installed, token string) {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{Files: clusterFiles, Nodes: []string{"pve1"}, Tokens: map[string]string{"root@pam!tf": "00000000-0000-4000-8000-000000000000"}})
	w = installed{CLI: acctest.NewCLI(t), sim: sim}
	w.Config(acctest.Provider(sim) + small5001(`create = "60s"`, `create = "4s"`))
	sim.HoldTasks("vzcreate")
	w.Run("apply", "-auto-approve")
	sim.ReleaseTasks()
	sim.WaitTasks()
	rows, err := w.client(t).Tasks(t.Context(), "pve1", pve.TaskFilter{VMID: 5001, Type: "vzcreate"})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	sim.ForgetTask(string(rows[0].UPID))
	w.Config(acctest.Provider(sim) + small5001())
	out := strings.Join(strings.Fields(w.Run("plan").Out), " ")
	for _, want := range []string{
		"Container 5001 needs reconcile before anything else is planned for it",
		`An operation on container 5001 on node pve1 died at stage "create"`, "A container 5001 exists, possibly incomplete.",
		"Its task was " + string(rows[0].UPID), "terraform state rm",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the story lacks %q:\n%s", want, out)
		}
	}
	m := acknowledgement.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no token in:\n%s", out)
	}
	return w, m[1]
}

// While a record is open every door is closed, with and without a refresh.
func TestAnOpenRecordClosesEveryDoor(t *testing.T) {
	t.Parallel()
	w, _ := halfMade(t)
	before := len(acctest.Writes(w.sim.Requests()))
	try := func(state string) {
		for _, args := range [][]string{
			{"apply", "-auto-approve"}, {"apply", "-auto-approve", "-refresh=false"},
			{"apply", "-auto-approve", "-destroy"}, {"apply", "-auto-approve", "-destroy", "-refresh=false"},
			{"apply", "-auto-approve", "-replace=proxmox_container.c", "-refresh=false"},
		} {
			r := w.Run(args...)
			if r.Code == 0 || !strings.Contains(r.Out, "needs reconcile") {
				t.Errorf("%s, %q ended with %d:\n%s", state, args, r.Code, r.Out)
			}
		}
	}
	try("tainted")
	w.Must("untaint", "proxmox_container.c")
	try("not tainted")
	if writes := acctest.Writes(w.sim.Requests())[before:]; len(writes) > 0 {
		t.Errorf("something was written: %q", writes)
	}
}

// The first way out: it turned out complete, so it is kept.
func TestAcknowledgeAndKeep(t *testing.T) {
	t.Parallel()
	w, token := halfMade(t)
	w.Setenv("PROXMOX_VE_ACKNOWLEDGE", token)
	w.Must("apply", "-refresh-only", "-auto-approve")
	w.Must("untaint", "proxmox_container.c")
	w.Must("apply", "-auto-approve")
	w.Must("plan", "-detailed-exitcode")
	for _, write := range acctest.Writes(w.sim.Requests()) {
		if strings.HasPrefix(write, "DELETE") {
			t.Errorf("it was destroyed: %s", write)
		}
	}
	if err := w.alive(); err != nil {
		t.Error(err)
	}
}

// The second: it is made again, by the plan that says so.
func TestAcknowledgeAndRecreate(t *testing.T) {
	t.Parallel()
	w, token := halfMade(t)
	w.Setenv("PROXMOX_VE_ACKNOWLEDGE", token)
	out := w.Must("apply", "-auto-approve")
	if want := "1 added, 0 changed, 1 destroyed"; !strings.Contains(out, want) {
		t.Errorf("the apply does not say %q:\n%s", want, out)
	}
	w.Setenv("PROXMOX_VE_ACKNOWLEDGE", "")
	w.Must("plan", "-detailed-exitcode")
}

// The third: the state forgets it, and the container stays as it is.
func TestForgetTheHalfMade(t *testing.T) {
	t.Parallel()
	w, _ := halfMade(t)
	w.Must("state", "rm", "proxmox_container.c")
	if _, there := w.sim.ReadFile("nodes/pve1/lxc/5001.conf"); !there {
		t.Error("the container is gone")
	}
	w.Must("import", "proxmox_container.c", "5001")
	w.Must("apply", "-auto-approve")
	w.Must("plan", "-detailed-exitcode")
}

// A record whose task can still be asked settles by itself.
func TestARecordSettlesByItself(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{Files: clusterFiles, Nodes: []string{"pve1"}, Tokens: map[string]string{"root@pam!tf": "00000000-0000-4000-8000-000000000000"}})
	w := installed{CLI: acctest.NewCLI(t), sim: sim}
	w.Config(acctest.Provider(sim) + small5001(`create = "60s"`, `create = "4s"`))
	sim.HoldTasks("vzcreate")
	w.Run("apply", "-auto-approve")
	if r := w.Run("plan"); r.Code == 0 || !strings.Contains(r.Out, "needs reconcile") {
		t.Errorf("while the task runs the plan ended with %d:\n%s", r.Code, r.Out)
	}
	sim.ReleaseTasks()
	sim.WaitTasks()
	out := w.Must("apply", "-refresh-only", "-auto-approve")
	if want := "The reconcile record of container 5001 is settled"; !strings.Contains(out, want) {
		t.Errorf("the refresh does not say %q:\n%s", want, out)
	}
	w.Must("untaint", "proxmox_container.c")
	w.Must("apply", "-auto-approve")
	w.Must("plan", "-detailed-exitcode")
}
