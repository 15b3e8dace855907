package container_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

func many(n int) string {
	return fmt.Sprintf(`
resource "proxmox_container" "c" {
  count      = %d
  node       = "pve1"
  vmid       = 5001 + count.index
  ostemplate = %q
  rootfs     = { storage = "local-lvm", size = "1G" }
  network    = { net0 = { name = "eth0", bridge = "vmbr0", ip = "dhcp" } }
}
`, n, template)
}

func TestARefreshAsksOnceForAllAndOnceForEach(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			sim := acctest.Cluster(t, pvesim.Options{})
			w := acctest.NewCLI(t)
			w.Config(acctest.Provider(sim) + many(n))
			w.Must("apply", "-auto-approve")
			sim.ResetRequests()
			if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
				t.Fatalf("code %d:\n%s", r.Code, r.Out)
			}
			lines := acctest.Lines(sim.Requests())
			if len(lines) != n+1 {
				t.Errorf("%d requests for %d containers:\n%s", len(lines), n, strings.Join(lines, "\n"))
			}
			for _, line := range lines {
				if line != "GET /cluster/resources" && !(strings.HasPrefix(line, "GET /nodes/pve1/lxc/") && strings.HasSuffix(line, "/config")) {
					t.Errorf("nobody needs %s", line)
				}
			}
		})
	}
}

func TestACreateAndStartIsThreeRequests(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + many(1))
	w.Must("plan", "-out=saved")
	planned := acctest.Lines(sim.Requests())
	sim.ResetRequests()
	w.Must("apply", "saved")
	applied := acctest.Lines(sim.Requests())
	if len(planned) != 2 || !acctest.Tofu() && len(applied) != 3 {
		t.Errorf("%d requests to plan:\n%s\n%d to apply:\n%s", len(planned), strings.Join(planned, "\n"), len(applied), strings.Join(applied, "\n"))
	}
	for _, r := range sim.Requests() {
		if strings.Contains(r.Path, "agent") || strings.Contains(r.Path, "version") {
			t.Errorf("nobody needs %s %s", r.Method, r.Path)
		}
	}
}

func TestAddressesAreReadOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	const rest = `
  rootfs  = { storage = "local-lvm", size = "1G" }
  network = { net0 = { name = "eth0", bridge = "vmbr0", ip = "192.0.2.7/24" } }`
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: acctest.Provider(sim) + body(rest), Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckNoResourceAttr("proxmox_container.c", "addresses.#"),
			func(*terraform.State) error {
				for _, r := range sim.Requests() {
					if strings.HasSuffix(r.Path, "/interfaces") {
						t.Errorf("nobody asked for %s", r.Path)
					}
				}
				return nil
			})},
		{Config: acctest.Provider(sim) + body(rest, "read_addresses = true"), Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("proxmox_container.c", "addresses.#", "1"),
			resource.TestCheckTypeSetElemAttr("proxmox_container.c", "addresses.*", "192.0.2.7"),
		)},
	}})
}
