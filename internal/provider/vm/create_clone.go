package vm

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// clone sends the clone request to the node that the source is on. Without a word
// from the user that is taken to be the node of the new VM; the node itself says
// when it is not, before anything has begun.
func (c *creation) clone(ctx context.Context, id guest.VMID) (pve.UPID, error) {
	source := guest.Ref{Node: c.source.node(c.plan.Node.ValueString()), Kind: guest.QEMU, VMID: c.source.id}
	task, err := c.cloneFrom(ctx, source, id)
	if !errors.Is(err, pve.ErrNotFound) {
		return task, err
	}
	f, findErr := guests.Find(ctx, c.r.data, source)
	if findErr != nil {
		return "", findErr
	}
	if f.Ref.Node == source.Node {
		return "", err
	}
	return c.cloneFrom(ctx, f.Ref, id)
}

func (c *creation) cloneFrom(ctx context.Context, source guest.Ref, id guest.VMID) (pve.UPID, error) {
	c.source.where = source.Node
	// The task runs where the source is and carries its number, so another clone of
	// the same source may be taken for this one: only the configuration of the new
	// number tells them apart.
	lost := pve.LostCall{Guest: guest.Ref{Node: source.Node, Kind: guest.QEMU, VMID: id}, Type: "qmclone", TaskID: source.VMID.String()}
	return guests.Begin(ctx, c.r.data.Client, lost, func() (pve.UPID, error) {
		return c.r.data.Client.Clone(ctx, source, c.source.options(c.plan, id, source.Node))
	})
}

// Clones of one template share its lock, and every other use of it excludes them:
// Proxmox waits one second for the lock and gives up. These are how often and after
// what pauses such a clone is made again.
const (
	cloneTries      = 12
	firstLockPause  = 300 * time.Millisecond
	longestLockWait = 5 * time.Second
)

// follow waits for the task that makes the VM. A clone that failed for want of a
// lock has left nothing behind; it is begun again once that is proved.
func (c *creation) follow(ctx context.Context, task pve.UPID) (pve.UPID, error) {
	pause := firstLockPause
	for try := 1; ; try++ {
		err := c.steps.Follow(ctx, task)
		failed, ended := errors.AsType[*pve.TaskError](err)
		if !ended || c.source == nil || try == cloneTries || !errors.Is(failed, pve.ErrLockTimeout) {
			return task, err
		}
		taken, askErr := c.r.data.Client.VMIDTaken(ctx, c.ref().VMID)
		if askErr != nil || taken {
			return task, err
		}
		if !wait(ctx, pause/2+rand.N(pause/2)) { //nolint:gosec // spreads load, guards nothing
			return task, err
		}
		pause = min(2*pause, longestLockWait)
		again, err := c.clone(ctx, c.ref().VMID)
		if err != nil {
			return task, err
		}
		task = again
		c.resp.Diagnostics.Append(c.track(ctx, task)...)
	}
}
