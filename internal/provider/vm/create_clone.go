package vm

import (
	"context"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// clone sends the clone request.
func (c *creation) clone(ctx context.Context, _ guest.VMID) (pve.UPID, error) {
	return c.source.Begin(ctx, &c.steps, c.ref(), pve.CloneOptions{Name: c.plan.Name.ValueString(), Pool: c.plan.Pool.ValueString()})
}

// follow waits for the task that makes the VM.
func (c *creation) follow(ctx context.Context, task pve.UPID) (pve.UPID, error) {
	if c.source == nil {
		return task, c.steps.Follow(ctx, task)
	}
	return c.source.Follow(ctx, &c.steps, task, func() (pve.UPID, error) {
		again, err := c.clone(ctx, c.ref().VMID)
		if err == nil {
			c.resp.Diagnostics.Append(c.track(ctx, again)...)
		}
		return again, err
	})
}
