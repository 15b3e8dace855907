package container

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
)

// interfaces are the network devices as the firewall sees them, nil while they are
// not known.
func (m *model) interfaces(ctx context.Context) (map[string]guestfirewall.Interface, diag.Diagnostics) {
	if m.Network.IsUnknown() {
		return nil, nil
	}
	network, d := attrs.Map[networkModel](ctx, m.Network)
	if len(network) != len(m.Network.Elements()) {
		return nil, d
	}
	seen := map[string]guestfirewall.Interface{}
	for key, n := range network {
		seen[key] = guestfirewall.Interface{Firewall: n.Firewall, Addressed: addressed(n.IP) || addressed(n.IP6)}
	}
	return seen, d
}

// addressed reports whether an attribute holds an address, or will.
func addressed(v types.String) bool { return v.IsUnknown() || strings.Contains(v.ValueString(), "/") }

func (m *model) validateFirewall(ctx context.Context) diag.Diagnostics {
	network, d := m.interfaces(ctx)
	return append(d, guestfirewall.Validate(ctx, guest.LXC, m.Firewall, network)...)
}

// planFirewall warns of what a declared firewall does not do. state is nil for a
// create.
func (r *Resource) planFirewall(ctx context.Context, state, plan *model) diag.Diagnostics {
	d := guestfirewall.Plan(ctx, r.data, plan.Firewall)
	if state != nil {
		d.Append(guestfirewall.Dropped(state.ref(), state.Firewall, plan.Firewall)...)
	}
	return d
}

// closeFirewall and openFirewall enclose the change of the configuration: see
// guestfirewall.Change.
func (u *updating) closeFirewall(ctx context.Context) diag.Diagnostics {
	u.firewall = guestfirewall.Change{Client: u.r.data.Client, Ref: u.ref, Before: u.state.Firewall, After: u.plan.Firewall}
	return u.firewall.Failed(u.firewall.Close(ctx))
}

func (u *updating) openFirewall(ctx context.Context) diag.Diagnostics {
	return u.firewall.Failed(u.firewall.Open(ctx))
}
