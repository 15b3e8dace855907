package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
)

// step applies a configuration whose plan for a resource is the action, and
// after which the plan is empty.
func step(config, address string, action plancheck.ResourceActionType) resource.TestStep {
	return resource.TestStep{
		Config: config,
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)},
			PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
		},
	}
}

// The life of a container holds on a genuine node as on the simulator: set
// PROXMOX_VE_ENDPOINT and what acctest.Portable names.
func TestPortableLifeOfAContainer(t *testing.T) {
	t.Parallel()
	on := acctest.Portable(t)
	container := func(template, size string, more ...string) string {
		return on.Provider + fmt.Sprintf(`
resource "proxmox_container" "c" {
  node       = %q
  vmid       = %d
  hostname   = "portable"
  ostemplate = %q
  memory     = { size = 128 }
  rootfs     = { storage = %q, size = %q }
  network    = { net0 = { name = "eth0", bridge = %q, ip = "dhcp" } }
  %s
}
`, on.Node, on.VMID, template, on.Storage, size, on.Bridge, strings.Join(more, "\n  "))
	}
	mount := fmt.Sprintf(`mount_points = { mp0 = { path = "/srv", storage = %q, size = "512M" } }`, on.Storage)
	const at = "proxmox_container.c"
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		step(container(on.Template, "1G"), at, plancheck.ResourceActionCreate),
		step(container(on.Template, "1536M", mount, `tags = ["portable"]`), at, plancheck.ResourceActionUpdate),
		step(container(on.OtherTemplate, "1536M", mount, `tags = ["portable"]`), at, plancheck.ResourceActionDestroyBeforeCreate),
		{ResourceName: at, ImportState: true, ImportStateId: fmt.Sprint(on.VMID), ImportStateVerify: true,
			ImportStateVerifyIdentifierAttribute: "vmid",
			// What only the configuration knows is not imported, and made is known of our own creates only.
			ImportStateVerifyIgnore: []string{"ostemplate", "fingerprint", "timeouts"}},
	}})
}

func TestPortableLifeOfAVM(t *testing.T) {
	t.Parallel()
	on := acctest.Portable(t)
	vm := func(size string, more ...string) string {
		return on.Provider + fmt.Sprintf(`
resource "proxmox_vm" "v" {
  node    = %q
  vmid    = %d
  name    = "portable"
  started = false
  memory  = { size = 128 }
  disks   = { scsi0 = { storage = %q, size = %q } }
  network = { net0 = { model = "virtio", bridge = %q } }
  %s
}
`, on.Node, on.VMID+1, on.Storage, size, on.Bridge, strings.Join(more, "\n  "))
	}
	const at = "proxmox_vm.v"
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		step(vm("1G"), at, plancheck.ResourceActionCreate),
		step(vm("2G", `tags = ["portable"]`), at, plancheck.ResourceActionUpdate),
	}})
}
