package container_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const imported = "nodes/pve2/lxc/5001.conf"

const importedText = `hostname: web
memory: 1024
mp0: local-lvm:vm-5001-disk-1,mp=/srv,size=4G
net0: name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01,ip=dhcp,type=veth
ostype: debian
rootfs: local-lvm:vm-5001-disk-0,size=8G
swap: 512
unprivileged: 1
`

// handMade is the configuration of the guest above, without what only a create
// needs.
const handMade = `
resource "proxmox_container" "c" {
  node         = "pve2"
  vmid         = 5001
  hostname     = "web"
  started      = false
  memory       = { size = 1024, swap = 512 }
  rootfs       = { storage = "local-lvm", size = "8G" }
  mount_points = { mp0 = { path = "/srv", storage = "local-lvm", size = "4096M" } }
  network      = { net0 = { name = "eth0", bridge = "vmbr0", ip = "dhcp" } }
}
`

func TestImportByNumberAndByNode(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"5001", "pve2/5001"} {
		t.Run(strings.ReplaceAll(id, "/", " "), func(t *testing.T) {
			t.Parallel()
			sim := acctest.Cluster(t, pvesim.Options{})
			sim.WriteFile(imported, importedText)
			w := acctest.NewCLI(t)
			w.Config(acctest.Provider(sim) + handMade)
			w.Must("import", "proxmox_container.c", id)
			// The size of mp0 is spelled differently and means the same.
			if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
				t.Errorf("the plan is not empty:\n%s", r.Out)
			}
			// Writing the template down afterwards is not a reinstall.
			w.Config(acctest.Provider(sim) + strings.Replace(handMade, "started ", "ostemplate = \""+template+"\"\n  reinstall_trigger = \"1\"\n  started ", 1))
			if out := w.Must("apply", "-auto-approve"); !strings.Contains(out, "1 changed, 0 destroyed") {
				t.Error(out)
			}
			if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
				t.Errorf("it wrote: %q", writes)
			}
		})
	}
}

func TestImportByIdentity(t *testing.T) {
	t.Parallel()
	if acctest.Tofu() {
		t.Skip("OpenTofu has no import by identity")
	}
	sim := acctest.Cluster(t, pvesim.Options{})
	sim.WriteFile(imported, importedText)
	acctest.Run(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)},
		Steps: []resource.TestStep{{
			Config:          acctest.Provider(sim) + handMade,
			ResourceName:    "proxmox_container.c",
			ImportState:     true,
			ImportStateKind: resource.ImportBlockWithResourceIdentity,
		}},
	})
}

func TestImportRefusesWhatIsNotAContainerOfOurs(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	sim.WriteFile(imported, importedText)
	sim.WriteFile("nodes/pve1/qemu-server/5002.conf", "name: machine\n")
	w := acctest.NewCLI(t)
	for name, tc := range map[string]struct{ id, want string }{
		"a VM":               {"5002", "Guest 5002 is a VM, not a container It is on node pve1. Nothing has been imported. Import it into a resource of type proxmox_vm."},
		"nobody":             {"5003", "There is no guest 5003 in the cluster"},
		"the wrong node":     {"pve1/5001", "Container 5001 is not on node pve1 It is on node pve2. Nothing has been imported. Import 5001 or pve2/5001."},
		"no number":          {"web", `"web" is not the id of a container`},
		"outside the range":  {"9000", "Container 9000 is not within the provider's VMID range"},
		"a number too small": {"99", `"99" is not the id of a container`},
	} {
		w.Config(acctest.Provider(sim, `vmid_range = "5000-8999"`) + handMade)
		r := w.Run("import", "proxmox_container.c", tc.id)
		if r.Code == 0 || !strings.Contains(unwrapped(r.Out), tc.want) {
			t.Errorf("%s: code %d, want %q in:\n%s", name, r.Code, tc.want, r.Out)
		}
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("an import wrote: %q", writes)
	}
}

func TestARefreshRemovesNothingWithoutProof(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	w := smallCLI(t, sim)
	w.Must("apply", "-auto-approve")
	listed := func() bool { return strings.Contains(w.Must("state", "list"), "proxmox_container.c") }
	for name, tc := range map[string]struct {
		fail func()
		want string
	}{
		"forbidden": {func() {
			sim.FailNext("GET", "/nodes/pve1/lxc/5001/config", pvesim.Fault{Status: 403, Message: "Permission check failed (/vms/5001, VM.Audit)"})
		}, "cannot be seen"},
		"another node's 595": {func() {
			sim.FailNext("GET", "/nodes/pve1/lxc/5001/config", pvesim.Fault{Status: 595, Message: "No route to host"})
		}, ""},
	} {
		tc.fail()
		r := w.Run("apply", "-refresh-only", "-auto-approve")
		if !strings.Contains(unwrapped(r.Out), tc.want) || !listed() {
			t.Errorf("%s: code %d, in the state: %t\n%s", name, r.Code, listed(), r.Out)
		}
	}
	sim.RemoveFile("nodes/pve1/lxc/5001.conf")
	sim.WriteFile("nodes/pve1/qemu-server/5001.conf", "name: stranger\n")
	if r := w.Run("apply", "-refresh-only", "-auto-approve"); r.Code == 0 || !strings.Contains(unwrapped(r.Out), "VMID 5001 belongs to a VM now") || !listed() {
		t.Errorf("a VM has the number: code %d\n%s", r.Code, r.Out)
	}
	sim.RemoveFile("nodes/pve1/qemu-server/5001.conf")
	w.Must("apply", "-refresh-only", "-auto-approve")
	if listed() {
		t.Error("the number is free, and the container is still in the state")
	}
}
