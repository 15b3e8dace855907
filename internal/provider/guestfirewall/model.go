package guestfirewall

import (
	"context"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Model is the attribute as configuration, plan and state hold it. Its tags are
// the firewall's options; what an absent option stands for is what Proxmox does,
// which is not always what it documents: DHCP is allowed unless dhcp is 0.
// Source: PVE::Firewall $vm_option_properties, ruleset_create_vm_chain.
type Model struct {
	Enabled          types.Bool   `tfsdk:"enabled" pve:"enable,default=0,explicit"`
	IPFilter         types.Bool   `tfsdk:"ip_filter" pve:"ipfilter,default=0"`
	MACFilter        types.Bool   `tfsdk:"mac_filter" pve:"macfilter,default=1"`
	DHCP             types.Bool   `tfsdk:"dhcp" pve:"dhcp,default=1"`
	NDP              types.Bool   `tfsdk:"ndp" pve:"ndp,default=1"`
	RADV             types.Bool   `tfsdk:"radv" pve:"radv,default=0"`
	PolicyIn         types.String `tfsdk:"policy_in" pve:"policy_in,default=DROP"`
	PolicyOut        types.String `tfsdk:"policy_out" pve:"policy_out,default=ACCEPT"`
	LogLevelIn       types.String `tfsdk:"log_level_in" pve:"log_level_in,default=nolog"`
	LogLevelOut      types.String `tfsdk:"log_level_out" pve:"log_level_out,default=nolog"`
	AllowedAddresses types.Map    `tfsdk:"allowed_addresses"`
	Rules            types.List   `tfsdk:"rules"`
}

// ruleModel is one rule. Proxmox makes a rule without enable a disabled one; ours
// is always sent, and enabled by default.
type ruleModel struct {
	Type     types.String `tfsdk:"type" pve:"type"`
	Action   types.String `tfsdk:"action" pve:"action"`
	Enabled  types.Bool   `tfsdk:"enabled" pve:"enable,default=1"`
	Macro    types.String `tfsdk:"macro" pve:"macro,fold"`
	Iface    types.String `tfsdk:"iface" pve:"iface"`
	Source   types.String `tfsdk:"source" pve:"source"`
	Dest     types.String `tfsdk:"dest" pve:"dest"`
	Proto    types.String `tfsdk:"proto" pve:"proto"`
	SPort    types.String `tfsdk:"sport" pve:"sport"`
	DPort    types.String `tfsdk:"dport" pve:"dport"`
	ICMPType types.String `tfsdk:"icmp_type" pve:"icmp-type"`
	Log      types.String `tfsdk:"log" pve:"log,default=nolog"`
	Comment  types.String `tfsdk:"comment" pve:"comment"`
}

// firewall is a firewall by Proxmox's keys. Options that are not set are absent.
type firewall struct {
	options map[string]string
	rules   []Rule
	// sets are the addresses that an interface may send from, by its key.
	sets map[string][]string
}

// wanted is what the attribute asks for, nil when it is null or unknown.
func wanted(ctx context.Context, v types.Object) (*firewall, diag.Diagnostics) {
	m, d := attrs.Object[Model](ctx, v)
	if m == nil || d.HasError() {
		return nil, d
	}
	f := &firewall{options: map[string]string{}, sets: map[string][]string{}}
	keys.Encode(m, f.options)
	rules, more := m.rules(ctx)
	d.Append(more...)
	for _, rule := range rules {
		f.rules = append(f.rules, rule.encode())
	}
	for key, element := range m.AllowedAddresses.Elements() {
		if set, ok := element.(types.Set); ok && attrs.Known(set) {
			addresses := attrs.Strings(set)
			slices.Sort(addresses)
			f.sets[key] = addresses
		}
	}
	return f, d
}

// rules are the rules as they are declared, unknown ones left out.
func (m *Model) rules(ctx context.Context) ([]ruleModel, diag.Diagnostics) {
	var rules []ruleModel
	var diags diag.Diagnostics
	for _, element := range m.Rules.Elements() {
		object, _ := element.(types.Object)
		rule, d := attrs.Object[ruleModel](ctx, object)
		diags.Append(d...)
		if rule != nil {
			rules = append(rules, *rule)
		}
	}
	return rules, diags
}

func (r ruleModel) encode() Rule {
	rule := Rule{"enable": "1"}
	keys.Encode(&r, rule)
	return rule
}

// setPrefix begins the names of the sets that limit what an interface may send
// from. Source: PVE::Firewall compile_ipsets.
const setPrefix = "ipfilter-"

// live is a guest's firewall as the cluster has it.
type live struct {
	firewall
	digest string // of the options
	rows   []pve.FirewallRule
	wasOn  bool // whether it filtered before the change
}

func rulesOf(rows []pve.FirewallRule) []Rule {
	var rules []Rule
	for _, row := range rows {
		rules = append(rules, row.Values)
	}
	return rules
}

// entryText is an entry of a set as one text: an exception, which Proxmox calls
// nomatch, has an exclamation mark.
func entryText(e pve.IPSetEntry) string {
	if e.NoMatch {
		return "!" + e.CIDR
	}
	return e.CIDR
}

// canonical is an address or network in one spelling: 192.0.2.1/32 and 192.0.2.1
// are the same.
func canonical(text string) string {
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return prefix.Masked().String()
	}
	if address, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(address, address.BitLen()).String()
	}
	return strings.ToLower(text)
}

// without are the texts of a that are not in b, whatever the spelling.
func without(a, b []string) []string {
	there := map[string]bool{}
	for _, text := range b {
		there[canonical(text)] = true
	}
	var missing []string
	for _, text := range a {
		if !there[canonical(text)] {
			missing = append(missing, text)
		}
	}
	return missing
}

func sameAddresses(a, b []string) bool { return len(without(a, b)) == 0 && len(without(b, a)) == 0 }

// interfaces are the keys of both maps, sorted.
func interfaces(a, b map[string][]string) []string {
	all := slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b)))
	slices.Sort(all)
	return slices.Compact(all)
}
