package vmidrange_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// withGuests is a range and a container for each of its names. The test framework
// cannot read for_each, so each has a block of its own.
func withGuests(names ...string) string {
	var b strings.Builder
	b.WriteString(rangeBlock(5000, 5009, names...))
	for _, name := range names {
		fmt.Fprintf(&b, `
resource "proxmox_container" %[1]q {
  node       = "pve1"
  vmid       = proxmox_vmid_range.team.vmids[%[1]q]
  hostname   = %[1]q
  ostemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  started    = false
  rootfs     = { storage = "local-lvm", size = "1G" }
}
`, name)
	}
	return b.String()
}

func guestAddress(name string) string { return "proxmox_container." + name }

func TestGuestsTakeTheirNumbersFromARange(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	container(s, "pve2", 5001, "")
	config := acctest.Provider(s, `vmid_range = "5000-8999"`)
	vmid := func(name string, id int64) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(guestAddress(name), tfjsonpath.New("vmid"), knownvalue.Int64Exact(id))
	}
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config:            config + withGuests("web", "db"),
			ConfigStateChecks: []statecheck.StateCheck{vmid("db", 5000), vmid("web", 5002)},
		},
		{ // Nothing happens to the guests that are there, and the number of the new one is in the plan.
			Config: config + withGuests("web", "db", "cache"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(guestAddress("web"), plancheck.ResourceActionNoop),
				plancheck.ExpectResourceAction(guestAddress("db"), plancheck.ResourceActionNoop),
				plancheck.ExpectResourceAction(guestAddress("cache"), plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue(guestAddress("cache"), tfjsonpath.New("vmid"), knownvalue.Int64Exact(5003)),
			}},
		},
		{ // A guest goes, and another one comes in the same apply: not under its number.
			Config: config + withGuests("web", "mail", "cache"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(guestAddress("web"), plancheck.ResourceActionNoop),
				plancheck.ExpectResourceAction(guestAddress("db"), plancheck.ResourceActionDestroy),
				plancheck.ExpectKnownValue(guestAddress("mail"), tfjsonpath.New("vmid"), knownvalue.Int64Exact(5004)),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				state("retired", knownvalue.StringExact("5000")),
				vmid("web", 5002), vmid("cache", 5003), vmid("mail", 5004),
			},
		},
		{ // The name comes back as another guest, under a number that nobody had.
			Config: config + withGuests("web", "mail", "cache", "db"),
			ConfigStateChecks: []statecheck.StateCheck{
				state("used", knownvalue.StringExact("5001-5004")), // as last read, before the apply
				vmid("db", 5005),
			},
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
	}})
	for _, line := range acctest.Writes(s.Requests()) {
		if strings.Contains(line, "/5001") || strings.Contains(line, "vmid=5001") {
			t.Errorf("the guest of another was touched: %s", line)
		}
	}
}
