package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Ending is a guest that is to be destroyed, with everything that was planned
// on: whoever approved the plan approved this.
type Ending struct {
	Guest     guest.Ref
	Operation blocker.Operation
	// Planned are the pairs of key and volume that the plan showed.
	Planned map[string]string
	// Fingerprint is what the guest was recognised by.
	Fingerprint string
	// Wanted are the sizes of the volumes of the guest that comes after.
	Wanted map[string]bytesize.Size
	// Needs is what the guest that comes after needs; nil if none comes.
	Needs *Needs
	// Waived are the names in waive_blockers.
	Waived []string
	// Record is the open record of the guest, nil if there is none.
	Record *stage.Record
	// ShutdownLimit is how long the guest may take to shut down before it is
	// stopped.
	ShutdownLimit time.Duration
}

// Ended is what a destroy has to tell.
type Ended struct {
	// Gone says that the guest had been destroyed by something else.
	Gone bool
	// Warnings are those of the tasks.
	Warnings []string
}

// Halted says that the guest was stopped and then not destroyed: something
// changed between the two looks.
type Halted struct {
	Guest guest.Ref
	Cause error
}

// Error is the cause, and that the guest does not run any more.
func (e *Halted) Error() string {
	return fmt.Sprintf("%s %d has been stopped and not destroyed: %s", e.Guest.Kind.Noun(), e.Guest.VMID, e.Cause)
}

// Unwrap is the cause.
func (e *Halted) Unwrap() error { return e.Cause }

// End walks from inspect to destroy. Nothing irreversible happens before
// everything has been looked at twice: once before the guest is stopped, and
// again against the configuration read last. The error is a *blocker.Refusal,
// *blocker.Changed, *blocker.Stranger or *Lacking if nothing was done, a
// *Halted if the guest was only stopped, an *Interrupted from destroy on.
func (l *Lifecycle) End(ctx context.Context, e Ending) (Ended, error) {
	facts, err := l.Inspect(ctx, e.Guest, e.Wanted)
	if err != nil {
		return Ended{}, err
	}
	if err := e.Admit(facts); err != nil {
		return Ended{}, err
	}
	if !facts.Present {
		return Ended{Gone: true}, nil
	}
	e.Guest = facts.Guest // it may have moved to another node
	if e.Needs != nil {
		if err := l.Check(ctx, *e.Needs, facts); err != nil {
			return Ended{}, err
		}
	}
	warnings, err := l.halt(ctx, e, facts)
	if err != nil {
		return Ended{Warnings: warnings}, err
	}
	more, err := l.destroy(ctx, e.Guest)
	return Ended{Warnings: append(warnings, more...)}, err
}

// Admit is nil if what was found is what was planned on and nothing stands in
// the way. For a destroy, a guest that is gone is no reason to refuse.
func (e Ending) Admit(f Facts) error {
	var changed *blocker.Changed
	if f.Present {
		if !f.Recognise(e.Fingerprint) {
			return &blocker.Stranger{Guest: f.Guest, Known: e.Fingerprint, Found: f.Fingerprint().String()}
		}
		if diff := datalabel.Differences(e.Planned, f.Pairs()); diff != nil {
			changed = &blocker.Changed{Guest: f.Guest, Differences: diff}
		}
	}
	found := blocker.Relevant(e.Operation, f.Blockers(e.Wanted, e.Record), e.Waived)
	return blocker.Refuse(f.Guest, e.Operation, found, f.Managed, changed)
}

// halt stops the guest if it runs and looks again.
func (l *Lifecycle) halt(ctx context.Context, e Ending, before Facts) ([]string, error) {
	if !before.Running {
		return nil, nil
	}
	warnings, err := l.stop(ctx, e.Guest, e.ShutdownLimit)
	if err != nil {
		return warnings, err
	}
	again, err := l.Inspect(ctx, e.Guest, e.Wanted)
	switch {
	case err != nil:
	case !again.Present:
		err = blocker.Refuse(e.Guest, blocker.Reinstall, []blocker.Blocker{blocker.Gone{Guest: e.Guest, Now: again.Now}}, nil, nil)
	default:
		if len(before.Config.Pending) > 0 {
			e.Planned = afterStop(e.Planned, again.Pairs())
		}
		err = e.Admit(again)
	}
	if err != nil {
		return warnings, &Halted{Guest: e.Guest, Cause: err}
	}
	return warnings, nil
}

// afterStop is what was planned on as a stop leaves it: Proxmox applies pending
// changes then, and a mount point whose removal waited becomes an unused volume.
// Keys may change in that, the set of volumes does not; if it did, what was
// planned on stays and is compared. Source: PVE::API2::LXC::Status vm_stop.
func afterStop(planned, live map[string]string) map[string]string {
	was, is := map[string]bool{}, map[string]bool{}
	for _, source := range planned {
		was[source] = true
	}
	for _, source := range live {
		is[source] = true
	}
	if maps.Equal(was, is) {
		return live
	}
	return planned
}

// stop shuts the guest down, and cuts its power if it does not go within limit.
// A guest that is stopped already is what is wanted.
func (l *Lifecycle) stop(ctx context.Context, ref guest.Ref, limit time.Duration) ([]string, error) {
	warnings, err := l.power(ctx, func() (pve.UPID, error) { return l.client.Shutdown(ctx, ref, limit, false) })
	if err == nil || ctx.Err() != nil {
		return warnings, err
	}
	return l.power(ctx, func() (pve.UPID, error) { return l.client.Stop(ctx, ref) })
}

func (l *Lifecycle) power(ctx context.Context, call func() (pve.UPID, error)) ([]string, error) {
	task, err := call()
	if errors.Is(err, pve.ErrNotRunning) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	result, err := l.client.Wait(ctx, task)
	return result.Warnings, err
}
