package vmidrange

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// Read brings what the cluster holds into the state, for the next plan to
// allocate by. It asks once for all ranges of a process.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.data.Boundary.Err(); err != nil {
		resp.Diagnostics.Append(diags.Failed("The range cannot be read", err, diags.Nothing))
		return
	}
	bounds, _, d := state.bounds()
	resp.Diagnostics.Append(d...)
	ledger, d := state.ledger()
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	held, err := r.data.Survey.Held(ctx)
	if err != nil {
		resp.Diagnostics.Append(diags.Failed("Which numbers of the range "+bounds.String()+" are taken could not be seen", err, diags.Nothing))
		return
	}
	seen := cluster{taken: held.Taken()}
	if len(held.Unseen) > 0 {
		// What cannot be seen now is not gone.
		before, _ := remembered(ctx, req.Private, takenKey)
		seen.taken = seen.taken.Union(before)
		resp.Diagnostics.Append(diags.StoragesUnseen(bounds, held.Unseen))
	}
	hidden, _ := remembered(ctx, req.Private, hiddenKey)
	if err := r.stillHidden(ctx, hidden, &seen); err != nil {
		resp.Diagnostics.Append(diags.Failed("Which numbers of the range "+bounds.String()+" are taken could not be seen", err, diags.Nothing))
		return
	}
	state.fill(bounds, ledger, seen.taken)
	r.data.VMIDs.Reserve(ledger.Given())
	resp.Diagnostics.Append(seen.remember(ctx, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// stillHidden asks about the numbers that were taken by guests that cannot be seen.
func (r *Resource) stillHidden(ctx context.Context, before vmidrange.Set, seen *cluster) error {
	for id := range before.All() {
		if seen.taken.Contains(id) {
			continue
		}
		taken, err := r.data.Client.VMIDTaken(ctx, id)
		if err != nil {
			return err
		}
		if taken {
			seen.hide(id)
		}
	}
	return nil
}
