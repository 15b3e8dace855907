package container

import (
	"context"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// find reads the container's configuration where it is now; node is where it was
// last seen. The errors are those of guests.Find.
func (r *Resource) find(ctx context.Context, id guest.VMID, node string) (guests.Found, error) {
	return guests.Find(ctx, r.data, guest.Ref{Node: node, Kind: guest.LXC, VMID: id})
}
