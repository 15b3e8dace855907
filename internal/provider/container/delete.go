package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// Delete destroys the container if it is what was planned on: the last door,
// and the only one for tainted objects and plans that are out of date.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	limit, d := state.Timeouts.Delete(ctx, deleteTimeout)
	resp.Diagnostics.Append(d...)
	s, d := r.subject(ctx, &state, nil)
	resp.Diagnostics.Append(d...)
	marker, d := ending.Left(ctx, req.Private)
	resp.Diagnostics.Append(d...)
	if r.doors().Closed(s, &resp.Diagnostics) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	record, d := ending.Delete(ctx, r.life(), s, marker, limit)
	resp.Diagnostics.Append(d...)
	if record != nil {
		resp.Diagnostics.Append(state.setRecord(ctx, record)...)
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("reconcile"), state.Reconcile)...)
	}
	if !resp.Diagnostics.HasError() {
		r.data.Guests.Note(s.Guest.VMID, meta.Note{Gone: true})
	}
}
