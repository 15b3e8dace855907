package vm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// cases are guest files in the shapes that real clusters have, and the storages
// that they name.
const (
	cases    = "../../pvesim/testdata/cases/qemu"
	storages = "../../pvesim/testdata/cases/storage/00-union-for-all-cases.cfg"
)

// vmids are the numbers of files whose name does not begin with theirs.
var vmids = map[string]int{
	"10-pfsense-zfs-five-digit": 20001, "19-all-defaults-explicit-template": 1002, "22-cloudinit-template-cicustom": 8010,
	"23-cloudinit-ide0-old-template": 5000, "26-template-zfs": 9002, "28-template-dir-qcow2": 9004, "31-template-rbd": 9005,
	"68-nine-digit-vmid-minimal": 999999999,
}

// guestFile is one case, on the node pve1.
type guestFile struct {
	name, text string
	vmid       int
}

func guestFiles(t *testing.T) []guestFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(cases, "*.conf"))
	if err != nil || len(paths) < 45 {
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
			f.vmid = 200 + number
		}
		files = append(files, f)
	}
	return files
}

// caseCluster serves every file.
func caseCluster(t *testing.T, files []guestFile) *pvesim.Server {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{})
	text, err := os.ReadFile(storages)
	if err != nil {
		t.Fatal(err)
	}
	sim.WriteFile("storage.cfg", string(text))
	for _, f := range files {
		sim.WriteFile(fmt.Sprintf("nodes/pve1/qemu-server/%d.conf", f.vmid), f.text)
	}
	return sim
}

func imports(files []guestFile) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "import {\n  to = proxmox_vm.vm%d\n  id = \"%d\"\n}\n", f.vmid, f.vmid)
	}
	return b.String()
}

func TestImportOfEveryCase(t *testing.T) {
	t.Parallel()
	files := guestFiles(t)
	sim := caseCluster(t, files)
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + imports(files))
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
	t.Logf("%d files", len(files))
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
