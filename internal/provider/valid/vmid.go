package valid

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// VMID accepts the number of a guest. Whether it lies in the provider's range is
// asked when the provider is configured, see meta.Boundary.
func VMID() validator.Int64 { return vmid{} }

type vmid struct{}

func (vmid) Description(context.Context) string {
	return fmt.Sprintf("must be a VMID, %d to %d", guest.MinVMID, guest.MaxVMID)
}

func (v vmid) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateInt64 refuses a known number that no guest can have.
func (vmid) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if !attrs.Known(req.ConfigValue) || guest.VMID(req.ConfigValue.ValueInt64()).Valid() {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path,
		fmt.Sprintf("%s cannot be %d", req.Path, req.ConfigValue.ValueInt64()),
		fmt.Sprintf("It must be a VMID, %d to %d. Nothing has been changed.", guest.MinVMID, guest.MaxVMID))
}
