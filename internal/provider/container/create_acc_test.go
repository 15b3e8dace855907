package container_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const template = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"

// small is the shortest useful container.
const small = `
resource "proxmox_container" "c" {
  node       = "pve1"
  vmid       = 5001
  ostemplate = "` + template + `"
  rootfs     = { storage = "local-lvm", size = "8G" }
}
`

func TestCreateSendsOneShortRequest(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	acctest.Run(t, resource.TestCase{
		Steps: []resource.TestStep{{
			Config: acctest.Provider(sim) + small,
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckResourceAttr("proxmox_container.c", "current_node", "pve1"),
				resource.TestCheckResourceAttr("proxmox_container.c", "volumes.rootfs.id", "local-lvm:vm-5001-disk-0"),
				resource.TestCheckResourceAttr("proxmox_container.c", "volumes.rootfs.data", "erased"),
				resource.TestCheckResourceAttr("proxmox_container.c", "volumes.rootfs.mount", "as_configured"),
				resource.TestCheckResourceAttr("proxmox_container.c", "os.type", "debian"),
				func(*terraform.State) error {
					want := []string{
						"POST /nodes/pve1/lxc ostemplate=" + template + " rootfs=local-lvm:8 swap=0 unprivileged=1 vmid=5001",
						"POST /nodes/pve1/lxc/5001/status/start",
					}
					if diff := cmp.Diff(want, acctest.Writes(sim.Requests())); diff != "" {
						t.Error(diff)
					}
					t.Log(acctest.Lines(sim.Requests()))
					return nil
				},
			),
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		}},
	})
}
