package vm_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

func update() plancheck.PlanCheck {
	return plancheck.ExpectResourceAction("proxmox_vm.v", plancheck.ResourceActionUpdate)
}

// A number that is taken is never taken over, whatever kind of guest has it.
func TestATakenNumberIsNotTakenOver(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"by a VM":        "nodes/pve2/qemu-server/5001.conf",
		"by a container": "nodes/pve2/lxc/5001.conf",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim := cluster(t, pvesim.Options{})
			acctest.Run(t, resource.TestCase{
				CheckDestroy: check(func() {
					if _, there := sim.ReadFile(file); !there {
						t.Error("the other guest is gone")
					}
				}),
				Steps: []resource.TestStep{{
					Config: acctest.Provider(sim) + vm(`disks = { scsi0 = { storage = "fast", size = "1G" } }`),
					PreConfig: func() {
						sim.Hook("POST", "/nodes/*/qemu", func() { sim.WriteFile(file, "memory: 512\n") })
					},
					ExpectError: regexp.MustCompile(`VMID 5001 is taken`),
				}},
			})
			wrote(t, sim, "POST /nodes/pve1/qemu scsi0=fast:1 vmid=5001")
		})
	}
}

// A VM that somebody migrated by hand is followed, not made again.
func TestAVMThatWasMigratedByHandIsFollowed(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	config := acctest.Provider(sim) + vm(cloned)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config},
		{
			PreConfig: func() {
				text, _ := sim.ReadFile("nodes/pve1/qemu-server/5001.conf")
				sim.SetRunning(5001, false)
				sim.RemoveFile("nodes/pve1/qemu-server/5001.conf")
				sim.WriteFile("nodes/pve2/qemu-server/5001.conf", text)
				sim.SetRunning(5001, true)
			},
			Config:           config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			Check:            resource.TestCheckResourceAttr("proxmox_vm.v", "node", "pve1"),
		},
		{RefreshState: true, Check: resource.TestCheckResourceAttr("proxmox_vm.v", "current_node", "pve2")},
	}})
}

// Another node in the configuration migrates, online, and never replaces.
func TestAnotherNodeMigrates(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	config := acctest.Provider(sim) + vm(cloned)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config},
		{
			PreConfig: sim.ResetRequests,
			Config:    strings.Replace(config, `"pve1"`, `"pve2"`, 1),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{update()},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckResourceAttr("proxmox_vm.v", "current_node", "pve2"),
				check(func() {
					wrote(t, sim, "POST /nodes/pve1/qemu/5001/migrate online=1 target=pve2 with-local-disks=1")
					if !sim.Running(5001) {
						t.Error("it does not run any more")
					}
				}),
			),
		},
	}})
}

// A number that somebody else got since belongs to a stranger: nothing is written.
func TestANumberThatWasRecycledIsAStranger(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	config := acctest.Provider(sim) + vm(cloned)
	w := acctest.NewCLI(t)
	w.Config(config)
	w.Must("apply", "-auto-approve")
	sim.SetRunning(5001, false)
	sim.WriteFile("nodes/pve1/qemu-server/5001.conf", strings.NewReplacer("1772645313", "1999999999", "725e44db", "deadbeef", "template: 1\n", "").Replace(templateFile))
	sim.ResetRequests()
	for _, command := range [][]string{{"plan"}, {"apply", "-auto-approve"}, {"destroy", "-auto-approve"}, {"destroy", "-auto-approve", "-refresh=false"}} {
		if r := w.Run(command...); r.Code == 0 || !strings.Contains(unwrapped(r.Out), "VM 5001 on node pve1 is not the guest that this resource made") {
			t.Errorf("%v ended with %d:\n%s", command, r.Code, r.Out)
		}
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("a stranger was written to: %q", writes)
	}
}

// Setting the source of an imported VM is writing down history.
func TestTheSourceIsWrittenOnce(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	base := `disks = { scsi0 = { storage = "fast", size = "3G", import_from = "` + image + `" } }`
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: acctest.Provider(sim) + vm(base), ConfigPlanChecks: empty()},
		{
			PreConfig: sim.ResetRequests,
			Config:    acctest.Provider(sim) + vm(cloned, strings.Replace(base, image, "local:import/newer.qcow2", 1), `reinstall_trigger = "1"`),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{update()},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			Check: check(func() { wrote(t, sim) }),
		},
	}})
}

