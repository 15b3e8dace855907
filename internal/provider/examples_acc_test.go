package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// TestEveryExampleCanBePlanned plans the example of each resource and data
// source against a fresh cluster that has what examples name.
func TestEveryExampleCanBePlanned(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, pattern := range []string{"../../examples/resources/*/resource.tf", "../../examples/data-sources/*/data-source.tf", "../../examples/functions/*/function.tf"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Fatal("there are no examples")
	}
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			planExample(t, path)
		})
	}
}

// exampleTemplate is the template that examples of VMs are cloned from.
const exampleTemplate = `ide2: local-lvm:vm-9000-cloudinit,media=cdrom
net0: virtio=BC:24:11:00:90:00,bridge=vmbr0
scsi0: local-lvm:base-9000-disk-0,size=4G
scsihw: virtio-scsi-single
template: 1
`

func planExample(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sim := acctest.Cluster(t, pvesim.Options{RootPassword: acctest.RootPassword})
	sim.WriteFile("nodes/pve1/qemu-server/9000.conf", exampleTemplate)
	sim.AddVolume("pve1", "local:import/debian-13-generic-amd64.qcow2", 3<<30)
	sim.AddVolume("pve1", "local:iso/debian-13.1.0-amd64-netinst.iso", 1<<30)
	provider := acctest.Provider(sim, `vmid_range = "5000-8999"`, `default_node = "pve1"`)
	if neededByRoot, ok := strings.CutPrefix(string(text), "# As root@pam"); ok {
		text = []byte(neededByRoot)
		provider = acctest.RootProvider(sim, `vmid_range = "5000-8999"`, `default_node = "pve1"`)
	}
	w := acctest.NewCLI(t)
	w.Config(provider + string(text))
	w.Must("plan")
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("a plan wrote: %q", writes)
	}
}

// TestTheExampleOfTheProviderBlockIsValid asks no cluster.
func TestTheExampleOfTheProviderBlockIsValid(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../examples/provider/provider.tf")
	if err != nil {
		t.Fatal(err)
	}
	w := acctest.NewCLI(t)
	w.Setenv("PROXMOX_VE_API_TOKEN", "root@pam!terraform=00000000-0000-0000-0000-000000000000")
	w.Write("main.tf", string(text))
	w.Must("validate")
}
