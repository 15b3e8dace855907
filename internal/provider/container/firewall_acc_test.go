package container_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const filtered = `
  rootfs  = { storage = "local-lvm", size = "8G" }
  network = { net0 = { name = "eth0", bridge = "vmbr0", ip = "192.0.2.10/24", firewall = true } }`

// antispoofing is a firewall with everything that it can have.
const antispoofing = `firewall = {
    enabled           = true
    ip_filter         = true
    mac_filter        = true
    dhcp              = false
    ndp               = false
    radv              = false
    policy_in         = "DROP"
    policy_out        = "REJECT"
    log_level_in      = "info"
    log_level_out     = "nolog"
    allowed_addresses = { net0 = ["192.0.2.11", "2001:db8::/64"] }
    rules = [
      { type = "in", action = "ACCEPT", proto = "tcp", dport = "22", source = "192.0.2.0/24", comment = "management" },
      { type = "in", action = "ACCEPT", macro = "HTTP", iface = "net0", log = "info" },
      { type = "in", action = "ACCEPT", proto = "icmp", icmp_type = "echo-request", enabled = false },
      { type = "out", action = "DROP", dest = "198.51.100.0/24", proto = "udp", sport = "1024:65535" },
    ]
  }`

// firewallCluster is a cluster whose own firewall is on.
func firewallCluster(t *testing.T) *pvesim.Server {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{})
	sim.WriteFile("firewall/cluster.fw", "[OPTIONS]\nenable: 1\n")
	return sim
}

// firewallCalls are the requests about the guest's firewall, and the start.
func firewallCalls(sim *pvesim.Server) []string {
	var calls []string
	requests := sim.Requests()
	for i := range requests {
		delete(requests[i].Params, "digest")
	}
	for _, line := range acctest.Lines(requests) {
		if strings.Contains(line, "/firewall") || strings.Contains(line, "/status/start") || strings.HasPrefix(line, "PUT") {
			calls = append(calls, strings.ReplaceAll(line, "/nodes/pve1/lxc/5001/", ""))
		}
	}
	return calls
}

func made(calls []string) []string {
	var writes []string
	for _, line := range calls {
		if !strings.HasPrefix(line, "GET") {
			writes = append(writes, line)
		}
	}
	return writes
}

func TestANewContainerHasItsFirewallBeforeItsFirstStart(t *testing.T) {
	t.Parallel()
	sim := firewallCluster(t)

	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: acctest.Provider(sim) + body(filtered, antispoofing),
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
		},
		Check: func(*terraform.State) error {
			want := []string{
				"PUT firewall/options dhcp=0 enable=1 ipfilter=1 log_level_in=info ndp=0 policy_out=REJECT",
				"POST firewall/ipset name=ipfilter-net0",
				"POST firewall/ipset/ipfilter-net0 cidr=192.0.2.11",
				"POST firewall/ipset/ipfilter-net0 cidr=2001:db8::/64",
				"POST firewall/rules action=DROP dest=198.51.100.0/24 enable=1 proto=udp sport=1024:65535 type=out",
				"POST firewall/rules action=ACCEPT enable=0 icmp-type=echo-request proto=icmp type=in",
				"POST firewall/rules action=ACCEPT enable=1 iface=net0 log=info macro=HTTP type=in",
				"POST firewall/rules action=ACCEPT comment=management dport=22 enable=1 proto=tcp source=192.0.2.0/24 type=in",
				"POST status/start",
			}
			if diff := cmp.Diff(want, made(firewallCalls(sim))); diff != "" {
				t.Error(diff)
			}
			return nil
		},
	}}})
}

func TestAFirewallThatIsNotDeclaredCostsNoRequest(t *testing.T) {
	t.Parallel()
	sim := firewallCluster(t)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: acctest.Provider(sim) + body(filtered),
		Check: func(*terraform.State) error {
			for _, line := range acctest.Lines(sim.Requests()) {
				if strings.Contains(line, "firewall/") {
					t.Errorf("asked for: %s", line)
				}
			}
			return nil
		},
	}}})
}

func TestAFirewallChangesInPlace(t *testing.T) {
	t.Parallel()
	sim := firewallCluster(t)
	first := `firewall = {
    enabled = true
    rules   = [{ type = "in", action = "ACCEPT", proto = "tcp", dport = "22" }, { type = "out", action = "DROP", dest = "198.51.100.1" }]
  }`
	second := `firewall = {
    enabled           = true
    ip_filter         = true
    policy_out        = "DROP"
    policy_in         = "ACCEPT"
    allowed_addresses = { net0 = ["192.0.2.12"] }
    rules = [
      { type = "in", action = "DROP", source = "203.0.113.7" },
      { type = "in", action = "ACCEPT", proto = "tcp", dport = "22", comment = "ssh" },
      { type = "in", action = "ACCEPT", proto = "tcp", dport = "443" },
    ]
  }`
	third := `firewall = {
    enabled = false
  }`
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: acctest.Provider(sim) + body(filtered, first), Check: func(*terraform.State) error { sim.ResetRequests(); return nil }},
		inPlace(acctest.Provider(sim)+body(filtered, second), func() {
			firewallWrote(t, sim,
				"POST firewall/ipset name=ipfilter-net0",
				"POST firewall/ipset/ipfilter-net0 cidr=192.0.2.12",
				"PUT firewall/options ipfilter=1 policy_out=DROP",
				"POST firewall/rules action=DROP enable=0 source=203.0.113.7 type=in",
				"POST firewall/rules action=ACCEPT dport=443 enable=0 proto=tcp type=in",
				"PUT firewall/rules/0 moveto=3",
				"PUT firewall/rules/0 enable=1",
				"PUT firewall/rules/2 enable=1",
				"DELETE firewall/rules/3",
				"PUT firewall/rules/1 comment=ssh",
				"PUT firewall/options policy_in=ACCEPT",
			)
		}),
		inPlace(acctest.Provider(sim)+body(filtered, third), func() {
			firewallWrote(t, sim,
				"DELETE firewall/rules/2",
				"DELETE firewall/rules/1",
				"DELETE firewall/rules/0",
				"DELETE firewall/ipset/ipfilter-net0 force=1",
				"PUT firewall/options delete=ipfilter,policy_in,policy_out enable=0",
			)
		}),
	}})
}

