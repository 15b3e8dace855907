package functions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
)

type sizeBytes struct{}

func newSizeBytes() function.Function { return sizeBytes{} }

// Metadata names the function.
func (sizeBytes) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "size_bytes"
}

// Definition describes the arguments.
func (sizeBytes) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "A size in bytes",
		MarkdownDescription: "Returns the bytes of a size as this provider's disks take it: a number with one of the units K, M, G or T (powers of 1024), a whole number of MiB. " +
			"A size without a unit is an error, because Proxmox reads a bare number in three ways.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "size", MarkdownDescription: "For example `8G`, `512M` or `0.5T`."},
		},
		Return: function.Int64Return{},
	}
}

// Run answers the question.
func (sizeBytes) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	resp.Error = req.Arguments.Get(ctx, &text)
	if resp.Error != nil {
		return
	}
	size, err := bytesize.ParseRequest(text)
	if err != nil {
		resp.Error = argument(0, err)
		return
	}
	resp.Error = resp.Result.Set(ctx, int64(size))
}
