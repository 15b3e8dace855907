package lifecycle

import (
	"context"
	"errors"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// destroyTasks are the worker types of a destroy.
var destroyTasks = map[guest.Kind]string{guest.LXC: "vzdestroy", guest.QEMU: "qmdestroy"}

// destroy is the first irreversible call. It never purges and never asks for
// unreferenced disks: what goes is what the plan showed. A refusal that came
// before the task began has destroyed nothing; from then on a failure is an
// *Interrupted.
func (l *Lifecycle) destroy(ctx context.Context, ref guest.Ref) ([]string, error) {
	sent := l.client.ServerTime()
	task, err := l.client.Destroy(ctx, ref, pve.DestroyOptions{})
	if errors.Is(err, pve.ErrAmbiguous) {
		task, err = l.lostDestroy(ctx, ref, sent, err)
	}
	if err != nil {
		return nil, err
	}
	if task == "" {
		return nil, nil
	}
	result, err := l.client.Wait(ctx, task)
	if err != nil {
		return nil, l.Interrupt(ctx, ref, stage.Destroy, task, err)
	}
	return result.Warnings, nil
}

// lostDestroy looks for a destroy whose answer was lost. Its task is waited
// for; without a task, a number that is free says that it is done. Anything
// else stays open: the request may be carried out later.
func (l *Lifecycle) lostDestroy(ctx context.Context, ref guest.Ref, sent time.Time, cause error) (pve.UPID, error) {
	looks, cancel := looking(ctx)
	defer cancel()
	found, err := l.client.FindLost(looks, pve.LostCall{Guest: ref, Type: destroyTasks[ref.Kind], Sent: sent})
	switch {
	case err != nil:
		return "", l.Interrupt(ctx, ref, stage.Destroy, "", errors.Join(cause, err))
	case found.Task != "":
		return found.Task, nil
	case !found.Taken:
		return "", nil
	}
	return "", l.Interrupt(ctx, ref, stage.Destroy, "", cause)
}
