package guests

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// cloneTasks are the worker types of a clone.
var cloneTasks = map[guest.Kind]string{guest.LXC: "vzclone", guest.QEMU: "qmclone"}

// Begin sends the clone request to the node that the source is on. Without a word
// from the user that is taken to be the node of the new guest; the node itself says
// when it is not, before anything has begun. o has what the new guest gets; its
// number and how it is copied are filled in. ref is the new guest.
func (c *Clone) Begin(ctx context.Context, s *Steps, ref guest.Ref, o pve.CloneOptions) (pve.UPID, error) {
	source := c.At(ref.Node)
	task, err := c.from(ctx, s, source, ref, o)
	if !errors.Is(err, pve.ErrNotFound) {
		return task, err
	}
	f, findErr := Find(ctx, s.Data, source)
	if findErr != nil {
		return "", findErr
	}
	if f.Ref.Node == source.Node {
		return "", err
	}
	return c.from(ctx, s, f.Ref, ref, o)
}

func (c *Clone) from(ctx context.Context, s *Steps, source, ref guest.Ref, o pve.CloneOptions) (pve.UPID, error) {
	c.Source.Node = source.Node
	o.NewID, o.Full, o.Storage, o.Snapshot = ref.VMID, c.Full, c.Storage, c.Snapshot
	if ref.Node != source.Node {
		o.Target = ref.Node
	}
	// The task runs where the source is and carries its number, so another clone of
	// the same source may be taken for this one: only the configuration of the new
	// number tells them apart.
	lost := pve.LostCall{Guest: guest.Ref{Node: source.Node, Kind: ref.Kind, VMID: ref.VMID}, Type: cloneTasks[ref.Kind], TaskID: source.VMID.String()}
	return Begin(ctx, s.Data.Client, lost, func() (pve.UPID, error) { return c.send(ctx, s, source, o) })
}

// send sends the request, again while another clone of the same source runs: the
// source of a clone of a container is locked until the copy is made, and the request
// is refused before anything has begun. Source: PVE::API2::LXC clone_vm.
func (c *Clone) send(ctx context.Context, s *Steps, source guest.Ref, o pve.CloneOptions) (pve.UPID, error) {
	for pause := firstLockPause; ; pause = min(2*pause, longestLockPause) {
		task, err := s.Data.Client.Clone(ctx, source, o)
		locked, ok := errors.AsType[*pve.LockedError](err)
		if !ok || locked.Lock != "disk" || !Pause(ctx, pause/2+rand.N(pause/2)) { //nolint:gosec // spreads load, guards nothing
			return task, err
		}
	}
}

// Clones of one template share its lock, and every other use of it excludes them:
// Proxmox waits one second for the lock and gives up. These are how often and after
// what pauses such a clone is made again.
const (
	cloneTries       = 12
	firstLockPause   = 300 * time.Millisecond
	longestLockPause = 5 * time.Second
)

// Follow waits for the task that makes the guest. A clone that failed for want of a
// lock has left nothing behind; it is begun again once that is proved. again begins
// it and tracks the new task.
func (c *Clone) Follow(ctx context.Context, s *Steps, task pve.UPID, again func() (pve.UPID, error)) (pve.UPID, error) {
	pause := firstLockPause
	for try := 1; ; try++ {
		err := s.Follow(ctx, task)
		failed, ended := errors.AsType[*pve.TaskError](err)
		if !ended || try == cloneTries || !errors.Is(failed, pve.ErrLockTimeout) {
			return task, err
		}
		taken, askErr := s.Data.Client.VMIDTaken(ctx, s.Ref.VMID)
		if askErr != nil || taken || !Pause(ctx, pause/2+rand.N(pause/2)) { //nolint:gosec // spreads load, guards nothing
			return task, err
		}
		pause = min(2*pause, longestLockPause)
		next, beginErr := again()
		if beginErr != nil {
			return task, errors.Join(err, beginErr)
		}
		task = next
	}
}

// Pause waits and reports whether there is time left.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
