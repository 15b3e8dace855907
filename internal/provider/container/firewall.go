package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
)

func (m *model) validateFirewall(ctx context.Context) diag.Diagnostics {
	return guestfirewall.Validate(ctx, guest.LXC, m.Firewall, guestfirewall.Interfaces(m.Network, "ip", "ip6"))
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
	u.firewall = guestfirewall.Change{Client: u.r.data.Client, Ref: u.steps.Ref, Before: u.state.Firewall, After: u.plan.Firewall}
	return u.firewall.Failed(u.firewall.Close(ctx))
}

func (u *updating) openFirewall(ctx context.Context) diag.Diagnostics {
	return u.firewall.Failed(u.firewall.Open(ctx))
}
