package vm

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

func (m *model) validateSource() diag.Diagnostics {
	if m.Restore.IsNull() || m.Clone.IsNull() {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("restore"), "A VM is made as a clone or of a backup archive, not both",
		"clone and restore are both set. "+diags.Nothing+"\n\nRemove one of them.")}
}

// planRestore checks the archive that the VM is to be made of, or made anew of, and
// says what does not come back.
func (r *Resource) planRestore(ctx context.Context, plan *model, anew bool) diag.Diagnostics {
	order := archives.OrderOf(plan.Restore)
	switch {
	case order == nil && anew:
		return archives.CheckKnown(plan.Restore)
	case order == nil:
		return nil
	}
	source, d := r.archive(ctx, plan, order)
	if order.Storage != "" {
		c := checking{r: r, ctx: ctx, node: plan.Node.ValueString(), diags: &d}
		c.storage(path.Root("restore").AtName("storage"), types.StringValue(order.Storage), types.StringNull())
	}
	if !d.HasError() {
		d.Append(source.Losses(path.Root("restore"), archives.Restoration{Unique: order.Unique, Managed: true}))
	}
	return d
}

// openRestore checks once more, right before the call, what may not have been
// known at plan.
func (r *Resource) openRestore(ctx context.Context, plan *model, order *archives.Order) diag.Diagnostics {
	if order == nil {
		return nil
	}
	_, d := r.archive(ctx, plan, order)
	return d
}

// archive reads the archive, and refuses what cannot be laid over the VM in it:
// disks never shrink, and one that is not in the archive is not made.
func (r *Resource) archive(ctx context.Context, plan *model, order *archives.Order) (archives.Source, diag.Diagnostics) {
	source, d := order.Open(ctx, r.data, guest.QEMU, plan.Node.ValueString())
	if d.HasError() {
		return source, d
	}
	values := maps.Clone(source.Config)
	for _, c := range source.Empty() {
		delete(values, c.Key)
	}
	restored := guests.Found{
		Ref:    guest.Ref{Node: source.Node, Kind: guest.QEMU, VMID: source.Archive.VMID},
		Config: pve.GuestConfig{Values: values},
	}
	return source, append(d, checkSizes(ctx, plan, restored)...)
}

// restore makes the VM of an archive. What is declared is laid over it afterwards.
func (c *creation) restore(ctx context.Context, id guest.VMID) (pve.UPID, error) {
	p := pve.Params{}
	for key, value := range map[string]string{"storage": c.order.Storage, "pool": c.plan.Pool.ValueString()} {
		if value != "" {
			p[key] = value
		}
	}
	if c.order.Unique {
		p["unique"] = "1"
	}
	ref := guest.Ref{Node: c.ref().Node, Kind: guest.QEMU, VMID: id}
	return guests.Begin(ctx, c.r.data.Client, pve.LostCall{Guest: ref, Type: "qmrestore"}, func() (pve.UPID, error) {
		return c.r.data.Client.Restore(ctx, ref, c.order.Archive, p)
	})
}
