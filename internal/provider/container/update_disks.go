package container

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// place of a disk in the schema.
func diskPath(key string) path.Path {
	if key == "rootfs" {
		return path.Root("rootfs")
	}
	return path.Root("mount_points").AtMapKey(key)
}

// growError is a volume that could not be grown.
type growError struct {
	resize
	err error
}

func (e *growError) Error() string { return e.err.Error() }
func (e *growError) Unwrap() error { return e.err }

// resize grows volumes to absolute sizes, online.
func (u *updating) resize(ctx context.Context) error {
	for _, one := range u.change.resizes {
		err := u.steps.Wait(ctx, func() (pve.UPID, error) {
			return u.r.data.Client.Resize(ctx, u.steps.Ref, one.key, one.size.String(), "")
		})
		if err != nil {
			return &growError{one, err}
		}
	}
	return nil
}

// move copies volumes to other storages, for which the container has to be
// stopped. The old copy stays as unusedN: nothing is erased by a move.
func (u *updating) move(ctx context.Context) diag.Diagnostics {
	if len(u.change.moves) == 0 {
		return nil
	}
	status, err := u.r.data.Client.Status(ctx, u.steps.Ref)
	if err != nil {
		return diag.Diagnostics{guests.Unreadable(u.steps.Ref, err)}
	}
	if status.Running() {
		if d := u.stop(ctx); d.HasError() {
			return d
		}
	}
	for _, one := range u.change.moves {
		err := u.steps.Wait(ctx, func() (pve.UPID, error) {
			return u.r.data.Client.MoveVolume(ctx, u.steps.Ref, pve.MoveOptions{Key: one.key, Storage: one.storage})
		})
		if err != nil {
			d := diag.Diagnostics{diags.FailedAt(diskPath(one.key).AtName("storage"),
				fmt.Sprintf("%s of container %d could not be moved to storage %s", one.key, u.steps.Ref.VMID, one.storage), err,
				"The volume is still on its old storage.")}
			if status.Running() {
				d.Append(u.start(ctx)...)
			}
			return d
		}
	}
	if status.Running() && u.plan.Started.ValueBool() {
		return u.start(ctx)
	}
	return nil
}

// power starts the container or shuts it down, as the plan says.
func (u *updating) power(ctx context.Context) diag.Diagnostics {
	if u.plan.Started.Equal(u.state.Started) {
		return nil
	}
	return u.steps.Power(ctx, u.plan.Started.ValueBool())
}

func (u *updating) start(ctx context.Context) diag.Diagnostics { return u.steps.Power(ctx, true) }

func (u *updating) stop(ctx context.Context) diag.Diagnostics { return u.steps.Power(ctx, false) }
