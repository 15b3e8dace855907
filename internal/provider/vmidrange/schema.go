package vmidrange

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

const description = "A range of VMIDs that gives each name of `reserve` a number, the lowest free one first, and never gives a number twice.\n\n" +
	"Free is a number that no guest of either kind holds anywhere in the cluster, that no volume, backup or running task carries, and that this range never gave before. " +
	"The number of a name that leaves `reserve` retires for ever. Once the range exists, the plan shows the numbers of new names. " +
	"The first plan of a range does not: its numbers are known after apply.\n\n" +
	"The resource writes nothing to the cluster. A number that another party takes in the meantime is refused at apply, with the name of the taker, and the next plan chooses another.\n\n" +
	"Needs VM.Audit on `/vms` and Datastore.Audit on `/storage` to see what is taken, and Sys.Audit on `/` to see the tasks of others."

// Schema describes the range.
func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	vmid := []validator.Int64{valid.VMID()}
	resp.Schema = schema.Schema{
		MarkdownDescription: description,
		Attributes: map[string]schema.Attribute{
			"start": schema.Int64Attribute{
				Required: true, Validators: vmid,
				MarkdownDescription: "The first VMID of the range, 100 to 999999999, within the provider's `vmid_range` if that is set. A change is in place; leaving out a number that a name holds is refused.",
			},
			"end": schema.Int64Attribute{
				Required: true, Validators: vmid,
				MarkdownDescription: "The last VMID of the range, itself included. A change is in place; leaving out a number that a name holds is refused.",
			},
			"reserve": schema.SetAttribute{
				ElementType: types.StringType, Optional: true,
				MarkdownDescription: "Names that get a number each. Default: none. A change is in place: a new name gets a number, a removed one retires its number. Names have neither `,` nor `=`.",
				Validators: []validator.Set{setvalidator.ValueStringsAre(
					stringvalidator.RegexMatches(regexp.MustCompile(`^[^\s,=]([^,=\n]*[^\s,=])?$`), "must have neither a comma nor an equals sign, nor white space around it"))},
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "A random text that tells this range from others in one plan.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"vmids": schema.MapAttribute{
				ElementType: types.Int64Type, Computed: true,
				MarkdownDescription: "The number of each name, for example `proxmox_vmid_range.team.vmids[\"web\"]`.",
			},
			"retired": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Numbers of names that are gone, never given again, for example `5000-5003,5007`.",
			},
			"used": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Numbers of the range that something on the cluster held when it was last read, in the same form.",
			},
			"free": schema.Int64Attribute{
				Computed:            true,
				MarkdownDescription: "How many numbers the range can still give.",
			},
		},
	}
}
