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
		seen, d := r.give(ctx, &plan, before)
		resp.Diagnostics.Append(d...)
		if !resp.Diagnostics.HasError() {
			resp.Diagnostics.Append(seen.remember(ctx, resp.Private)...)
			resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
		}
		return
	}
	after, d := plan.ledger()
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	hidden, d := r.refuseTaken(ctx, fresh(before, after))
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		// Otherwise the next plan would choose the same number: no refresh sees it.
		known, _ := remembered(ctx, req.Private, hiddenKey)
		resp.Diagnostics.Append(remember(ctx, resp.Private, hiddenKey, known.Union(hidden))...)
		return
	}
	r.data.VMIDs.Reserve(after.Given())
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// refuseTaken looks at the cluster once more for the numbers that are new. hidden
// are those that something holds which cannot be seen.
func (r *Resource) refuseTaken(ctx context.Context, numbers []vmidrange.Reservation) (hidden vmidrange.Set, d diag.Diagnostics) {
	if err := r.data.Boundary.Err(); err != nil {
		return hidden, diag.Diagnostics{diags.Failed("The range gives out no numbers", err, diags.Nothing)}
	}
	if len(numbers) == 0 {
		return hidden, nil
	}
	held, err := r.data.Survey.Look(ctx)
	if err != nil {
		return hidden, diag.Diagnostics{diags.Failed("Whether the planned numbers are still free could not be seen", err, diags.Nothing)}
	}
	for _, number := range numbers {
		what, taken := held.Holder(number.VMID)
		if !taken {
			if taken, err = r.data.Client.VMIDTaken(ctx, number.VMID); taken {
				hidden = hidden.Union(vmidrange.SetOf(number.VMID))
			}
		}
		if err != nil {
			d.Append(diags.Failed("Whether the planned numbers are still free could not be seen", err, diags.Nothing))
			return hidden, d
		}
		if taken {
			d.Append(diags.NumberTaken(path.Root("reserve").AtSetValue(types.StringValue(number.Name)), number, what))
		}
	}
	return hidden, d
}
