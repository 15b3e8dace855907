package container_test

import (
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// setKey sets one key of container 5001 behind the back of the API.
func setKey(sim *pvesim.Server, key, value string) {
	sim.EditConfig(5001, func(text string) string {
		var lines []string
		for line := range strings.SplitSeq(text, "\n") {
			if !strings.HasPrefix(line, key+":") {
				lines = append(lines, line)
			}
		}
		return key + ": " + value + "\n" + strings.Join(lines, "\n")
	})
}

func TestTheLoserReadsAgain(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	w := smallCLI(t, sim)
	w.Must("apply", "-auto-approve")
	w.Config(acctest.Provider(sim) + body(okRootfs, "cpu = { cores = 4 }"))
	plan := func() { w.Must("plan", "-out=saved"); sim.ResetRequests() }

	plan()
	setKey(sim, "tags", "theirs")
	w.Must("apply", "saved")
	if text, _ := sim.ReadFile("nodes/pve1/lxc/5001.conf"); !strings.Contains(text, "cores: 4") || !strings.Contains(text, "tags: theirs") {
		t.Errorf("another key was changed between plan and apply:\n%s", text)
	}

	w.Config(acctest.Provider(sim) + body(okRootfs, "cpu = { cores = 6 }", `tags = ["theirs"]`))
	plan()
	sim.Hook("PUT", "/nodes/pve1/lxc/5001/config", func() { setKey(sim, "description", "x") })
	w.Must("apply", "saved")
	if n := count(sim, "PUT", "/nodes/pve1/lxc/5001/config"); n != 2 {
		t.Errorf("%d updates: one refused for its digest and one that goes through", n)
	}

	w.Config(acctest.Provider(sim) + body(okRootfs, "cpu = { cores = 8 }", `tags = ["theirs"]`, `description = "x"`))
	plan()
	setKey(sim, "cores", "8")
	w.Must("apply", "saved")
	wrote(t, sim)

	w.Config(acctest.Provider(sim) + body(okRootfs, "cpu = { cores = 2 }", `tags = ["theirs"]`, `description = "x"`))
	plan()
	setKey(sim, "cores", "3")
	r := w.Run("apply", "saved")
	for _, want := range []string{"Container 5001 has been changed by somebody else since the plan was made", "What stands at cores now is neither"} {
		if r.Code == 0 || !strings.Contains(unwrapped(r.Out), want) {
			t.Errorf("code %d, want %q:\n%s", r.Code, want, r.Out)
		}
	}
	wrote(t, sim)
}

func TestACreateThatEndsWithAWarningIsASuccess(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + body(okRootfs))
	sim.SystemdTemplate(template, 257)
	out := w.Must("apply", "-auto-approve")
	if !strings.Contains(unwrapped(out), "Container 5001 was created with a warning") || !strings.Contains(unwrapped(out), "Systemd 257 detected") {
		t.Error(out)
	}
	if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
		t.Errorf("the plan after it is not empty:\n%s", r.Out)
	}
}
