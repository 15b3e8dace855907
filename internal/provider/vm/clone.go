package vm

import (
	"context"
	"errors"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// source is nil when the VM is no clone, and when the source is not known yet.
func (m *model) source(ctx context.Context) (*guests.Clone, diag.Diagnostics) {
	return guests.CloneOf(ctx, guest.QEMU, m.Clone)
}

// checkClone looks at the source before anything is done: that it is there, that
// its disks can be copied in this way and to this node, and that they are not
// larger than what is wanted.
func (r *Resource) checkClone(ctx context.Context, plan *model) diag.Diagnostics {
	source, d := plan.source(ctx)
	if source == nil || d.HasError() {
		return d
	}
	f, full, d := source.Look(ctx, r.data)
	if d.HasError() {
		return d
	}
	d.Append(source.Can(ctx, r.data, plan.Node, f, full)...)
	return append(d, checkSizes(ctx, plan, f)...)
}

// checkSizes compares the disks of the source with what is wanted: a clone never
// allocates a disk for a key that the source has, and disks never shrink.
func checkSizes(ctx context.Context, plan *model, f guests.Found) diag.Diagnostics {
	want, d := plan.settings(ctx)
	if d.HasError() {
		return d
	}
	c := change{self: f.Ref.VMID, before: keys.Null[settings](), after: want, live: withoutUnused(f.Config.Values)}
	err := c.plan()
	if e, ok := errors.AsType[*ShrinkError](err); ok {
		return diag.Diagnostics{shrinks(e)}
	}
	if e, ok := errors.AsType[*SourceError](err); ok {
		return diag.Diagnostics{noSource(e)}
	}
	if e, ok := errors.AsType[*ConflictError](err); ok {
		return diag.Diagnostics{occupied(f.Ref.VMID, e)}
	}
	return d
}

// withoutUnused is a configuration as a clone gets it.
func withoutUnused(values map[string]string) map[string]string {
	left := maps.Clone(values)
	maps.DeleteFunc(left, func(key, _ string) bool { return datalabel.IsUnused(key) })
	return left
}
