package container_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// cases are guest files in the shapes that real clusters have.
const cases = "../../pve/testdata/cases/lxc"

// vmids are the numbers of files whose name does not begin with theirs.
var vmids = map[string]int{"46-seven-digit-vmid-acl": 2530126, "55-pve4-net-keys-sorted": 8149}

// invalid are the files that cannot be imported, and what is said of them.
var invalid = map[string]string{
	"49-invalid-vm-option-in-rootfs": `rootfs has the option "discard", which only disks of VMs have`,
}

// guestFile is one case, on the node pve1.
type guestFile struct {
	name, text string
	vmid       int
}

func guestFiles(t *testing.T) []guestFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(cases, "*.conf"))
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d files in %s: %v", len(paths), cases, err)
	}
	var files []guestFile
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := guestFile{name: strings.TrimSuffix(filepath.Base(path), ".conf"), text: string(text)}
		f.vmid = vmids[f.name]
		if f.vmid == 0 {
			number, _ := strconv.Atoi(f.name[:2])
			f.vmid = 100 + number
		}
		files = append(files, f)
	}
	return files
}

// caseCluster serves every file.
func caseCluster(t *testing.T, files []guestFile) *pvesim.Server {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{})
	storages, err := os.ReadFile("testdata/storage.cfg")
	if err != nil {
		t.Fatal(err)
	}
	sim.WriteFile("storage.cfg", string(storages))
	for _, f := range files {
		sim.WriteFile(fmt.Sprintf("nodes/pve1/lxc/%d.conf", f.vmid), f.text)
	}
	return sim
}

func imports(files []guestFile) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "import {\n  to = proxmox_container.ct%d\n  id = \"%d\"\n}\n", f.vmid, f.vmid)
	}
	return b.String()
}

func TestImportOfEveryCase(t *testing.T) {
	t.Parallel()
	files := guestFiles(t)
	sim := caseCluster(t, files)
	valid := slices.DeleteFunc(slices.Clone(files), func(f guestFile) bool { return invalid[f.name] != "" })
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + imports(valid))
	w.Must("plan", "-generate-config-out=generated.tf")

	sim.ResetRequests()
	plan := w.Must("plan")
	summary := regexp.MustCompile(`Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy`)
	if !summary.MatchString(plan) {
		t.Fatalf("the plan of the generated configuration changes something:\n%s", changes(plan))
	}
	w.Must("apply", "-auto-approve")
	if again := w.Run("plan", "-detailed-exitcode"); again.Code != 0 {
		t.Errorf("the plan after the import is not empty:\n%s", again.Out)
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("an import wrote: %q", writes)
	}
	t.Logf("%d files", len(valid))
}

// changes are the lines of a plan that change something, with what they are in.
func changes(plan string) string {
	var kept []string
	for line := range strings.SplitSeq(plan, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "# ") || strings.HasPrefix(trimmed, "~ ") || strings.HasPrefix(trimmed, "+ ") || strings.HasPrefix(trimmed, "- ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func TestImportOfInvalidFilesSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	files := guestFiles(t)
	sim := caseCluster(t, files)
	for _, f := range files {
		want, ok := invalid[f.name]
		if !ok {
			continue
		}
		w := acctest.NewCLI(t)
		w.Config(acctest.Provider(sim) + imports([]guestFile{f}))
		r := w.Run("plan", "-generate-config-out=generated.tf")
		if r.Code == 0 || !strings.Contains(unwrapped(r.Out), want) {
			t.Errorf("%s: code %d, want %q in:\n%s", f.name, r.Code, want, r.Out)
		}
	}
}

// unwrapped undoes the line breaks and frames of Terraform's errors.
func unwrapped(out string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(out)), " ")
}
