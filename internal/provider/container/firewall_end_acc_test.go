package container_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const firewallOff = "Warning: The firewall of the datacenter is off, so the firewall of no guest filters anything"

// A reinstalled container is not there for a moment without its firewall, and the
// plans say what is not managed and what does not filter.
func TestAReinstallBringsTheFirewallBack(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	cli := acctest.NewCLI(t)
	config := func(firewall string, change ...string) {
		cli.Config(acctest.Provider(sim) + strings.NewReplacer(change...).Replace(body(filtered, firewall)))
	}
	const declared = `firewall = { enabled = true, ip_filter = true, rules = [{ type = "in", action = "ACCEPT", macro = "SSH" }] }`
	config(declared)
	if out := cli.Must("apply", "-auto-approve"); !strings.Contains(out, firewallOff) {
		t.Errorf("the apply does not warn:\n%s", out)
	}
	if out := cli.Must("plan", "-detailed-exitcode"); !strings.Contains(out, firewallOff) {
		t.Errorf("a plan without changes does not warn:\n%s", out)
	}
	sim.WriteFile("firewall/cluster.fw", "[OPTIONS]\nenable: 1\n")
	if out := cli.Must("plan", "-detailed-exitcode"); strings.Contains(out, "Warning") {
		t.Errorf("the plan warns of a firewall that is on:\n%s", out)
	}

	sim.ResetRequests()
	config(declared, "debian-13-standard_13.1-2", "debian-12-standard_12.7-1")
	out := cli.Must("apply", "-auto-approve")
	if strings.Contains(out, "own firewall") {
		t.Errorf("the plan says that a declared firewall goes:\n%s", out)
	}
	var order []string
	for _, line := range acctest.Writes(sim.Requests()) {
		words := strings.Fields(line)
		order = append(order, words[0]+" "+strings.TrimPrefix(words[1], "/nodes/pve1/lxc"))
	}
	want := []string{"DELETE /5001", "POST ", "PUT /5001/firewall/options", "POST /5001/firewall/rules", "POST /5001/status/start"}
	for len(order) > 0 && strings.Contains(order[0], "/status/") {
		order = order[1:] // the old one is stopped
	}
	if !slices.Equal(order, want) {
		t.Errorf("the calls are %q, want %q", order, want)
	}

	config("", "debian-13-standard_13.1-2", "debian-12-standard_12.7-1")
	sim.ResetRequests()
	out = cli.Must("apply", "-auto-approve")
	if !strings.Contains(out, "Warning: The firewall of container 5001 stays as it is and is no longer managed") {
		t.Errorf("the plan does not say that the firewall stays:\n%s", out)
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) != 0 {
		t.Errorf("leaving the block out wrote %q", writes)
	}
	config("") // back to the first template
	if out = cli.Must("plan"); !strings.Contains(out, "The guest's own firewall: 3 rules, options and sets that the configuration does not") {
		t.Errorf("the plan of a reinstall does not say that the firewall goes:\n%s", out)
	}
}
