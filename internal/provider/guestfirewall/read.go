package guestfirewall

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// read asks for all of a guest's firewall that the attribute holds: three requests,
// and one more for each interface that has a set of addresses.
func read(ctx context.Context, client *pve.Client, ref guest.Ref) (*live, error) {
	options, err := client.FirewallOptions(ctx, ref)
	if err != nil {
		return nil, err
	}
	l := &live{firewall: firewall{options: options.Values}, digest: options.Digest}
	if l.rows, err = client.FirewallRules(ctx, ref); err != nil {
		return nil, err
	}
	l.rules = rulesOf(l.rows)
	l.sets, err = readSets(ctx, client, ref)
	return l, err
}

func readSets(ctx context.Context, client *pve.Client, ref guest.Ref) (map[string][]string, error) {
	all, err := client.IPSets(ctx, ref)
	if err != nil {
		return nil, err
	}
	sets := map[string][]string{}
	for _, set := range all {
		key, ours := strings.CutPrefix(set.Name, setPrefix)
		if !ours {
			continue
		}
		entries, err := client.IPSetEntries(ctx, ref, set.Name)
		if err != nil {
			return nil, err
		}
		sets[key] = []string{}
		for _, entry := range entries {
			sets[key] = append(sets[key], entryText(entry))
		}
	}
	return sets, nil
}

// Refresh reads the firewall of a guest into the attribute as it was known before.
// One that is not declared is null, and stays so without a request.
func Refresh(ctx context.Context, client *pve.Client, ref guest.Ref, prior types.Object) (types.Object, diag.Diagnostics) {
	m, d := attrs.Object[Model](ctx, prior)
	if m == nil || d.HasError() {
		return types.ObjectNull(Types), d
	}
	l, err := read(ctx, client, ref)
	if err != nil {
		return prior, append(d, unreadable(ref, err))
	}
	keys.Decode(m, l.options, false)
	d.Append(m.absorbRules(ctx, l.rules)...)
	m.absorbSets(l.sets)
	v, more := types.ObjectValueFrom(ctx, Types, *m)
	d.Append(more...)
	return v, d
}

// absorbRules keeps the spelling of a rule that stands at the same place as before.
func (m *Model) absorbRules(ctx context.Context, live []Rule) diag.Diagnostics {
	prior, d := m.rules(ctx)
	if len(live) == 0 && len(m.Rules.Elements()) == 0 && !m.Rules.IsUnknown() {
		return d // null and an empty list are the same
	}
	rules := make([]ruleModel, len(live))
	for i, values := range live {
		rules[i] = *keys.Null[ruleModel]()
		if i < len(prior) {
			rules[i] = prior[i]
		}
		keys.Decode(&rules[i], values, false)
	}
	if len(rules) == 0 {
		m.Rules = types.ListNull(ruleType)
		return d
	}
	var more diag.Diagnostics
	m.Rules, more = types.ListValueFrom(ctx, ruleType, rules)
	return append(d, more...)
}

// absorbSets keeps the spelling of addresses that are the same as before.
func (m *Model) absorbSets(live map[string][]string) {
	if len(live) == 0 && len(m.AllowedAddresses.Elements()) == 0 && !m.AllowedAddresses.IsUnknown() {
		return
	}
	elements := map[string]attr.Value{}
	for key, addresses := range live {
		prior, declared := m.AllowedAddresses.Elements()[key].(types.Set)
		if declared && attrs.Known(prior) && sameAddresses(attrs.Strings(prior), addresses) {
			elements[key] = prior
			continue
		}
		texts := make([]attr.Value, len(addresses))
		for i, address := range addresses {
			texts[i] = types.StringValue(address)
		}
		elements[key] = types.SetValueMust(types.StringType, texts)
	}
	if len(elements) == 0 {
		m.AllowedAddresses = types.MapNull(addressesType)
		return
	}
	m.AllowedAddresses = types.MapValueMust(addressesType, elements)
}
