package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

type volumeOwner struct{}

func newVolumeOwner() function.Function { return volumeOwner{} }

// Metadata names the function.
func (volumeOwner) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "volume_owner"
}

// Definition describes the arguments.
func (volumeOwner) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The VMID that owns a volume",
		MarkdownDescription: "Returns the VMID that a volume's name carries: Proxmox frees a volume only together with the guest that owns it. " +
			"Returns `null` for what no guest owns: ISO images, templates, backups, snippets, LUNs, paths of the node and empty drives.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "volume", MarkdownDescription: "A volume id such as `local-lvm:vm-5001-disk-0`, or the whole value of a disk or mount point."},
		},
		Return: function.Int64Return{},
	}
}

// Run answers the question.
func (volumeOwner) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	resp.Error = req.Arguments.Get(ctx, &text)
	if resp.Error != nil {
		return
	}
	value := volume.ParseValue(text)
	if value.Kind == volume.Garbage {
		resp.Error = argument(0, &volume.SyntaxError{Text: text})
		return
	}
	owner, owned := value.ID.Owner()
	result := types.Int64Null()
	if owned {
		result = types.Int64Value(int64(owner))
	}
	resp.Error = resp.Result.Set(ctx, result)
}
