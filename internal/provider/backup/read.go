package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Read settles a backup that was running, or reads the archive. It removes the
// resource from the state only when it is proved that there is no archive.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.data.Boundary.Check(m.id()); err != nil {
		resp.Diagnostics.Append(diags.Failed("The archive of guest "+m.id().String()+" is not read", err, diags.Nothing))
		return
	}
	if m.State.ValueString() == running {
		r.readRunning(ctx, &m, resp)
		return
	}
	volume := m.VolumeID.ValueString()
	info, _, err := archives.Find(ctx, r.data, m.Node.ValueString(), volume)
	switch _, gone := errors.AsType[*archives.GoneError](err); {
	case gone:
		resp.State.RemoveResource(ctx)
	case err != nil:
		resp.Diagnostics.Append(diags.Failed("The archive "+volume+" cannot be read", err, "It stays in the state. "+diags.Nothing))
	default:
		m.absorb(info)
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	}
}

// absorb takes over what may change of an archive.
func (m *model) absorb(info pve.VolumeInfo) {
	m.Protected = types.BoolValue(bool(info.Protected))
	if info.Notes != m.Notes.ValueString() {
		m.Notes = types.StringValue(info.Notes)
		if info.Notes == "" {
			m.Notes = types.StringNull()
		}
	}
	if info.Size > 0 && m.Size.IsNull() {
		m.Size = types.Int64Value(int64(info.Size))
	}
}

// readRunning looks what became of a backup that outlived the wait for it.
func (r *Resource) readRunning(ctx context.Context, m *model, resp *resource.ReadResponse) {
	task, storage := pve.UPID(m.UPID.ValueString()), m.Storage.ValueString()
	b, err := r.life.SettleBackup(ctx, m.ref(), storage, task)
	if failed, ok := errors.AsType[*lifecycle.BackupError](err); ok {
		resp.Diagnostics.AddWarning(fmt.Sprintf("The backup of guest %d to storage %s has failed", m.id(), storage),
			fmt.Sprintf("It was still running when it was last looked at. Proxmox says: %s. No archive was made, so it is not in the state any more, and the next apply makes another.", failed.Reason))
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.Append(diags.Failed(fmt.Sprintf("What became of the backup of guest %d to storage %s cannot be seen", m.id(), storage), err,
			"It stays in the state as running. "+diags.Nothing))
		return
	}
	if !b.Running {
		m.settle(b)
		resp.Diagnostics.Append(rest(b, m.ref())...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}
