package pve

import (
	"context"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Pool is a pool and its members.
type Pool struct {
	ID      string     `json:"poolid"`
	Comment string     `json:"comment"`
	Members []Resource `json:"members"`
}

// Pools lists the pools that the identity may see (Pool.Audit), without members.
func (c *Client) Pools(ctx context.Context) ([]Pool, error) {
	return call[[]Pool](ctx, c, get(nil, "pools"))
}

// Pool reads a pool with its members; ErrNoSuch if there is none of this name.
func (c *Client) Pool(ctx context.Context, id string) (Pool, error) {
	rows, err := call[[]Pool](ctx, c, get(Params{"poolid": id}, "pools"))
	if err != nil {
		return Pool{}, err
	}
	if len(rows) == 0 {
		return Pool{}, &Error{Method: "GET", Path: "/pools", Status: 200, Message: "the pool is not in the answer",
			causes: []error{ErrNoSuch, &NoSuchError{What: "pool", Name: id}}}
	}
	return rows[0], nil
}

// AddToPool puts a guest into a pool, out of the one that it is in, if any. Needs
// Pool.Allocate on both and VM.Allocate or Permissions.Modify on the guest.
func (c *Client) AddToPool(ctx context.Context, pool string, id guest.VMID) error {
	return send(ctx, c, put(Params{"poolid": pool, "vms": id.String(), "allow-move": "1"}, "pools"))
}

// RemoveFromPool takes a guest out of a pool.
func (c *Client) RemoveFromPool(ctx context.Context, pool string, id guest.VMID) error {
	return send(ctx, c, put(Params{"poolid": pool, "vms": id.String(), "delete": "1"}, "pools"))
}
