package pve

import "context"

// CreateContainer starts the creation of a container; p has Proxmox's own
// parameters, vmid and ostemplate among them. The number is reserved when it
// returns. ErrExists: a guest of either kind has the number, on whatever node.
// Needs VM.Allocate on /vms/{vmid} or on the pool.
func (c *Client) CreateContainer(ctx context.Context, node string, p Params) (UPID, error) {
	return task(ctx, c, post(p, "nodes", node, "lxc"))
}
