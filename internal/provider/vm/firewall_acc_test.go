package vm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// Proxmox copies the firewall of the source to a clone. What is declared is there
// before the first start, and what the source had besides is not.
func TestACloneHasItsOwnFirewallBeforeItsFirstStart(t *testing.T) {
	t.Parallel()
	sim := cluster(t, pvesim.Options{})
	sim.WriteFile("firewall/cluster.fw", "[OPTIONS]\nenable: 1\n")
	sim.WriteFile("firewall/9000.fw", "[OPTIONS]\n\nenable: 1\npolicy_in: ACCEPT\n\n[RULES]\n\nIN ACCEPT -log nolog\n")
	config := vm(cloned, `network = { net0 = { bridge = "vmbr0", firewall = true } }`,
		`firewall = { enabled = true, ip_filter = true, allowed_addresses = { net0 = ["192.0.2.10"] }, rules = [{ type = "in", action = "ACCEPT", macro = "ssh" }] }`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:           acctest.Provider(sim) + config,
		ConfigPlanChecks: empty(),
		Check: check(func() {
			var calls []string
			requests := sim.Requests()
			for i := range requests {
				delete(requests[i].Params, "digest")
			}
			for _, line := range acctest.Writes(requests) {
				if strings.Contains(line, "/firewall/") || strings.Contains(line, "/status/") {
					calls = append(calls, strings.ReplaceAll(line, "/nodes/pve1/qemu/5001/", ""))
				}
			}
			want := []string{
				"PUT firewall/options delete=policy_in ipfilter=1",
				"POST firewall/ipset name=ipfilter-net0",
				"POST firewall/ipset/ipfilter-net0 cidr=192.0.2.10",
				"POST firewall/rules action=ACCEPT enable=0 macro=ssh type=in",
				"DELETE firewall/rules/1",
				"PUT firewall/rules/0 enable=1",
				"POST status/start",
			}
			if diff := cmp.Diff(want, calls); diff != "" {
				t.Error(diff)
			}
		}),
	}}})
}
