package vzdumppolicy_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// The jobs of real clusters are imported with a generated configuration that
// changes nothing. Two other files hold no job that Proxmox reads, and one is no
// jobs.cfg; see TestJobsAreReadWhole.
func TestImportOfEveryCase(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	var jobs, imports strings.Builder
	count := 0
	for _, file := range []string{"01-two-jobs-vmid-lists", "02-all-exclude-prune", "04-pbs-all-script", "05-fleecing-performance", "07-exclude-path-limits", "11-realm-sync-between"} {
		text, err := os.ReadFile("../../vzdump/testdata/jobs/" + file + ".cfg")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&jobs, "%s\n", text)
		for _, id := range regexp.MustCompile(`(?m)^vzdump: (\S+)`).FindAllStringSubmatch(string(text), -1) {
			fmt.Fprintf(&imports, "import {\n  to = proxmox_vzdump_policy.p%d\n  id = %q\n}\n", count, id[1])
			count++
		}
	}
	sim.WriteFile("jobs.cfg", jobs.String())
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + imports.String())
	w.Must("plan", "-generate-config-out=generated.tf")
	plan := w.Must("plan")
	if !strings.Contains(plan, fmt.Sprintf("Plan: %d to import, 0 to add, 0 to change, 0 to destroy", count)) {
		t.Fatalf("the plan of the generated configuration changes something:\n%s", plan)
	}
	w.Must("apply", "-auto-approve")
	if again := w.Run("plan", "-detailed-exitcode"); again.Code != 0 {
		t.Errorf("the plan after the import is not empty:\n%s", again.Out)
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("an import wrote: %q", writes)
	}
	if after, _ := sim.ReadFile("jobs.cfg"); after != jobs.String() {
		t.Errorf("the jobs are now\n%s", after)
	}
}
