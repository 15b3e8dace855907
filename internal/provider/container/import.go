package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// ImportState takes "5001", "pve1/5001" or an identity. Without a node the
// cluster is asked where the container is.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	guests.Import(ctx, r.data, guest.LXC, req, resp)
}
