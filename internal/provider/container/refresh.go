package container

import (
	"context"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// refresh reads everything into the model, which holds what was known before:
// the state in Read, the plan in Create and Update.
func (r *Resource) refresh(ctx context.Context, m *model, f guests.Found, before guests.Seen) (guests.Seen, diag.Diagnostics) {
	now, err := before.Since(ctx, r.data.Client, f)
	if err != nil {
		return now, diag.Diagnostics{guests.Unreadable(f.Ref, err)}
	}
	first := m.Volumes.IsNull() // never read before: an import
	var d diag.Diagnostics
	diags := m.absorb(ctx, f.Config.Values, first)
	m.CurrentNode = types.StringValue(f.Ref.Node)
	if !attrs.Known(m.Node) {
		m.Node = m.CurrentNode
	}
	m.RawLXC = rawLines(f.Config.Raw)
	m.setVolumes(ctx, now.Entries(f), &diags)
	m.Fingerprint = guests.Fingerprint(f, m.Fingerprint)
	if m.Reconcile.IsUnknown() || m.Reconcile.AttributeTypes(ctx) == nil {
		m.Reconcile = types.ObjectNull(guests.ReconcileTypes)
	}
	if m.Started, m.Pool, err = guests.Listed(ctx, r.data, f, m.Started, m.Pool); err != nil {
		diags.Append(guests.Unreadable(f.Ref, err))
	}
	m.Firewall, d = guestfirewall.Refresh(ctx, r.data.Client, f.Ref, m.Firewall)
	diags.Append(d...)
	diags.Append(r.refreshAddresses(ctx, m, f)...)
	return now, diags
}

func rawLines(raw [][2]string) types.List {
	lines := make([]attr.Value, len(raw))
	for i, line := range raw {
		lines[i] = types.StringValue(line[0] + ": " + line[1])
	}
	return types.ListValueMust(types.StringType, lines)
}

func (m *model) setVolumes(ctx context.Context, entries []datalabel.Entry, diags *diag.Diagnostics) {
	mounts, devices := m.MountPoints.Elements(), m.Devices.Elements()
	volumes, d := guests.Volumes(ctx, entries, func(key string) bool {
		_, mounted := mounts[key]
		_, passed := devices[key]
		return mounted || passed
	})
	diags.Append(d...)
	m.Volumes = volumes
}

func (r *Resource) refreshAddresses(ctx context.Context, m *model, f guests.Found) diag.Diagnostics {
	m.Addresses = types.SetNull(types.StringType)
	if !m.ReadAddresses.ValueBool() {
		return nil
	}
	interfaces, err := r.data.Client.Interfaces(ctx, f.Ref)
	if err != nil {
		return diag.Diagnostics{guests.Unreadable(f.Ref, err)}
	}
	var texts []string
	for _, one := range interfaces {
		for _, address := range one.Addresses {
			if a, err := netip.ParseAddr(address.IP); err == nil && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
				texts = append(texts, a.String())
			}
		}
	}
	m.Addresses = attrs.TagSet(texts)
	if m.Addresses.IsNull() {
		m.Addresses = types.SetValueMust(types.StringType, nil)
	}
	return nil
}
