package pve

import (
	"context"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// CreateVM starts the creation of a VM; p has Proxmox's own parameters, vmid among
// them. The number is reserved when it returns. ErrExists: a guest of either kind has
// the number, on whatever node. Needs VM.Allocate on /vms/{vmid} or on the pool, and
// Datastore.AllocateSpace for every disk.
func (c *Client) CreateVM(ctx context.Context, node string, p Params) (UPID, error) {
	return task(ctx, c, post(p, "nodes", node, "qemu"))
}

// ChangeVM is UpdateConfig as a task, for changes that take longer than the 30 s after
// which a node's proxy gives up: new disks, imports. force frees the disks whose keys
// are deleted, instead of keeping them as unusedN.
func (c *Client) ChangeVM(ctx context.Context, ref guest.Ref, ch ConfigChange, force bool) (UPID, error) {
	p := ch.params()
	if force {
		p["force"] = "1"
	}
	r := post(p, guestPath(ref, "config")...)
	r.notAtomic = true
	return task(ctx, c, r)
}

// Unlink removes drives of a VM; with free their volumes too, otherwise those become
// unusedN, and an unusedN itself is always freed.
func (c *Client) Unlink(ctx context.Context, ref guest.Ref, keys string, free bool) error {
	p := Params{"idlist": keys}
	if free {
		p["force"] = "1"
	}
	return send(ctx, c, put(p, guestPath(ref, "unlink")...))
}

// RegenerateCloudInit writes the cloud-init drive of a VM anew and swaps it if the VM
// runs; without such a drive nothing happens. Needs VM.Config.Cloudinit.
func (c *Client) RegenerateCloudInit(ctx context.Context, ref guest.Ref) error {
	return send(ctx, c, put(nil, guestPath(ref, "cloudinit")...))
}

// Reset is the reset button of a VM; ErrNotRunning if it is off.
func (c *Client) Reset(ctx context.Context, ref guest.Ref) (UPID, error) {
	return task(ctx, c, post(nil, guestPath(ref, "status", "reset")...))
}

// Suspend pauses a VM, or with toDisk saves its memory and stops it.
func (c *Client) Suspend(ctx context.Context, ref guest.Ref, toDisk bool) (UPID, error) {
	p := Params{}
	if toDisk {
		p["todisk"] = "1"
	}
	return task(ctx, c, post(p, guestPath(ref, "status", "suspend")...))
}

// Resume lets a paused VM go on; ErrNotRunning if it is off.
func (c *Client) Resume(ctx context.Context, ref guest.Ref) (UPID, error) {
	return task(ctx, c, post(nil, guestPath(ref, "status", "resume")...))
}

// StartVM starts a VM and allows it limit to come up, in whole seconds.
func (c *Client) StartVM(ctx context.Context, ref guest.Ref, limit time.Duration) (UPID, error) {
	return task(ctx, c, post(Params{"timeout": seconds(limit)}, guestPath(ref, "status", "start")...))
}
