package snapshot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Read finds the snapshot in the list of the guest's. The list is whole for who may
// see the guest, so one that is not in it is gone; and a guest that is proved to be
// gone took its snapshots along.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	importing := m.Created.IsNull()
	if err := r.data.Boundary.Check(m.id()); err != nil {
		resp.Diagnostics.Append(diags.Failed(m.title()+" is not read", err, diags.Nothing))
		return
	}
	g, err := archives.Locate(ctx, r.data, m.id())
	if unknown, ok := errors.AsType[*archives.UnknownGuestError](err); ok && !unknown.Taken && !importing {
		resp.State.RemoveResource(ctx)
		return
	}
	var found pve.Snapshot
	var there bool
	if err == nil {
		found, there, err = r.find(ctx, g.Ref, m.Name.ValueString())
	}
	switch {
	case err != nil:
		resp.Diagnostics.Append(diags.Failed(m.title()+" cannot be read", err, "It stays in the state. "+diags.Nothing))
	case !there && importing:
		resp.Diagnostics.AddError(fmt.Sprintf("Guest %d has no snapshot %s", m.id(), m.Name.ValueString()), "Nothing has been imported.")
	case !there:
		resp.State.RemoveResource(ctx)
	default:
		m.absorb(found)
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	}
}

// Update changes the description.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !plan.Description.Equal(state.Description) {
		ref, d := r.locate(ctx, &plan)
		resp.Diagnostics.Append(d...)
		if d.HasError() {
			return
		}
		if err := r.data.Client.UpdateSnapshot(ctx, ref, plan.Name.ValueString(), plan.Description.ValueString()); err != nil {
			resp.Diagnostics.Append(diags.FailedAt(path.Root("description"), plan.title()+" was not changed", err, diags.Nothing))
			return
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// Delete removes the snapshot; the guest stays as it is now.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	limit, d := m.Timeouts.Delete(ctx, deleteTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := r.data.Boundary.Check(m.id()); err != nil {
		resp.Diagnostics.Append(diags.Failed(m.title()+" is not removed", err, diags.Nothing))
		return
	}
	g, err := archives.Locate(ctx, r.data, m.id())
	if unknown, ok := errors.AsType[*archives.UnknownGuestError](err); ok && !unknown.Taken {
		return // the guest took it along
	}
	var there bool
	if err == nil {
		_, there, err = r.find(ctx, g.Ref, m.Name.ValueString())
	}
	if err == nil && there {
		var task pve.UPID
		if task, err = r.data.Client.DeleteSnapshot(ctx, g.Ref, m.Name.ValueString()); err == nil {
			_, err = r.data.Client.Wait(ctx, task)
		}
	}
	if err != nil && !errors.Is(err, pve.ErrNoSuch) {
		resp.Diagnostics.Append(diags.Failed(m.title()+" was not removed", err, ""))
	}
}

// ImportState takes VMID/NAME.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	number, name, _ := strings.Cut(req.ID, "/")
	id, err := guest.ParseVMID(number)
	if err != nil || name == "" {
		resp.Diagnostics.AddError(fmt.Sprintf("%q is not the id of a snapshot", req.ID),
			"The id is the VMID and the name, for example 5001/before-upgrade. Nothing has been imported.")
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("vmid"), types.Int64Value(int64(id)))...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("name"), name)...)
}
