package container_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// body is a container with the given lines in its block.
func body(lines ...string) string {
	return fmt.Sprintf(`
resource "proxmox_container" "c" {
  node       = "pve1"
  vmid       = 5001
  ostemplate = %q
  %s
}
`, template, strings.Join(lines, "\n  "))
}

// inPlace is a step whose plan is an update, and after which the plan is empty.
func inPlace(config string, check func()) resource.TestStep {
	return resource.TestStep{
		Config: config,
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("proxmox_container.c", plancheck.ResourceActionUpdate)},
			PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
		},
		Check: func(*terraform.State) error { check(); return nil },
	}
}

// wrote compares the writes since the last look, digests left out.
func wrote(t *testing.T, sim *pvesim.Server, want ...string) {
	t.Helper()
	requests := sim.Requests()
	for i := range requests {
		delete(requests[i].Params, "digest")
	}
	if diff := cmp.Diff(want, acctest.Writes(requests)); diff != "" {
		t.Error(diff)
	}
	sim.ResetRequests()
}

func TestMountPointsChangeInPlace(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	provider := acctest.Provider(sim)
	const rootfs = `rootfs = { storage = "local-lvm", size = "8G" }`
	first := provider + body(rootfs)
	added := provider + body(rootfs, `mount_points = { mp0 = { path = "/srv", storage = "local-lvm", size = "4G" }, mp1 = { path = "/opt", storage = "local-lvm", size = "4G" } }`)
	grown := provider + body(`rootfs = { storage = "local-lvm", size = "10240M" }`,
		`mount_points = { mp0 = { path = "/srv", storage = "local-lvm", size = "6G" }, mp1 = { path = "/opt", storage = "local-lvm", size = "4G", backup = true } }`)
	removed := provider + body(`rootfs = { storage = "local-lvm", size = "10G" }`,
		`mount_points = { mp1 = { path = "/opt", storage = "local-lvm", size = "4G", backup = true } }`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: first},
		inPlace(added, func() {
			sim.ResetRequests()
			volumes := strings.Join(sim.Volumes("pve1"), " ")
			for _, id := range []string{"vm-5001-disk-1", "vm-5001-disk-2"} {
				if !strings.Contains(volumes, id) {
					t.Errorf("%s was not made: %s", id, volumes)
				}
			}
		}),
		inPlace(grown, func() {
			wrote(t, sim,
				"PUT /nodes/pve1/lxc/5001/resize disk=rootfs size=10G",
				"PUT /nodes/pve1/lxc/5001/resize disk=mp0 size=6G",
				"PUT /nodes/pve1/lxc/5001/config mp1=local-lvm:vm-5001-disk-2,mp=/opt,backup=1,size=4G",
			)
		}),
		inPlace(removed, func() {
			wrote(t, sim, "PUT /nodes/pve1/lxc/5001/config delete=mp0")
			if text := strings.Join(sim.Volumes("pve1"), " "); !strings.Contains(text, "vm-5001-disk-1") {
				t.Errorf("leaving a mount point out erased its volume: %s", text)
			}
		}),
	}})
}

func TestAnEditOfTheCoresSendsTheCoresAlone(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	const rest = `
  rootfs  = { storage = "local-lvm", size = "8G" }
  network = { net0 = { name = "eth0", bridge = "vmbr0", ip = "dhcp" } }`
	var address string
	mac := func(s *terraform.State) error {
		address = s.RootModule().Resources["proxmox_container.c"].Primary.Attributes["network.net0.hwaddr"]
		if !strings.HasPrefix(address, "BC:24:11:") {
			return fmt.Errorf("the address that Proxmox made is %q", address)
		}
		sim.ResetRequests()
		return nil
	}
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: acctest.Provider(sim) + body(rest), Check: mac},
		inPlace(acctest.Provider(sim)+body(rest, `cpu = { cores = 4 }`), func() {
			wrote(t, sim, "PUT /nodes/pve1/lxc/5001/config cores=4")
		}),
		inPlace(acctest.Provider(sim)+body(strings.Replace(rest, `ip = "dhcp"`, `ip = "dhcp", firewall = true`, 1), `cpu = { cores = 4 }`), func() {
			wrote(t, sim, "PUT /nodes/pve1/lxc/5001/config net0=name=eth0,bridge=vmbr0,firewall=1,hwaddr="+address+",ip=dhcp,type=veth")
		}),
		{
			Config:           acctest.Provider(sim) + body(rest, `cpu = { cores = 4 }`, `memory = { size = 512, swap = 0 }`, `description = "same\n"`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
	}})
}