func firewallWrote(t *testing.T, sim *pvesim.Server, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, made(firewallCalls(sim))); diff != "" {
		t.Error(diff)
	}
	sim.ResetRequests()
}

// A device comes after the rules for it, and goes before they do.
func TestDevicesChangeBetweenTheHalvesOfAFirewall(t *testing.T) {
	t.Parallel()
	sim := firewallCluster(t)
	with := func(other, firewall string) string {
		return acctest.Provider(sim) + body(`rootfs = { storage = "local-lvm", size = "8G" }`,
			`network = { net0 = { name = "eth0", bridge = "vmbr0", ip = "192.0.2.10/24", hwaddr = "BC:24:11:00:00:01", firewall = true }`, other, `}`, firewall)
	}
	const device = `net1 = { name = "eth1", bridge = "vmbr0", hwaddr = "BC:24:11:00:00:02", firewall = true }`
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: with("", `firewall = { enabled = true }`), Check: func(*terraform.State) error { sim.ResetRequests(); return nil }},
		inPlace(with(device, `firewall = {
      enabled = true
      allowed_addresses = { net1 = ["192.0.2.20"] }
      rules = [{ type = "out", action = "DROP", iface = "net1" }, { type = "out", action = "ACCEPT", iface = "net1", dest = "192.0.2.1" }]
    }`), func() {
			firewallWrote(t, sim,
				"POST firewall/ipset name=ipfilter-net1",
				"POST firewall/ipset/ipfilter-net1 cidr=192.0.2.20",
				"POST firewall/rules action=DROP enable=0 iface=net1 type=out",
				"POST firewall/rules action=ACCEPT dest=192.0.2.1 enable=0 iface=net1 type=out",
				"PUT firewall/rules/0 moveto=2",
				"PUT firewall/rules/0 enable=1",
				"PUT config net1=name=eth1,bridge=vmbr0,firewall=1,hwaddr=BC:24:11:00:00:02",
				"PUT firewall/rules/1 enable=1",
			)
		}),
		inPlace(with("", `firewall = { enabled = true }`), func() {
			firewallWrote(t, sim,
				"DELETE firewall/rules/1",
				"PUT config delete=net1",
				"DELETE firewall/rules/0",
				"DELETE firewall/ipset/ipfilter-net1 force=1",
			)
		}),
	}})
}

func TestAFirewallThatIsChangedByHandIsPlannedBack(t *testing.T) {
	t.Parallel()
	sim := firewallCluster(t)
	config := acctest.Provider(sim) + body(filtered, `firewall = { enabled = true, allowed_addresses = { net0 = ["192.0.2.11/32"] } }`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
		{
			PreConfig: func() {
				sim.WriteFile("firewall/5001.fw", "[OPTIONS]\n\nenable: 1\npolicy_in: ACCEPT\n\n[IPSET ipfilter-net0]\n\n192.0.2.11\n203.0.113.0/24\n\n[RULES]\n\nIN ACCEPT -log nolog\n")
				sim.ResetRequests()
			},
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("proxmox_container.c", plancheck.ResourceActionUpdate)},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			Check: func(*terraform.State) error {
				firewallWrote(t, sim,
					"PUT firewall/options delete=policy_in",
					"DELETE firewall/ipset/ipfilter-net0/203.0.113.0/24",
					"DELETE firewall/rules/0",
				)
				return nil
			},
		},
	}})
}

func TestAFirewallThatSomebodyChangesMeanwhileIsLeftAlone(t *testing.T) {
	t.Parallel()
	sim := firewallCluster(t)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: acctest.Provider(sim) + body(filtered, `firewall = { enabled = true }`)},
		{
			Config: acctest.Provider(sim) + body(filtered, `firewall = { enabled = true, policy_in = "REJECT", rules = [{ type = "in", action = "ACCEPT" }] }`),
			PreConfig: func() {
				sim.Hook("GET", "/nodes/pve1/lxc/5001/firewall/ipset", func() {
					sim.WriteFile("firewall/5001.fw", "[OPTIONS]\n\nenable: 1\npolicy_in: ACCEPT\n\n[RULES]\n\nIN DROP -log nolog\n")
				})
				sim.ResetRequests()
			},
			ExpectError: regexp.MustCompile(`(?s)has been changed by somebody else.*policy_in, the\s+rules. Nothing\s+has\s+been\s+changed`),
		},
	}})
	for _, line := range made(firewallCalls(sim)) {
		t.Errorf("wrote %s", fmt.Sprint(line))
	}
}
