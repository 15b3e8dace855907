package backup

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// model is the resource as configuration, plan and state hold it.
type model struct {
	VMID          types.Int64  `tfsdk:"vmid"`
	Storage       types.String `tfsdk:"storage"`
	Mode          types.String `tfsdk:"mode"`
	Compress      types.String `tfsdk:"compress"`
	Notes         types.String `tfsdk:"notes"`
	Protected     types.Bool   `tfsdk:"protected"`
	KeepOnDestroy types.Bool   `tfsdk:"keep_on_destroy"`

	State       types.String `tfsdk:"state"`
	UPID        types.String `tfsdk:"upid"`
	Node        types.String `tfsdk:"node"`
	Kind        types.String `tfsdk:"kind"`
	VolumeID    types.String `tfsdk:"volume_id"`
	Size        types.Int64  `tfsdk:"size"`
	Created     types.String `tfsdk:"created"`
	Consistency types.String `tfsdk:"consistency"`
	Contains    types.Map    `tfsdk:"contains"`
	Excluded    types.Map    `tfsdk:"excluded"`

	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

const description = "One archive of one guest, made when the resource is created: a vzdump run now, for example before a risky change. For regular backups use `proxmox_vzdump_policy`.\n\n" +
	"The archive is described as it came out and never better: `consistency` is `consistent` only when the guest was stopped while it was read, and `contains` is what the log of the backup names. " +
	"That a guest agent froze the file systems is not consistency and is not reported as such.\n\n" +
	"A backup that takes longer than `timeouts.create` goes on at the node and stands in the state as `running`; the next refresh records what became of it. **A second backup is never started because the first was slow.**\n\n" +
	"Destroying the resource deletes the archive, unless `keep_on_destroy` is set; a protected archive refuses.\n\n" +
	"Needs VM.Backup on the guest and Datastore.AllocateSpace on the storage."

// Schema says which change makes another archive.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	all := orderAttributes()
	for name, attribute := range resultAttributes() {
		all[name] = attribute
	}
	all["timeouts"] = timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Delete: true,
		CreateDescription: "How long to wait for the backup. Default: 3h. The backup itself goes on.",
		DeleteDescription: "How long the deletion of the archive may take. Default: 30m.",
	})
	resp.Schema = schema.Schema{MarkdownDescription: description, Attributes: all}
}

func orderAttributes() map[string]schema.Attribute {
	replace := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	return map[string]schema.Attribute{
		"vmid": schema.Int64Attribute{
			Required:            true,
			MarkdownDescription: "The guest to back up, a container or a VM. A change makes another archive and deletes this one.",
			Validators:          []validator.Int64{int64validator.Between(int64(guest.MinVMID), int64(guest.MaxVMID))},
			PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
		},
		"storage": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "The storage for the archive, of content `backup`. A change makes another archive and deletes this one.",
			Validators:          []validator.String{valid.StorageID()}, PlanModifiers: replace,
		},
		"mode": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString(string(vzdump.Snapshot)),
			MarkdownDescription: "`snapshot` (the guest runs on), `suspend` or `stop` (it is stopped while it is read, and started again). Default: `snapshot`, always sent. A change makes another archive and deletes this one.",
			Validators:          []validator.String{valid.Rule("snapshot, suspend or stop", func(s string) error { _, err := vzdump.ParseMode(s); return err })}, PlanModifiers: replace,
		},
		"compress": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "`\"0\"` (none), `gzip`, `lzo` or `zstd`. Default: what `/etc/vzdump.conf` on the node says, else `\"0\"`. A change makes another archive and deletes this one.",
			Validators:          []validator.String{valid.Rule(`"0", gzip, lzo or zstd`, func(s string) error { _, err := vzdump.ParseCompress(s); return err })}, PlanModifiers: replace,
		},
		"notes": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Notes of the archive, literal text. Default: none. In place.",
			Validators:          []validator.String{valid.Rule("text without {{", vzdump.CheckLiteralNotes)},
		},
		"protected": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(false),
			MarkdownDescription: "Whether nothing prunes or deletes the archive. Default: `false`. In place. While it is set, the resource cannot be destroyed.",
		},
		"keep_on_destroy": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether the archive stays on the storage when the resource is destroyed or replaced. Default: `false`. In place.",
		},
	}
}

func resultAttributes() map[string]schema.Attribute {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	text := func(what string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: what, PlanModifiers: keep}
	}
	texts := func(what string) schema.Attribute {
		return schema.MapAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: what, PlanModifiers: []planmodifier.Map{mapplanmodifier.UseStateForUnknown()}}
	}
	return map[string]schema.Attribute{
		"state":     text("`running` while the backup goes on after the wait for it was over, `done` when the archive is there."),
		"upid":      text("Id of the task that made the archive."),
		"node":      text("The node that the guest was on."),
		"kind":      text("`lxc` or `qemu`."),
		"volume_id": text("Volume id of the archive, for `restore` and `proxmox_restore`; null while it is being made."),
		"size": schema.Int64Attribute{Computed: true, MarkdownDescription: "Size of the archive in bytes; null if the storage does not say.",
			PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()}},
		"created":     text("When the backup was begun, in UTC (RFC 3339)."),
		"consistency": text("`consistent` if the guest was stopped while it was read, else `crash_consistent`: like a disk after a power cut. It says what happened, not what `mode` asked for; null if the log does not tell."),
		"contains": texts("What went into the archive by the log of the backup: mount point → path in the container, or disk → volume id of the VM. " +
			"The configuration of the guest and its firewall rules are in every archive."),
		"excluded": texts("What was left out by the log: mount point or disk → reason. This data is not in the archive."),
	}
}
