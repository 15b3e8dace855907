package guestfirewall

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Interface is what matters of a network device.
type Interface struct {
	// Firewall is the device's own attribute; null is off.
	Firewall types.Bool
	// Addressed says that the device has an address of its own in the configuration,
	// or one that is not known yet: Proxmox lets a container send from it.
	Addressed bool
}

// Interfaces are the network devices of a resource's attribute network, nil while
// they are not known. addresses are the names of the attributes of a device that may
// hold an address with its prefix.
func Interfaces(network types.Map, addresses ...string) map[string]Interface {
	if network.IsUnknown() {
		return nil
	}
	devices := map[string]Interface{}
	for key, element := range network.Elements() {
		device, ok := element.(types.Object)
		if !ok || device.IsUnknown() {
			return nil
		}
		seen := Interface{}
		seen.Firewall, _ = device.Attributes()["firewall"].(types.Bool)
		for _, name := range addresses {
			text, _ := device.Attributes()[name].(types.String)
			seen.Addressed = seen.Addressed || text.IsUnknown() || strings.Contains(text.ValueString(), "/")
		}
		devices[key] = seen
	}
	return devices
}

// Validate checks what the attribute says by itself and together with the network
// devices of the same configuration. network is nil while it is not known. A VM may
// have devices that are not declared.
func Validate(ctx context.Context, kind guest.Kind, v types.Object, network map[string]Interface) diag.Diagnostics {
	m, d := attrs.Object[Model](ctx, v)
	if m == nil || d.HasError() {
		return d
	}
	d.Append(m.validateRules(ctx, kind, network)...)
	if network == nil {
		return d
	}
	for _, key := range slices.Sorted(maps.Keys(m.AllowedAddresses.Elements())) {
		at := root.AtName("allowed_addresses").AtMapKey(key)
		device, there := network[key]
		switch {
		case !there && kind == guest.QEMU:
		case !there:
			d.AddAttributeError(at, fmt.Sprintf("%s has allowed addresses and does not exist", key),
				fmt.Sprintf("There is no %s in network. Nothing has been changed.\n\nDeclare the device, or leave its addresses out.", key))
		case !device.Firewall.IsUnknown() && !device.Firewall.ValueBool():
			d.AddAttributeError(at, fmt.Sprintf("%s has allowed addresses and does not pass through the firewall", key),
				fmt.Sprintf("Proxmox filters a device only if its own firewall flag is set, so it could send from any address. Nothing has been changed.\n\nSet firewall = true in network[%q].", key))
		}
	}
	if attrs.Known(m.Enabled) && m.Enabled.ValueBool() {
		d.Append(m.unfiltered(network)...)
		d.Append(m.silenced(kind, network)...)
	}
	return d
}

// unfiltered warns of devices that pass by the firewall.
func (m *Model) unfiltered(network map[string]Interface) diag.Diagnostics {
	var open []string
	for key, device := range network {
		if _, named := m.AllowedAddresses.Elements()[key]; !named && !device.Firewall.IsUnknown() && !device.Firewall.ValueBool() {
			open = append(open, key)
		}
	}
	if len(open) == 0 {
		return nil
	}
	slices.Sort(open)
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(root.AtName("enabled"), fmt.Sprintf("The firewall does not filter %s", strings.Join(open, ", ")),
		"Proxmox filters a network device only if its own firewall flag is set.\n\nSet firewall = true for it in network, unless it is meant to pass by.")}
}

// silenced warns of devices that may send from no address at all.
func (m *Model) silenced(kind guest.Kind, network map[string]Interface) diag.Diagnostics {
	if !m.IPFilter.ValueBool() || m.AllowedAddresses.IsUnknown() {
		return nil
	}
	var mute []string
	for key, device := range network {
		_, named := m.AllowedAddresses.Elements()[key]
		if !named && device.Firewall.ValueBool() && (kind == guest.QEMU || !device.Addressed) {
			mute = append(mute, key)
		}
	}
	if len(mute) == 0 {
		return nil
	}
	slices.Sort(mute)
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(root.AtName("ip_filter"), fmt.Sprintf("No IP address is allowed on %s", strings.Join(mute, ", ")),
		"With ip_filter a device may send only from addresses that Proxmox knows. It knows those in the configuration of a container's device and those in allowed_addresses, "+
			"and none that a guest gets by DHCP or sets itself: only IPv6 link-local packets pass.\n\nName the addresses in allowed_addresses.")}
}