func TestSizesAreComparedByValue(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	steps := []resource.TestStep{{Config: acctest.Provider(sim) + body(`rootfs = { storage = "local-lvm", size = "8G" }`)}}
	for _, size := range []string{"8192M", "8GiB", "8.0G", "8388608K"} {
		steps = append(steps, resource.TestStep{
			Config:           acctest.Provider(sim) + body(`rootfs = { storage = "local-lvm", size = "`+size+`" }`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		})
	}
	acctest.Run(t, resource.TestCase{Steps: steps})
}

func TestWhatWaitsForAStartIsNamedOrRestarted(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	const rootfs = `rootfs = { storage = "local-lvm", size = "8G" }`
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: acctest.Provider(sim) + body(rootfs), Check: func(*terraform.State) error { sim.ResetRequests(); return nil }},
		inPlace(acctest.Provider(sim)+body(rootfs, `timezone = "host"`), func() {
			wrote(t, sim, "PUT /nodes/pve1/lxc/5001/config timezone=host")
			if text, _ := sim.ReadFile("nodes/pve1/lxc/5001.conf"); !strings.Contains(text, "[pve:pending]") {
				t.Errorf("nothing is pending:\n%s", text)
			}
		}),
		inPlace(acctest.Provider(sim)+body(rootfs, `timezone = "Europe/Vienna"`, `restart_for_pending = true`), func() {
			wrote(t, sim,
				"PUT /nodes/pve1/lxc/5001/config timezone=Europe/Vienna",
				"POST /nodes/pve1/lxc/5001/status/reboot timeout=180",
			)
			if text, _ := sim.ReadFile("nodes/pve1/lxc/5001.conf"); strings.Contains(text, "[pve:pending]") {
				t.Errorf("something is pending after the restart:\n%s", text)
			}
		}),
	}})
}

func TestStorageAndNodeAndPoolMoveInPlace(t *testing.T) {
	t.Parallel()
	sim := rootCluster(t)
	storages, _ := sim.ReadFile("storage.cfg")
	sim.WriteFile("storage.cfg", storages+"\nzfspool: tank\n\tpool tank/data\n\tcontent rootdir,images\n")
	provider := acctest.Provider(sim)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: provider + body(`rootfs = { storage = "local-lvm", size = "8G" }`, `pool = "web"`),
			Check: func(*terraform.State) error { sim.ResetRequests(); return nil }},
		inPlace(provider+body(`rootfs = { storage = "tank", size = "8G" }`, `pool = "db"`), func() {
			wrote(t, sim,
				"PUT /pools allow-move=1 poolid=db vms=5001",
				"POST /nodes/pve1/lxc/5001/status/shutdown forceStop=1 timeout=180",
				"POST /nodes/pve1/lxc/5001/move_volume storage=tank volume=rootfs",
				"POST /nodes/pve1/lxc/5001/status/start",
			)
			if !sim.Running(5001) {
				t.Error("it was not started again")
			}
		}),
	}})
}

func TestAMoveByHandIsFollowed(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	config := acctest.Provider(sim) + body(`rootfs = { storage = "local-lvm", size = "8G" }`, `started = false`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config},
		{
			PreConfig: func() {
				text, _ := sim.ReadFile("nodes/pve1/lxc/5001.conf")
				sim.RemoveFile("nodes/pve1/lxc/5001.conf")
				sim.WriteFile("nodes/pve2/lxc/5001.conf", text)
				sim.ResetRequests()
			},
			Config:           config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckResourceAttr("proxmox_container.c", "node", "pve1"),
				resource.TestCheckResourceAttr("proxmox_container.c", "current_node", "pve2"),
				func(*terraform.State) error { wrote(t, sim); return nil },
			),
		},
	}})
}
