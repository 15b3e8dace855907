package container

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
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
		err := u.wait(ctx, func() (pve.UPID, error) {
			return u.r.data.Client.Resize(ctx, u.ref, one.key, one.size.String(), "")
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
	status, err := u.r.data.Client.Status(ctx, u.ref)
	if err != nil {
		return diag.Diagnostics{unreadable(u.ref, err)}
	}
	if status.Running() {
		if d := u.stop(ctx); d.HasError() {
			return d
		}
	}
	for _, one := range u.change.moves {
		err := u.wait(ctx, func() (pve.UPID, error) {
			return u.r.data.Client.MoveVolume(ctx, u.ref, pve.MoveOptions{Key: one.key, Storage: one.storage})
		})
		if err != nil {
			d := diag.Diagnostics{diags.FailedAt(diskPath(one.key).AtName("storage"),
				fmt.Sprintf("%s of container %d could not be moved to storage %s", one.key, u.ref.VMID, one.storage), err,
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
	status, err := u.r.data.Client.Status(ctx, u.ref)
	switch {
	case err != nil:
		return diag.Diagnostics{unreadable(u.ref, err)}
	case status.Running() == u.plan.Started.ValueBool():
		u.note(status.Running())
		return nil
	case u.plan.Started.ValueBool():
		return u.start(ctx)
	}
	return u.stop(ctx)
}

func (u *updating) start(ctx context.Context) diag.Diagnostics {
	if err := u.wait(ctx, func() (pve.UPID, error) { return u.r.data.Client.Start(ctx, u.ref) }); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("started"), fmt.Sprintf("Container %d did not start", u.ref.VMID), err, "It is stopped.")}
	}
	u.note(true)
	return nil
}

// stop shuts the container down, and cuts its power after a while.
func (u *updating) stop(ctx context.Context) diag.Diagnostics {
	if err := u.wait(ctx, func() (pve.UPID, error) { return u.r.data.Client.Shutdown(ctx, u.ref, shutdownLimit, true) }); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("started"), fmt.Sprintf("Container %d could not be shut down", u.ref.VMID), err, "")}
	}
	u.note(false)
	return nil
}

func (u *updating) note(running bool) {
	status := "stopped"
	if running {
		status = "running"
	}
	u.r.data.Guests.Note(u.ref.VMID, meta.Note{Node: u.ref.Node, Status: status})
}
