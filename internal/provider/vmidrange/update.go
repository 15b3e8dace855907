package vmidrange

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// Update makes the planned numbers the range's own, unless one was taken since
// the plan.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	before, d := state.ledger()
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !attrs.Known(plan.VMIDs) {
		taken, d := r.give(ctx, &plan, before)
		resp.Diagnostics.Append(d...)
		if !resp.Diagnostics.HasError() {
			resp.Diagnostics.Append(remember(ctx, resp.Private, taken)...)
			resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
		}
		return
	}
	after, d := plan.ledger()
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(r.refuseTaken(ctx, fresh(before, after))...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.data.VMIDs.Reserve(after.Given())
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// refuseTaken looks at the cluster once more for the numbers that are new.
func (r *Resource) refuseTaken(ctx context.Context, numbers []vmidrange.Reservation) (d diag.Diagnostics) {
	if err := r.data.Boundary.Err(); err != nil {
		return diag.Diagnostics{diags.Failed("The range gives out no numbers", err, diags.Nothing)}
	}
	if len(numbers) == 0 {
		return nil
	}
	held, err := r.data.Survey.Look(ctx)
	if err != nil {
		return diag.Diagnostics{diags.Failed("Whether the planned numbers are still free could not be seen", err, diags.Nothing)}
	}
	for _, number := range numbers {
		what, taken := held.Holder(number.VMID)
		if !taken {
			taken, err = r.data.Client.VMIDTaken(ctx, number.VMID)
		}
		if err != nil {
			d.Append(diags.Failed("Whether the planned numbers are still free could not be seen", err, diags.Nothing))
			return d
		}
		if taken {
			d.Append(diags.NumberTaken(path.Root("reserve").AtSetValue(types.StringValue(number.Name)), number, what))
		}
	}
	return d
}
