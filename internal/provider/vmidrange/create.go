package vmidrange

import (
	"context"
	"crypto/rand"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// Create gives out the first numbers. Nothing is written to the cluster.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	seen, d := r.give(ctx, &plan, vmidrange.Ledger{})
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.ID = types.StringValue(rand.Text())
	resp.Diagnostics.Append(seen.remember(ctx, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// give allocates by what the cluster holds at this moment and fills the model.
func (r *Resource) give(ctx context.Context, plan *model, before vmidrange.Ledger) (cluster, diag.Diagnostics) {
	if err := r.data.Boundary.Err(); err != nil {
		return cluster{}, diag.Diagnostics{diags.Failed("The range gives out no numbers", err, diags.Nothing)}
	}
	bounds, _, d := plan.bounds()
	names, _ := plan.names()
	held, err := r.data.Survey.Look(ctx)
	if err != nil {
		d.Append(diags.Failed("Which numbers of the range "+bounds.String()+" are taken could not be seen", err, diags.Nothing))
	}
	if d.HasError() {
		return cluster{}, d
	}
	d.Append(r.refuseTemplates(ctx, bounds)...)
	seen := cluster{taken: held.Taken()}
	after, err := r.allocateProven(ctx, bounds, names, before, &seen)
	if err != nil {
		problem := refusal(err, before, seen.taken)
		if problem == nil {
			problem = diag.Diagnostics{diags.Failed("Which numbers of the range "+bounds.String()+" are taken could not be seen", err, diags.Nothing)}
		}
		d.Append(problem...)
		return seen, d
	}
	plan.fill(bounds, after, seen.taken)
	r.data.VMIDs.Reserve(after.Given())
	return seen, d
}

// allocateProven allocates until the cluster confirms that each new number is
// free: the listing omits guests that the user may not audit.
func (r *Resource) allocateProven(ctx context.Context, bounds vmidrange.Range, names []string, before vmidrange.Ledger, seen *cluster) (vmidrange.Ledger, error) {
	proven := vmidrange.Set{}
	for {
		after, err := vmidrange.Allocate(bounds, names, before, seen.taken)
		if err != nil {
			return after, err
		}
		again := false
		for _, number := range fresh(before, after) {
			if proven.Contains(number.VMID) {
				continue
			}
			hidden, err := r.data.Client.VMIDTaken(ctx, number.VMID)
			if err != nil {
				return after, err
			}
			if hidden {
				seen.hide(number.VMID)
				again = true
			} else {
				proven = proven.Union(vmidrange.SetOf(number.VMID))
			}
		}
		if !again {
			return after, nil
		}
	}
}
