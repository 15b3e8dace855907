package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

type vmidInRange struct{}

func newVMIDInRange() function.Function { return vmidInRange{} }

// Metadata names the function.
func (vmidInRange) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "vmid_in_range"
}

// Definition describes the arguments.
func (vmidInRange) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Whether a VMID lies in a range",
		MarkdownDescription: "Returns `true` if the number lies in the range, both ends included. " +
			"A range that cannot be read is an error and never `false` or `true`.",
		Parameters: []function.Parameter{
			function.Int64Parameter{Name: "vmid", MarkdownDescription: "The number. One that is no VMID lies in no range."},
			function.StringParameter{Name: "range", MarkdownDescription: "First and last VMID, for example `5000-8999`."},
		},
		Return: function.BoolReturn{},
	}
}

// Run answers the question.
func (vmidInRange) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var id int64
	var text string
	resp.Error = req.Arguments.Get(ctx, &id, &text)
	if resp.Error != nil {
		return
	}
	r, err := vmidrange.Parse(text)
	if err != nil {
		resp.Error = argument(1, err)
		return
	}
	resp.Error = resp.Result.Set(ctx, r.Contains(guest.VMID(id)))
}
