package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Update changes notes and protection. The archive is looked at first: Proxmox
// protects also what does not exist.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	p := pve.Params{}
	if !plan.Notes.Equal(state.Notes) {
		p["notes"] = plan.Notes.ValueString()
	}
	if !plan.Protected.Equal(state.Protected) {
		p["protected"] = keys.FormatBool(plan.Protected.ValueBool())
	}
	if len(p) > 0 {
		resp.Diagnostics.Append(r.mark(ctx, &state, p)...)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	}
}

func (r *Resource) mark(ctx context.Context, state *model, p pve.Params) diag.Diagnostics {
	volume := state.VolumeID.ValueString()
	if state.State.ValueString() == running {
		return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("The backup of guest %d is still running", state.id()),
			fmt.Sprintf("Its task is %s. Notes and protection can be changed when the archive is there. %s\n\nApply again when the task has ended.", state.UPID.ValueString(), diags.Nothing))}
	}
	if err := r.data.Boundary.Check(state.id()); err != nil {
		return diag.Diagnostics{diags.Failed("The archive "+volume+" is not changed", err, diags.Nothing)}
	}
	_, node, err := archives.Find(ctx, r.data, state.Node.ValueString(), volume)
	if err == nil {
		storage := state.Storage.ValueString()
		err = r.data.Client.UpdateArchive(ctx, node, storage, volume, p)
	}
	if err != nil {
		return diag.Diagnostics{diags.Failed("The archive "+volume+" was not changed", err, diags.Nothing)}
	}
	return nil
}

// Delete removes the archive, unless it is to be kept.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	limit, d := m.Timeouts.Delete(ctx, deleteTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() || m.KeepOnDestroy.ValueBool() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := r.data.Boundary.Check(m.id()); err != nil {
		resp.Diagnostics.Append(diags.Failed("The archive of guest "+m.id().String()+" is not removed", err, diags.Nothing))
		return
	}
	if m.State.ValueString() == running {
		resp.Diagnostics.Append(r.stillRunning(ctx, &m)...)
		return
	}
	resp.Diagnostics.Append(r.remove(ctx, &m)...)
}

func (r *Resource) remove(ctx context.Context, m *model) diag.Diagnostics {
	volume := m.VolumeID.ValueString()
	info, node, err := archives.Find(ctx, r.data, m.Node.ValueString(), volume)
	if _, gone := errors.AsType[*archives.GoneError](err); gone {
		return nil
	}
	if err == nil && bool(info.Protected) {
		return diag.Diagnostics{archives.Protected(volume)}
	}
	if err == nil {
		var task pve.UPID
		if task, err = r.data.Client.DeleteVolume(ctx, node, volume); err == nil {
			_, err = r.data.Client.Wait(ctx, task)
		}
	}
	switch {
	case errors.Is(err, pve.ErrProtected):
		return diag.Diagnostics{archives.Protected(volume)}
	case err != nil:
		return diag.Diagnostics{diags.Failed("The archive "+volume+" was not removed", err, "")}
	}
	return nil
}

// stillRunning refuses to forget a backup that goes on. One that has ended in the
// meantime is settled and removed.
func (r *Resource) stillRunning(ctx context.Context, m *model) diag.Diagnostics {
	task := pve.UPID(m.UPID.ValueString())
	b, err := r.life.SettleBackup(ctx, m.ref(), m.Storage.ValueString(), task)
	switch {
	case b.Running:
		return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("The backup of guest %d is still running", m.id()),
			fmt.Sprintf("Its task %s would go on and leave an archive behind that nobody knows of. %s\n\nWait for the task to end, or stop it at node %s, then destroy again. To leave the archive on the storage, set keep_on_destroy = true and apply first.", task, diags.Nothing, task.Node()))}
	case err == nil:
		m.settle(b)
		return r.remove(ctx, m)
	}
	return nil // it has failed, and there is nothing to remove
}

// ModifyPlan guards the removal, and asks the cluster what a new backup needs.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.data == nil {
		return
	}
	var state, plan model
	fresh, destroyed := req.State.Raw.IsNull(), req.Plan.Raw.IsNull()
	if !fresh {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if !destroyed {
		resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	replaced := !fresh && !destroyed && plan.another(&state)
	if (destroyed || replaced) && state.Protected.ValueBool() && !state.KeepOnDestroy.ValueBool() {
		resp.Diagnostics.Append(archives.Protected(state.VolumeID.ValueString()))
	}
	// Terraform plans a create once more when it applies, after the deletion of a
	// replacement: what the cluster says was checked by then.
	applying := fresh && req.ClientCapabilities.DeferralAllowed
	if (fresh || replaced) && !applying && !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(r.check(ctx, &plan)...)
	}
}

// another reports whether the plan asks for another archive.
func (m *model) another(state *model) bool {
	return !m.VMID.Equal(state.VMID) || !m.Storage.Equal(state.Storage) || !m.Mode.Equal(state.Mode) || !m.Compress.Equal(state.Compress)
}

// check refuses a guest outside of the range and a storage that cannot take the
// archive, and warns of what the archive will not hold.
func (r *Resource) check(ctx context.Context, plan *model) diag.Diagnostics {
	if plan.VMID.IsUnknown() {
		return nil
	}
	if err := r.data.Boundary.Check(plan.id()); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("vmid"), "Guest "+plan.id().String()+" is not backed up", err, diags.Nothing)}
	}
	g, err := archives.Locate(ctx, r.data, plan.id())
	if err != nil {
		return nil // it may be made in the same apply: the create will tell
	}
	var found diag.Diagnostics
	if !plan.Storage.IsUnknown() {
		found.Append(archives.CheckStorage(ctx, r.data, path.Root("storage"), archives.Use{
			Storage: plan.Storage.ValueString(), Nodes: []string{g.Ref.Node}, Content: "backup", For: "the archive of " + g.String()})...)
	}
	if found.HasError() {
		return found
	}
	return append(found, archives.WarnOfContainers(ctx, r.data, path.Root("vmid"), containers(g))...)
}

func containers(g archives.Guest) []archives.Guest {
	if g.Ref.Kind != "lxc" {
		return nil
	}
	return []archives.Guest{g}
}
