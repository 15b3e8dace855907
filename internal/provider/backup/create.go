package backup

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// Create starts one backup and waits for it. Its task stands in the state before
// the wait begins, so that nothing is lost when the wait ends first.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	limit, d := plan.Timeouts.Create(ctx, createTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.data.Boundary.Check(plan.id()); err != nil {
		resp.Diagnostics.Append(diags.FailedAt(path.Root("vmid"), "Guest "+plan.id().String()+" is not backed up", err, diags.Nothing))
		return
	}
	g, err := archives.Locate(ctx, r.data, plan.id())
	if err != nil {
		resp.Diagnostics.Append(archives.NotBackedUp(plan.id(), plan.Storage.ValueString(), err))
		return
	}
	promised := r.promised(ctx, g.Ref)
	order := plan.order(g.Ref)
	task, ref, err := r.life.StartBackup(ctx, order)
	if err != nil {
		resp.Diagnostics.Append(archives.NotBackedUp(order.Guest.VMID, order.Storage, err))
		return
	}
	plan.begin(ref, task)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	wait, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err = r.data.Client.Wait(wait, task, archives.Follow(ctx, task, nil))
	if _, goesOn := errors.AsType[*pve.StillRunningError](err); goesOn {
		resp.Diagnostics.Append(archives.GoesOn(ref.VMID, order.Storage, task))
		return
	}
	b, err := r.life.SettleBackup(context.WithoutCancel(ctx), ref, order.Storage, task)
	if _, failed := errors.AsType[*lifecycle.BackupError](err); failed {
		resp.State.RemoveResource(ctx) // there is nothing to track
		resp.Diagnostics.Append(archives.NotBackedUp(ref.VMID, order.Storage, err))
		return
	}
	if err != nil {
		// The task ended, and what it made could not be seen: a refresh tells.
		resp.Diagnostics.Append(archives.GoesOn(ref.VMID, order.Storage, task))
		return
	}
	plan.settle(b)
	resp.Diagnostics.Append(archives.Remarks(archives.Guest{Ref: ref, Name: b.Run.Name}, b, promised)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// promised is what the configuration says will be in the archive. What cannot be
// read promises nothing.
func (r *Resource) promised(ctx context.Context, ref guest.Ref) []vzdump.Content {
	config, err := r.data.Client.Config(ctx, ref)
	if err != nil {
		return nil
	}
	return vzdump.Contents(ref.Kind, config.Values)
}

func (m *model) order(ref guest.Ref) lifecycle.BackupOrder {
	return lifecycle.BackupOrder{
		Guest: ref, Storage: m.Storage.ValueString(), Mode: vzdump.Mode(m.Mode.ValueString()), Compress: vzdump.Compress(m.Compress.ValueString()),
		Notes: m.Notes.ValueString(), Protected: m.Protected.ValueBool(),
	}
}

// begin is the state of a backup that was started.
func (m *model) begin(ref guest.Ref, task pve.UPID) {
	m.State, m.UPID = types.StringValue(running), types.StringValue(string(task))
	m.Node, m.Kind = types.StringValue(ref.Node), types.StringValue(string(ref.Kind))
	m.VolumeID, m.Size, m.Created, m.Consistency = types.StringNull(), types.Int64Null(), types.StringNull(), types.StringNull()
	m.Contains, m.Excluded = types.MapNull(types.StringType), types.MapNull(types.StringType)
}

// rest are the warnings that a refresh shows of a backup that has ended.
func rest(b lifecycle.Backup, ref guest.Ref) diag.Diagnostics {
	return archives.Remarks(archives.Guest{Ref: ref, Name: b.Run.Name}, b, nil)
}
