package guests

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// Doors are those that the end of a guest passes through; see package ending.
type Doors struct {
	Data *meta.Data
	Life *lifecycle.Lifecycle
}

// PlanDestroy guards the plan of a destroy.
func (o Doors) PlanDestroy(ctx context.Context, s ending.Subject, resp *resource.ModifyPlanResponse) {
	if o.Closed(s, &resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(ending.Leave(ctx, resp.Private, ending.Marker{Operation: blocker.Destroy, Checked: true, Subject: s})...)
	resp.Diagnostics.Append(ending.Plan(ctx, o.Life, blocker.Destroy, s)...)
}

// PlanReplace is the part of the first plan call that looks ahead to a
// replacement: it refuses while a record is open, guards the door if the change
// requires replacement, and leaves the marker in any case. reconcile is the
// record of the state.
func (o Doors) PlanReplace(ctx context.Context, s ending.Subject, replaced bool, reconcile types.Object, resp *resource.ModifyPlanResponse) {
	if o.Closed(s, &resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(ending.Leave(ctx, resp.Private, ending.Marker{Operation: blocker.Reinstall, Checked: replaced, Subject: s})...)
	if replaced {
		resp.Diagnostics.Append(ending.Plan(ctx, o.Life, blocker.Reinstall, s)...)
	}
	if attrs.Known(reconcile) {
		// A human has closed the record, and the state still has it: no refresh
		// has been made since.
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("reconcile"), types.ObjectNull(ReconcileTypes))...)
	}
}

// PlanSecond is the second plan call of a replace: the state is hidden from it, and
// only the marker tells that there is one. Terraform shows its errors and throws
// its warnings away.
func (o Doors) PlanSecond(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	marker, d := ending.Left(ctx, req.Private)
	resp.Diagnostics.Append(d...)
	if marker == nil || marker.Checked || resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(ending.Plan(ctx, o.Life, marker.Operation, marker.Subject)...)
	marker.Checked = true
	resp.Diagnostics.Append(ending.Leave(ctx, resp.Private, *marker)...)
}

// Closed refuses what is not ours and what is half done.
func (o Doors) Closed(s ending.Subject, d *diag.Diagnostics) bool {
	if err := o.Data.Boundary.Check(s.Guest.VMID); err != nil {
		d.Append(Outside(s.Guest.Kind, s.Guest.VMID, err))
		return true
	}
	if s.Record != nil {
		d.Append(ending.Open(*s.Record))
	}
	return d.HasError()
}
