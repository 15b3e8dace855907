package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Losses is what goes with a guest beside its volumes. Proxmox removes all of
// it together with the guest, and nothing of it comes back by itself.
type Losses struct {
	// Snapshots are their names. The data of a snapshot is in the volumes.
	Snapshots []string
	// Firewall counts rules, options and sets of the guest's own firewall.
	Firewall int
	// ACLs are access rules on the guest's own path, "role for user".
	ACLs []string
	// Pool is the pool that the guest is a member of.
	Pool string
	// Raw are lxc.* lines, which the API cannot set again.
	Raw []string
	// Blind says what could not be seen.
	Blind []string
}

// Losses reads what goes with a guest. Every look that fails is told.
func (l *Lifecycle) Losses(ctx context.Context, f Facts) Losses {
	var got Losses
	blind := func(what string, err error) {
		if err != nil {
			got.Blind = append(got.Blind, fmt.Sprintf("It could not be seen which %s the guest has: %s.", what, err))
		}
	}
	snapshots, err := l.client.Snapshots(ctx, f.Guest)
	blind("snapshots", err)
	for _, s := range snapshots {
		got.Snapshots = append(got.Snapshots, s.Name)
	}
	got.Firewall, err = l.firewall(ctx, f.Guest)
	blind("firewall rules", err)
	rules, err := l.client.ACLs(ctx, "/vms/"+f.Guest.VMID.String())
	blind("access rules", err)
	for _, rule := range rules {
		got.ACLs = append(got.ACLs, rule.Role+" for "+rule.ID)
	}
	for _, line := range f.Config.Raw {
		got.Raw = append(got.Raw, line[0]+": "+line[1])
	}
	slices.Sort(got.Snapshots)
	slices.Sort(got.ACLs)
	return got
}

func (l *Lifecycle) firewall(ctx context.Context, ref guest.Ref) (int, error) {
	options, err := l.client.FirewallOptions(ctx, ref)
	if err != nil {
		return 0, err
	}
	rules, err := l.client.FirewallRules(ctx, ref)
	if err != nil {
		return 0, err
	}
	sets, err := l.client.IPSets(ctx, ref)
	return len(options.Values) + len(rules) + len(sets), err
}

// Lines says what goes, one sentence a line; empty if nothing does.
// firewallDeclared and poolDeclared say that the configuration brings them back.
func (g Losses) Lines(firewallDeclared, poolDeclared bool) []string {
	var lines []string
	if len(g.Snapshots) > 0 {
		lines = append(lines, "Snapshots: "+strings.Join(g.Snapshots, ", ")+".")
	}
	if g.Firewall > 0 && !firewallDeclared {
		lines = append(lines, fmt.Sprintf("The guest's own firewall: %d rules, options and sets that the configuration does not declare.", g.Firewall))
	}
	if len(g.ACLs) > 0 {
		lines = append(lines, "Access rules on the guest: "+strings.Join(g.ACLs, ", ")+".")
	}
	if g.Pool != "" && !poolDeclared {
		lines = append(lines, "Its membership in pool "+g.Pool+".")
	}
	if len(g.Raw) > 0 {
		lines = append(lines, "Raw lines, which the API cannot set again: "+strings.Join(g.Raw, "; ")+".")
	}
	return append(lines, g.Blind...)
}
