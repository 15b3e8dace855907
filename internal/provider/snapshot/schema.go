package snapshot

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

const description = "A snapshot of a container or a VM, taken when the resource is created and removed when it is destroyed. **It is no backup**: it lives on the guest's own storage and goes with the guest.\n\n" +
	"This resource never rolls a guest back. Every volume of the guest has to be on a storage with snapshots (LVM-thin, ZFS, Ceph, Btrfs) or in a qcow2 file; the plan refuses others.\n\n" +
	"Needs VM.Snapshot and VM.Audit on the guest."

// Schema says which change takes another snapshot.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{MarkdownDescription: description, Attributes: map[string]schema.Attribute{
		"vmid": schema.Int64Attribute{
			Required: true, MarkdownDescription: "The guest. A change removes this snapshot and takes one of the other guest.",
			Validators:    []validator.Int64{int64validator.Between(int64(guest.MinVMID), int64(guest.MaxVMID))},
			PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplace()},
		},
		"name": schema.StringAttribute{
			Required: true, MarkdownDescription: "The name, 2 to 40 characters: a letter, then letters, digits, `_` and `-`; not `current`, `pending` or `vzdump`. A change removes this snapshot and takes another one.",
			Validators: []validator.String{stringvalidator.LengthAtMost(40), stringvalidator.NoneOf("current", "pending", "vzdump"),
				valid.Matching("a letter, then letters, digits, _ and -", `^[a-zA-Z][a-zA-Z0-9_-]+$`)},
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
		},
		"description": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Text for the snapshot. Default: none. In place.",
			PlanModifiers: []planmodifier.String{attrs.KeepText("A trailing newline does not count.", attrs.SameDescription)},
		},
		"memory": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(false),
			MarkdownDescription: "Whether the memory of a running VM is saved, too. Default: `false`. A container and a stopped VM have none to save. A change removes this snapshot and takes another one.",
			PlanModifiers:       []planmodifier.Bool{boolplanmodifier.RequiresReplace()},
		},
		"created": schema.StringAttribute{Computed: true, MarkdownDescription: "When the snapshot was taken, in UTC (RFC 3339).", PlanModifiers: keep},
		"parent":  schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the snapshot before it, null for the first.", PlanModifiers: keep},
		"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
			Create: true, Delete: true,
			CreateDescription: "How long taking the snapshot may take. Default: 30m.",
			DeleteDescription: "How long removing it may take. Default: 30m.",
		}),
	}}
}
