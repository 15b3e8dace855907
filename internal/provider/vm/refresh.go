package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// refresh reads everything into the model, which holds what was known before: the
// state in Read, the plan in Create and Update.
func (r *Resource) refresh(ctx context.Context, m *model, f guests.Found, before guests.Seen) (guests.Seen, diag.Diagnostics) {
	now, err := before.Since(ctx, r.data.Client, f)
	if err != nil {
		return now, diag.Diagnostics{guests.Unreadable(f.Ref, err)}
	}
	first := m.Volumes.IsNull() // never read before: an import
	diags := m.absorb(ctx, f.Config.Values, first)
	diags.Append(m.setVolumes(ctx, now, f)...)
	m.absorbPlace(f)
	m.Fingerprint = guests.Fingerprint(f, m.Fingerprint)
	m.absorbTemplate(f.Config.Values["template"], first)
	if m.Reconcile.IsUnknown() || m.Reconcile.AttributeTypes(ctx) == nil {
		m.Reconcile = types.ObjectNull(guests.ReconcileTypes)
	}
	m.Started, m.Pool, err = guests.Listed(ctx, r.data, f, m.Started, m.Pool)
	if err != nil {
		diags.Append(guests.Unreadable(f.Ref, err))
	}
	var d diag.Diagnostics
	m.Firewall, d = guestfirewall.Refresh(ctx, r.data.Client, f.Ref, m.Firewall)
	diags.Append(d...)
	diags.Append(r.refreshAddresses(ctx, m, f)...)
	return now, diags
}

func (m *model) absorbPlace(f guests.Found) {
	m.CurrentNode = types.StringValue(f.Ref.Node)
	if !attrs.Known(m.Node) {
		m.Node = m.CurrentNode
	}
}

// absorbTemplate reads whether the VM is a template. A pending or written
// template=0 is the same as none.
func (m *model) absorbTemplate(text string, first bool) {
	live, _ := keys.ParseBool(text)
	if attrs.Known(m.Template) || first && live {
		m.Template = types.BoolValue(live)
	}
}

// setVolumes fills the map volumes. A key is declared when any of the attributes
// for drives has it.
func (m *model) setVolumes(ctx context.Context, now guests.Seen, f guests.Found) diag.Diagnostics {
	disks, cdroms := m.Disks.Elements(), m.CDROMs.Elements()
	drive, _ := flatOf(f.Config.Values).cloudInitDrive()
	volumes, d := guests.Volumes(ctx, now.Entries(f), func(key string) bool {
		_, disk := disks[key]
		_, cdrom := cdroms[key]
		return disk || cdrom || key == "efidisk0" && !m.EFIDisk.IsNull() || key == "tpmstate0" && !m.TPMState.IsNull() ||
			key == drive && !m.CloudInit.IsNull()
	})
	m.Volumes = volumes
	return d
}

func flatOf(values map[string]string) flat {
	f, _ := flatten(values)
	return f
}
