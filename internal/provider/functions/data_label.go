package functions

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

type dataLabel struct{}

func newDataLabel() function.Function { return dataLabel{} }

// Metadata names the function.
func (dataLabel) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "data_label"
}

// Definition describes the arguments.
func (dataLabel) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "What becomes of a volume's data when a guest is destroyed",
		MarkdownDescription: "Returns one word about the data behind a disk or mount point when the guest is destroyed, the same word as in the attribute `volumes` of a guest:\n\n" +
			"- `erased`: the guest owns the volume, and Proxmox frees it\n" +
			"- `excluded`: a volume of another guest or of nobody, which stays\n" +
			"- `host_managed`: a path of the node, which Proxmox never touches\n" +
			"- `unknown`: it cannot be read, so nothing can be said",
		Parameters: []function.Parameter{
			function.Int64Parameter{Name: "vmid", MarkdownDescription: "The guest that would be destroyed."},
			function.StringParameter{Name: "volume", MarkdownDescription: "A volume id, a path of the node, or the whole value of a disk or mount point."},
		},
		Return: function.StringReturn{},
	}
}

// Run answers the question.
func (dataLabel) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var id int64
	var text string
	resp.Error = req.Arguments.Get(ctx, &id, &text)
	if resp.Error != nil {
		return
	}
	if !guest.VMID(id).Valid() {
		resp.Error = argument(0, &guest.VMIDError{Text: strconv.FormatInt(id, 10)})
		return
	}
	resp.Error = resp.Result.Set(ctx, string(datalabel.Of(guest.VMID(id), text)))
}
