package pve

import (
	"context"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Snapshot is a snapshot of a guest.
type Snapshot struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parent      string `json:"parent"`
	Time        Int    `json:"snaptime"` // seconds since 1970
	VMState     Bool   `json:"vmstate"`  // it has the memory of a VM
	State       string `json:"snapstate"`
}

// Snapshots lists the snapshots of a guest without the row that stands for the
// present; needs VM.Audit.
func (c *Client) Snapshots(ctx context.Context, ref guest.Ref) ([]Snapshot, error) {
	rows, err := call[[]Snapshot](ctx, c, get(nil, guestPath(ref, "snapshot")...))
	return slices.DeleteFunc(rows, func(s Snapshot) bool { return s.Name == "current" }), err
}

// CreateSnapshot takes a snapshot; needs VM.Snapshot. memory saves that of a running
// VM too. That the storage cannot do it comes as an error of the task.
func (c *Client) CreateSnapshot(ctx context.Context, ref guest.Ref, name, description string, memory bool) (UPID, error) {
	p := Params{"snapname": name}
	if description != "" {
		p["description"] = description
	}
	if memory && ref.Kind == guest.QEMU {
		p["vmstate"] = "1"
	}
	return task(ctx, c, post(p, guestPath(ref, "snapshot")...))
}

// UpdateSnapshot changes the description of a snapshot; needs VM.Snapshot.
func (c *Client) UpdateSnapshot(ctx context.Context, ref guest.Ref, name, description string) error {
	return send(ctx, c, put(Params{"description": description}, guestPath(ref, "snapshot", name, "config")...))
}

// DeleteSnapshot removes a snapshot; needs VM.Snapshot. That it is not there comes as
// an error of the task.
func (c *Client) DeleteSnapshot(ctx context.Context, ref guest.Ref, name string) (UPID, error) {
	return task(ctx, c, del(nil, guestPath(ref, "snapshot", name)...))
}

// Rollback returns a guest to a snapshot and stops it for that; needs VM.Snapshot or
// VM.Snapshot.Rollback.
func (c *Client) Rollback(ctx context.Context, ref guest.Ref, name string, start bool) (UPID, error) {
	p := Params{}
	if start {
		p["start"] = "1"
	}
	return task(ctx, c, post(p, guestPath(ref, "snapshot", name, "rollback")...))
}