// An imported image is grown to the size that is declared, once.
func TestAnImportIsGrown(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	config := vm(`disks = { scsi0 = { storage = "fast", size = "3G", import_from = "`+image+`", format = "raw" } }`, `boot = { order = ["scsi0"] }`,
		`efi_disk = { storage = "fast", type = "4m", pre_enrolled_keys = true }`, `bios = "ovmf"`, `tpm_state = { storage = "fast", version = "v2.0" }`,
		`cdroms = { ide0 = { volume = "`+iso+`" } }`, `cloud_init = { storage = "fast", user = "admin" }`, `network = { net0 = { bridge = "vmbr0" } }`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:           acctest.Provider(sim) + config,
		ConfigPlanChecks: empty(),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.scsi0.size", "3G"),
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.ide0.data", "excluded"),
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.efidisk0.data", "erased"),
			resource.TestMatchResourceAttr("proxmox_vm.v", "network.net0.macaddr", regexp.MustCompile(`^BC:24:11:`)),
			check(func() {
				wrote(t, sim,
					"POST /nodes/pve1/qemu bios=ovmf boot=order=scsi0 ciuser=admin efidisk0=fast:1,efitype=4m,pre-enrolled-keys=1 ide0="+iso+",media=cdrom ide2=fast:cloudinit net0=virtio,bridge=vmbr0 scsi0=fast:0,format=raw,import-from="+image+" tpmstate0=fast:1,version=v2.0 vmid=5001",
					"PUT /nodes/pve1/qemu/5001/resize disk=scsi0 size=3G", "POST /nodes/pve1/qemu/5001/status/start")
			}),
		),
	}}})
}

// Tags that are not known before apply plan cleanly.
func TestUnknownTagsPlanCleanly(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	config := "resource \"terraform_data\" \"tag\" {\n  input = \"Later\"\n}\n" + vm(cloned, `tags = ["web", terraform_data.tag.output]`, `name = "vm-${terraform_data.tag.output}"`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{Config: acctest.Provider(sim) + config, ConfigPlanChecks: empty()}}})
}

// The source of a clone gets nothing but the clone request.
func TestTheTemplateIsLeftAlone(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: acctest.Provider(sim) + vm(`clone = { vmid = 9000, full = true, storage = "fast" }`, `cpu = { cores = 2 }`),
		Check: check(func() {
			for _, line := range acctest.Writes(sim.Requests()) {
				if strings.Contains(line, "/9000/") && line != "POST /nodes/pve1/qemu/9000/clone full=1 newid=5001 storage=fast" {
					t.Errorf("the template got %s", line)
				}
			}
			if text, _ := sim.ReadFile("nodes/pve1/qemu-server/9000.conf"); text != templateFile {
				t.Errorf("the template is changed:\n%s", text)
			}
			if !slices.Contains(sim.Volumes("pve1"), "fast:vm-5001-disk-0") {
				t.Error("the clone is not on the storage that was asked for")
			}
		}),
		ConfigPlanChecks: empty(),
	}}})
}

// A VM that high availability manages is followed until the manager has acted, and
// is not destroyed over its head.
func TestAVMOfHighAvailability(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	w := life(t, sim, acctest.Provider(sim)+vm(cloned))
	sim.WriteFile("ha/resources.cfg", "vm: 5001\n\tstate started\n")
	w.Config(acctest.Provider(sim) + vm(cloned, "started = false"))
	w.Must("apply", "-auto-approve")
	if sim.Running(5001) {
		t.Error("it runs still")
	}
	w.Config(acctest.Provider(sim) + vm(cloned))
	w.Must("apply", "-auto-approve")
	if !sim.Running(5001) {
		t.Error("it does not run again")
	}
	sim.ResetRequests()
	if r := w.Run("destroy", "-auto-approve"); r.Code == 0 || !strings.Contains(r.Out, "vm:5001") {
		t.Errorf("ended with %d:\n%s", r.Code, r.Out)
	}
	wrote(t, sim)
}

// A token that is limited to a pool can make a VM in it, read it and destroy it.
func TestATokenOfAPool(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	secret := "11111111-2222-4333-8444-555555555555"
	users, _ := sim.ReadFile("user.cfg")
	sim.WriteFile("user.cfg", users+"user:tf@pve:1:0::::::\ntoken:tf@pve!t:0:0::\npool:team::9000:fast,local-lvm:\n"+
		"role:Team:Datastore.AllocateSpace,Datastore.Audit,Pool.Audit,SDN.Use,VM.Allocate,VM.Audit,VM.Clone,VM.Config.CDROM,VM.Config.CPU,VM.Config.Cloudinit,VM.Config.Disk,VM.Config.HWType,VM.Config.Memory,VM.Config.Network,VM.Config.Options,VM.PowerMgmt:\n"+
		"acl:1:/pool/team:tf@pve:Team:\nacl:1:/sdn/zones/localnetwork/vmbr0:tf@pve:Team:\n")
	sim.WriteFile("priv/token.cfg", "tf@pve!t "+secret+"\n"+privateTokens(sim))
	provider := strings.Replace(acctest.Provider(sim), sim.Token(), "tf@pve!t="+secret, 1)
	w := acctest.NewCLI(t)
	w.Config(provider + vm(cloned, `pool = "team"`, `cpu = { cores = 2 }`))
	w.Must("apply", "-auto-approve")
	if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
		t.Errorf("the plan after the apply is not empty:\n%s", r.Out)
	}
	w.Must("destroy", "-auto-approve")
	if _, there := sim.ReadFile("nodes/pve1/qemu-server/5001.conf"); there {
		t.Error("it is still there")
	}
}

func privateTokens(sim *pvesim.Server) string {
	text, _ := sim.ReadFile("priv/token.cfg")
	return text
}
