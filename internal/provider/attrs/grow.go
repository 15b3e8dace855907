package attrs

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
)

// GrowOnly plans the prior text when the size is the same number of bytes, and
// refuses a smaller one. Proxmox has no way to make a file system smaller.
//
// The create half of a replace has no prior value, so a shrink by way of a
// replace is refused by the resource, not here.
func GrowOnly() planmodifier.String { return growOnly{} }

type growOnly struct{}

func (growOnly) Description(context.Context) string {
	return "The size can grow in place and never shrinks."
}

func (m growOnly) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (growOnly) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if !Known(req.StateValue) || !Known(req.PlanValue) {
		return
	}
	before, okBefore := SizeText(req.StateValue.ValueString()).Bytes()
	after, okAfter := SizeText(req.PlanValue.ValueString()).Bytes()
	switch {
	case !okBefore || !okAfter:
	case before == after:
		resp.PlanValue = req.StateValue
	case after < before:
		summary, detail := Shrink(req.Path, before, after)
		resp.Diagnostics.AddAttributeError(req.Path, summary, detail)
	}
}

// Shrink words the refusal to make a volume smaller; both sizes in bytes and in
// GiB rounded up.
func Shrink(at path.Path, before, after bytesize.Size) (summary, detail string) {
	return fmt.Sprintf("%s would shrink from %s to %s", at, before, after),
		fmt.Sprintf("The volume has %d bytes (%d GiB rounded up) and the configuration asks for %d bytes (%d GiB rounded up). "+
			"A file system never shrinks, neither in place nor through a reinstall. Nothing has been changed.\n\n"+
			"Set the size to %s or more. To move to a smaller volume, add a second one, copy the data inside the guest and remove the first.",
			before, before.GiBUp(), after, after.GiBUp(), before)
}
