package vm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// templateFile is a cloud-init template as people make them.
const templateFile = `agent: 1
boot: order=scsi0;net0
cores: 1
description: made by hand
ide2: local-lvm:vm-9000-cloudinit,media=cdrom,size=4M
memory: 512
meta: creation-qemu=10.1.2,ctime=1772645313
name: debian-template
net0: virtio=BC:24:11:00:90:00,bridge=vmbr0,firewall=1
ostype: l26
scsi0: local-lvm:base-9000-disk-0,discard=on,iothread=1,size=4G
scsihw: virtio-scsi-single
serial0: socket
smbios1: uuid=725e44db-7ad5-44ee-9377-f66b5c01b28f
template: 1
vmgenid: f5d24d2b-3a4c-4aff-b7c3-18830fbf2b0c
`

const (
	gib   = 1 << 30
	iso   = "local:iso/debian-13.iso"
	image = "local:import/debian-13.qcow2"
)

// cluster has a template, an ISO image and a disk image.
func cluster(t *testing.T, o pvesim.Options) *pvesim.Server {
	t.Helper()
	sim := acctest.Cluster(t, o)
	sim.WriteFile("storage.cfg", "dir: local\n\tpath /var/lib/vz\n\tcontent iso,vztmpl,backup,snippets,import\n\n"+
		"lvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n\n"+
		"lvmthin: fast\n\tthinpool fast\n\tvgname nvme\n\tcontent images\n\nlvm: thick\n\tvgname old\n\tcontent images\n")
	sim.WriteFile("nodes/pve1/qemu-server/9000.conf", templateFile)
	for _, node := range []string{"pve1", "pve2"} {
		sim.AddVolume(node, iso, gib)
		sim.AddVolume(node, image, 2*gib)
	}
	sim.AddVolume("pve1", "local-lvm:base-9000-disk-0", 4*gib)
	sim.AddVolume("pve1", "local-lvm:vm-9000-cloudinit", 4<<20)
	return sim
}

// wrote compares the writes since the last reset.
func wrote(t *testing.T, sim *pvesim.Server, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, acctest.Writes(sim.Requests())); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

// check is a check that asks the simulator.
func check(f func()) resource.TestCheckFunc {
	return func(*terraform.State) error { f(); return nil }
}

func empty() resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
}

// vm is a resource block.
func vm(lines ...string) string {
	return "resource \"proxmox_vm\" \"v\" {\n  node = \"pve1\"\n  vmid = 5001\n  " + strings.Join(lines, "\n  ") + "\n}\n"
}

const cloned = `clone = { vmid = 9000 }`

func TestCloneIsConfiguredBeforeItsFirstStart(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	config := vm(cloned, `name = "web-1"`, `cpu = { cores = 2 }`, `memory = { size = 2048 }`, `description = "web"`,
		`disks = { scsi0 = { size = "8G" } }`, `network = { net0 = { bridge = "vmbr0", firewall = true } }`,
		`cloud_init = { user = "admin", password_wo = "secret-1", ssh_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKWOrg9EHwZ9HkVqazzD1VH6pVe3+C/JA7kSVYjN1Kho user@example.com"], ip_config = { ipconfig0 = { ip = "192.0.2.10/24", gw = "192.0.2.1" } } }`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:           acctest.Provider(sim) + config,
		ConfigPlanChecks: empty(),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("proxmox_vm.v", "current_node", "pve1"),
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.scsi0.id", "local-lvm:vm-5001-disk-0"),
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.scsi0.size", "8G"),
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.scsi0.data", "erased"),
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.ide2.data", "erased"),
			resource.TestCheckResourceAttr("proxmox_vm.v", "started", "true"),
			resource.TestCheckNoResourceAttr("proxmox_vm.v", "agent"),
			check(func() {
				requests := acctest.Lines(sim.Requests())
				t.Log(strings.Join(requests, "\n"))
				if !sim.Running(5001) {
					t.Error("it does not run")
				}
			}),
		),
	}}})
}
