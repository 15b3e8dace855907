package actions

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// backup is the action proxmox_backup.
type backup struct{ base }

type backupModel struct {
	VMID      types.Int64  `tfsdk:"vmid"`
	Storage   types.String `tfsdk:"storage"`
	Mode      types.String `tfsdk:"mode"`
	Compress  types.String `tfsdk:"compress"`
	Notes     types.String `tfsdk:"notes"`
	Protected types.Bool   `tfsdk:"protected"`
}

// Schema is that of the order of a backup.
func (a *backup) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Backs a guest up now and leaves the archive to the storage's retention: nothing of it stands in the state. To have the archive as a resource use `proxmox_backup`.\n\n" +
			"The percentages of a VM's backup and the phases of a container's are shown as progress. Needs VM.Backup on the guest and Datastore.AllocateSpace on the storage.",
		Attributes: map[string]schema.Attribute{
			"vmid":    vmid("The guest, a container or a VM."),
			"storage": schema.StringAttribute{Required: true, MarkdownDescription: "The storage, of content `backup`.", Validators: []validator.String{valid.StorageID()}},
			"mode": schema.StringAttribute{Optional: true, MarkdownDescription: "`snapshot`, `suspend` or `stop`. Default: `snapshot`, always sent.",
				Validators: []validator.String{valid.Rule("snapshot, suspend or stop", func(s string) error { _, err := vzdump.ParseMode(s); return err })}},
			"compress": schema.StringAttribute{Optional: true, MarkdownDescription: "`\"0\"` (none), `gzip`, `lzo` or `zstd`. Default: what `/etc/vzdump.conf` on the node says, else `\"0\"`.",
				Validators: []validator.String{valid.Rule(`"0", gzip, lzo or zstd`, func(s string) error { _, err := vzdump.ParseCompress(s); return err })}},
			"notes": schema.StringAttribute{Optional: true, MarkdownDescription: "Notes of the archive, literal text. Default: none.",
				Validators: []validator.String{valid.Rule("text without {{", vzdump.CheckLiteralNotes)}},
			"protected": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether nothing prunes or deletes the archive. Default: `false`."},
		},
	}
}

// Invoke makes the backup and tells its progress.
func (a *backup) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m backupModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	id, storage := guest.VMID(m.VMID.ValueInt64()), m.Storage.ValueString()
	if err := a.data.Boundary.Check(id); err != nil {
		resp.Diagnostics.Append(diags.FailedAt(path.Root("vmid"), fmt.Sprintf("Guest %d is not backed up", id), err, diags.Nothing))
		return
	}
	g, err := archives.Locate(ctx, a.data, id)
	if err != nil {
		resp.Diagnostics.Append(archives.NotBackedUp(id, storage, err))
		return
	}
	mode := vzdump.Snapshot
	if !m.Mode.IsNull() {
		mode = vzdump.Mode(m.Mode.ValueString())
	}
	life := a.life()
	task, ref, err := life.StartBackup(ctx, lifecycle.BackupOrder{Guest: g.Ref, Storage: storage, Mode: mode,
		Compress: vzdump.Compress(m.Compress.ValueString()), Notes: m.Notes.ValueString(), Protected: m.Protected.ValueBool()})
	if err != nil {
		resp.Diagnostics.Append(archives.NotBackedUp(id, storage, err))
		return
	}
	_, err = a.data.Client.Wait(ctx, task, archives.Follow(ctx, task, say(resp)))
	if _, goesOn := errors.AsType[*pve.StillRunningError](err); goesOn {
		resp.Diagnostics.Append(diags.Failed(fmt.Sprintf("The wait for the backup of guest %d is over", id), err, "The backup goes on at the node."))
		return
	}
	b, err := life.SettleBackup(context.WithoutCancel(ctx), ref, storage, task)
	if err != nil {
		resp.Diagnostics.Append(archives.NotBackedUp(id, storage, err))
		return
	}
	resp.Diagnostics.Append(archives.Remarks(archives.Guest{Ref: ref, Name: b.Run.Name}, b, nil)...)
	say(resp)(fmt.Sprintf("%s is backed up: %s (%s)", g, b.Volume, vzdump.ConsistencyOf(b.Run)))
}
