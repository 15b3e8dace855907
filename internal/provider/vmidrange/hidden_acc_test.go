package vmidrange_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// TestGuestsThatCannotBeSeenCountAsTaken uses a token that may see storages and no
// guest at all.
func TestGuestsThatCannotBeSeenCountAsTaken(t *testing.T) {
	t.Parallel()
	const secret = "00000000-0000-4000-8000-000000000000"
	s := acctest.Cluster(t, pvesim.Options{
		Tokens: map[string]string{"blind@pve!t": secret},
		Files: map[string]string{
			"storage.cfg": "lvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n",
			"user.cfg":    "user:root@pam:1:0::::::\nuser:blind@pve:1:0::::::\nacl:1:/storage:blind@pve:PVEDatastoreUser:\n",
		},
	})
	hidden := func(id int) {
		s.WriteFile(fmt.Sprintf("nodes/pve1/lxc/%d.conf", id), "arch: amd64\nhostname: hidden\n")
	}
	hidden(5000)
	hidden(5002)
	config := fmt.Sprintf("provider \"proxmox\" {\n  endpoint = %q\n  api_token = \"blind@pve!t=%s\"\n  vmid_range = \"5000-8999\"\n}\n", s.URL(), secret)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{ // A create asks about each number before it gives it.
			Config:            config + rangeBlock(5000, 5009, "a", "b"),
			ConfigStateChecks: []statecheck.StateCheck{state("vmids", numbers(map[string]int64{"a": 5001, "b": 5003}))},
		},
		{ // A planned number that is taken is refused, and the plan after it takes another.
			PreConfig:   func() { hidden(5004) },
			Config:      config + rangeBlock(5000, 5009, "a", "b", "c"),
			ExpectError: spaced(`It is held by a guest that this user may not see since the plan was made. Nothing has been changed.`),
		},
		{
			Config:            config + rangeBlock(5000, 5009, "a", "b", "c"),
			ConfigStateChecks: []statecheck.StateCheck{state("vmids", numbers(map[string]int64{"a": 5001, "b": 5003, "c": 5005}))},
		},
	}})
}
