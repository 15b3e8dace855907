package container_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// Another node is a migration, never a replace, and a guest that somebody else
// migrated is followed.
func TestANodeChangeMigrates(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{Nodes: []string{"pve1", "pve2"}})
	storages, _ := sim.ReadFile("storage.cfg")
	sim.WriteFile("storage.cfg", storages+"\nnfs: shared\n\tpath /mnt/pve/shared\n\tserver 192.0.2.9\n\texport /guests\n\tcontent rootdir,images\n")
	on := func(node string, more ...string) string {
		text := body(append([]string{`rootfs = { storage = "shared", size = "4G" }`}, more...)...)
		return acctest.Provider(sim) + strings.Replace(text, `node       = "pve1"`, `node       = "`+node+`"`, 1)
	}
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: on("pve1")},
		{PreConfig: sim.ResetRequests, Config: on("pve1")},
		inPlace(on("pve2"), func() {
			wrote(t, sim, "POST /nodes/pve1/lxc/5001/migrate restart=1 target=pve2")
			if _, there := sim.ReadFile("nodes/pve2/lxc/5001.conf"); !there {
				t.Error("container 5001 is not on pve2")
			}
			if !sim.Running(5001) {
				t.Error("container 5001 does not run after its migration")
			}
		}),
	}})
}
