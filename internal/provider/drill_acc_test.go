package provider_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// TestTheDrill runs the example: a container is protected, lost, and made of its
// archive again, and then nothing is left to do.
func TestTheDrill(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	block := acctest.Provider(sim)
	empty := resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: block + example(t, "protected"), ConfigPlanChecks: empty},
		{
			PreConfig: func() { lose(t, sim); sim.ResetRequests() },
			Config:    block + example(t, "restored"),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction("proxmox_container.shop", plancheck.ResourceActionCreate),
					plancheck.ExpectResourceAction("proxmox_backup.drill", plancheck.ResourceActionNoop),
					plancheck.ExpectResourceAction("proxmox_vzdump_policy.nightly", plancheck.ResourceActionNoop),
				},
				PostApplyPostRefresh: empty.PostApplyPostRefresh,
			},
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckResourceAttr("proxmox_container.shop", "hostname", "shop"),
				resource.TestCheckResourceAttr("proxmox_container.shop", "started", "true"),
				resource.TestCheckResourceAttr("proxmox_backup.drill", "consistency", "consistent"),
				func(*terraform.State) error { return restored(t, sim) },
			),
		},
		{ // the archive may be destroyed again
			Config: block + strings.Replace(example(t, "restored"), "protected = true", "protected = false", 1),
		},
	}})
}

func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../examples/drill/" + name + "/main.tf")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lose takes the container away as a dead disk does.
func lose(t *testing.T, sim *pvesim.Server) {
	t.Helper()
	sim.SetRunning(5001, false)
	sim.RemoveFile("nodes/pve1/lxc/5001.conf")
	for _, v := range sim.Volumes("pve1") {
		if strings.Contains(v, "vm-5001-") {
			sim.RemoveVolume("pve1", v)
		}
	}
}

func restored(t *testing.T, sim *pvesim.Server) error {
	var archive string
	for _, v := range sim.Volumes("pve1") {
		if strings.Contains(v, ":backup/") {
			archive = v
		}
	}
	want := []string{
		"POST /nodes/pve1/lxc mp0=local-lvm:16,mp=/srv/shop,backup=1 ostemplate=" + archive +
			" restore=1 rootfs=local-lvm:8 unique=1 unprivileged=1 vmid=5001",
		"POST /nodes/pve1/lxc/5001/status/start",
	}
	if diff := cmp.Diff(want, acctest.Writes(sim.Requests())); diff != "" {
		t.Error(diff)
	}
	return nil
}
