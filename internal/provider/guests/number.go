package guests

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// PlanNumber checks the number of a guest that is planned to be created. It asks
// nobody. A number that the configuration names is kept from guests that name
// none.
func PlanNumber(ctx context.Context, data *meta.Data, kind guest.Kind, config tfsdk.Config) diag.Diagnostics {
	var number types.Int64
	d := config.GetAttribute(ctx, path.Root("vmid"), &number)
	switch {
	case d.HasError():
	case number.IsNull() && !data.Boundary.Set():
		d.Append(diags.FailedAt(path.Root("vmid"),
			fmt.Sprintf("The %s has no VMID and the provider no range to take one from", kind.Noun()), meta.ErrNoBoundary, diags.Nothing))
	case data.Boundary.Err() != nil:
		d.Append(diags.FailedAt(path.Root("vmid"), fmt.Sprintf("The %s cannot be created", kind.Noun()), data.Boundary.Err(), diags.Nothing))
	case !number.IsNull() && !number.IsUnknown():
		id := guest.VMID(number.ValueInt64())
		if err := data.Boundary.Check(id); err != nil {
			d.Append(Outside(kind, id, err))
			return d
		}
		data.VMIDs.Reserve(vmidrange.SetOf(id))
	}
	return d
}
