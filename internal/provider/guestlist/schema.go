package guestlist

import (
	"errors"
	"fmt"
	"path"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Schema is the block config of a list block.
func Schema(kind guest.Kind) schema.Schema {
	noun := kind.Noun()
	return schema.Schema{
		MarkdownDescription: fmt.Sprintf("Lists the %[1]ss of the cluster for `terraform query`, which can also write their configuration and import them. "+
			"Only %[1]ss within the provider's `vmid_range` are listed, if that is set. One request lists them all; with `include_resource` each listed %[1]s costs two more. "+
			"A %[1]s that the identity may not see (VM.Audit) is missing without a word. Name, tags and the template flag are about ten seconds old.", noun),
		Attributes: map[string]schema.Attribute{
			"node": schema.StringAttribute{Optional: true, MarkdownDescription: fmt.Sprintf("Only %ss on this node. Default: all nodes.", noun), Validators: []validator.String{valid.NodeName()}},
			"pool": schema.StringAttribute{Optional: true, MarkdownDescription: fmt.Sprintf("Only %ss in this resource pool. The identity needs Pool.Audit on it, or none is found. Default: with and without a pool.", noun)},
			"name": schema.StringAttribute{Optional: true, MarkdownDescription: fmt.Sprintf("Only %ss with this name, in which `*` stands for any text and `?` for one character. Default: all.", noun),
				Validators: []validator.String{valid.Rule("a name, with * and ? as wildcards", checkPattern)}},
			"tags": schema.ListAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: fmt.Sprintf("Only %ss that have all of these tags; case does not count. Default: all.", noun),
				Validators: []validator.List{listvalidator.ValueStringsAre(valid.TagName())}},
			"template": schema.BoolAttribute{Optional: true, MarkdownDescription: "`false` leaves templates out, `true` lists nothing else. Default: both; the display name flags templates."},
		},
	}
}

func checkPattern(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil {
		return errors.New("it is not a pattern of names: an opening bracket has no end")
	}
	return nil
}
