package restore

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

const description = "A guest made of a backup archive, beside the original: for looking into a backup, for a drill, or to have a guest back under another number.\n\n" +
	"It never overwrites: a VMID that is taken is refused, and `force` is never sent. The kind of the guest, container or VM, follows from the archive.\n\n" +
	"**A restore brings back disks, the configuration and the firewall rules of the guest, and nothing else.** The plan lists what does not come back, " +
	"and which mount points come back empty because they were not in the archive.\n\n" +
	"Destroying the resource destroys the restored guest with its data, with the same checks as `proxmox_container` and `proxmox_vm`. " +
	"To manage all of a restored guest, use their attribute `restore` instead of this resource.\n\n" +
	"Needs VM.Allocate on the new guest, VM.Backup on the original's VMID, and Datastore.AllocateSpace on both storages."

// Schema says which change makes another guest. Those attributes that matter only
// while the guest is restored are changed in the state alone.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	all := orderAttributes()
	for name, attribute := range resultAttributes() {
		all[name] = attribute
	}
	all["timeouts"] = timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Delete: true,
		CreateDescription: "How long restoring and starting may take. Default: 6h.",
		DeleteDescription: "How long the shutdown and the destruction may take. Default: 30m.",
	})
	resp.Schema = schema.Schema{MarkdownDescription: description, Attributes: all}
}

func orderAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"archive": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "Volume id of the archive, for example `nas:backup/vzdump-lxc-5001-2026_11_29-02_30_00.tar.zst`. A change **destroys the guest** and makes another one of the other archive.",
			Validators:          []validator.String{valid.Rule("the volume id of a backup archive", func(s string) error { _, err := vzdump.ParseArchive(s); return err })},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
		},
		"vmid": schema.Int64Attribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The VMID of the restored guest, free and within the provider's `vmid_range` if that is set. Default: the lowest free number of `vmid_range`. A change **destroys the guest** and restores it anew.",
			Validators:          []validator.Int64{int64validator.Between(int64(guest.MinVMID), int64(guest.MaxVMID))},
			PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown(), int64planmodifier.RequiresReplace()},
		},
		"node": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The node to restore on. Default: the provider's `default_node`. It matters only while the guest is restored.",
			Validators:          []validator.String{valid.NodeName()},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"storage": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "The storage for the volumes, of content `rootdir` for a container and `images` for a VM. Required for a container. Default for a VM: the storages that the disks were on. It matters only while the guest is restored.",
			Validators:          []validator.String{valid.StorageID()},
		},
		"mounts": schema.MapNestedAttribute{
			Optional:            true,
			MarkdownDescription: "For a container: volumes that go elsewhere than to `storage`, by key (`rootfs`, `mp0`, …). It matters only while the guest is restored.",
			Validators:          []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.KeysAre(valid.Matching("rootfs or a mount point such as mp0", `^(?:rootfs|mp\d{1,3})$`))},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"storage": schema.StringAttribute{Required: true, MarkdownDescription: "The storage, of content `rootdir`.", Validators: []validator.String{valid.StorageID()}},
				"size":    schema.StringAttribute{CustomType: attrs.SizeType{}, Optional: true, MarkdownDescription: "The size of the new volume, for example `16G`. Default: as in the archive."},
			}},
		},
		"unique": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(true),
			MarkdownDescription: "Whether the guest gets new MAC addresses, and a VM a new UUID. Default: `true`. `false` is refused while the original runs: the two would take each other's packets. It matters only while the guest is restored.",
		},
		"name": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Host name of the container, or name of the VM. Default: that of the original. In place.",
			Validators:          []validator.String{valid.HostName()},
		},
		"pool": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "The pool for the guest. Default: none. In place.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		},
		"started": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(false),
			MarkdownDescription: "Whether the guest runs. Default: `false`: a restored guest has the addresses of its original unless they are leased. A change starts it or shuts it down.",
		},
		"waive_blockers": schema.SetAttribute{
			ElementType: types.StringType, Optional: true,
			MarkdownDescription: "Reasons against a destruction that are waived. Only `protected_restore_point` can be.",
			Validators:          []validator.Set{setvalidator.ValueStringsAre(stringvalidator.OneOf("protected_restore_point"))},
		},
	}
}

func resultAttributes() map[string]schema.Attribute {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	return map[string]schema.Attribute{
		"kind":         schema.StringAttribute{Computed: true, MarkdownDescription: "`lxc` or `qemu`.", PlanModifiers: keep},
		"current_node": schema.StringAttribute{Computed: true, MarkdownDescription: "The node that the guest is on, as last read.", PlanModifiers: keep},
		"mac_addresses": schema.MapAttribute{
			ElementType: types.StringType, Computed: true, MarkdownDescription: "MAC addresses by interface (`net0`, …).",
			PlanModifiers: []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
		},
		"consistency": schema.StringAttribute{
			Computed: true, PlanModifiers: keep,
			MarkdownDescription: "What the archive is by the log of the backup that made it: `consistent` or `crash_consistent`; null if that log is not at hand any more.",
		},
		"volumes":     guests.VolumesAttribute(guest.LXC),
		"fingerprint": schema.StringAttribute{Computed: true, MarkdownDescription: "What the guest is recognised by before anything destructive.", PlanModifiers: keep},
		"reconcile":   guests.ReconcileAttribute(guest.LXC),
	}
}