func (m *Model) validateRules(ctx context.Context, kind guest.Kind, network map[string]Interface) diag.Diagnostics {
	rules, d := m.rules(ctx)
	if len(rules) != len(m.Rules.Elements()) {
		return d // some are not known yet, so the places are not either
	}
	for i, r := range rules {
		at := root.AtName("rules").AtListIndex(i)
		for name, port := range map[string]types.String{"sport": r.SPort, "dport": r.DPort} {
			if attrs.Known(port) && r.Proto.IsNull() && r.Macro.IsNull() {
				d.AddAttributeError(at.AtName(name), fmt.Sprintf("Rule %d names a port without a protocol", i),
					"Proxmox refuses such a rule. Nothing has been changed.\n\nSet proto, for example \"tcp\", or macro.")
			}
		}
		if verdict := slices.Contains(policies, r.Action.ValueString()); attrs.Known(r.Type) && attrs.Known(r.Action) && (r.Type.ValueString() == "group") == verdict {
			d.AddAttributeError(at.AtName("action"), fmt.Sprintf("Rule %d is of type %s and its action is %s", i, r.Type.ValueString(), r.Action.ValueString()),
				"The action of a rule of type group is the name of a security group; that of any other is ACCEPT, DROP or REJECT. Nothing has been changed.")
		}
		if _, there := network[r.Iface.ValueString()]; network != nil && kind == guest.LXC && attrs.Known(r.Iface) && !there {
			d.AddAttributeError(at.AtName("iface"), fmt.Sprintf("Rule %d is for %s, which does not exist", i, r.Iface.ValueString()),
				"There is no such device in network, so the rule would never fit. Nothing has been changed.")
		}
	}
	return d
}

// Plan warns while the firewall of the datacenter is off, since then nothing that is
// declared here filters. It is asked once a process. Whoever may not see it (it
// needs Sys.Audit on /) is told nothing.
func Plan(ctx context.Context, data *meta.Data, planned types.Object) diag.Diagnostics {
	m, d := attrs.Object[Model](ctx, planned)
	if m == nil || d.HasError() || !m.Enabled.ValueBool() {
		return d
	}
	on, err := data.Templates.Ask("the firewall of the datacenter is on", func() (bool, error) {
		options, err := data.Client.ClusterFirewallOptions(ctx)
		return errors.Is(err, pve.ErrPermission) || err == nil && options.Values["enable"] != "" && options.Values["enable"] != "0", ignore(err, pve.ErrPermission)
	})
	switch {
	case err != nil:
		d.Append(diags.FailedAt(root, "Whether the firewall of the datacenter is on could not be asked", err, diags.Nothing))
	case !on:
		d.AddAttributeWarning(root.AtName("enabled"), "The firewall of the datacenter is off, so the firewall of no guest filters anything",
			"What is declared here is stored all the same, and filters as soon as the other one is on.\n\n"+
				"Look at the datacenter's own rules first: once it is on, it refuses everything that comes in to the nodes and is not allowed there. "+
				"Then switch it on: Datacenter, Firewall, Options in the web interface, or pvesh set /cluster/firewall/options --enable 1.")
	}
	return d
}

func ignore(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}

// Dropped warns that a firewall is not managed any more.
func Dropped(ref guest.Ref, before, after types.Object) diag.Diagnostics {
	if !attrs.Known(before) || !after.IsNull() {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(root, fmt.Sprintf("The firewall of %s %d stays as it is and is no longer managed", ref.Kind.Noun(), ref.VMID),
		"Leaving the block out removes no rule and switches nothing off.\n\nTo switch the firewall off, set enabled = false and apply that.")}
}
