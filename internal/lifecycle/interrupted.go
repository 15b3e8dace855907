package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Interrupted says that an operation died half done. The record goes into
// state, so that nothing is planned for the guest before it is settled.
type Interrupted struct {
	Record stage.Record
	Cause  error
}

// Error is the record's story and the cause.
func (e *Interrupted) Error() string {
	return fmt.Sprintf("%s The cause: %s", e.Record.Story(), e.Cause)
}

// Unwrap is the cause.
func (e *Interrupted) Unwrap() error { return e.Cause }

// Interrupt opens a record: it looks what exists now and keeps the task's id,
// which may also stand in the cause.
func (l *Lifecycle) Interrupt(ctx context.Context, ref guest.Ref, at stage.Stage, task pve.UPID, cause error) *Interrupted {
	if task == "" {
		task = taskOf(cause)
	}
	return &Interrupted{Cause: cause, Record: stage.Record{
		Guest: ref, Stage: at, Task: string(task), Exists: l.Exists(ctx, ref),
		Since: l.now().UTC().Truncate(time.Second),
	}}
}

// Unfinished reports whether an error of a task says that its work was not
// brought to an end either way: it runs on, or it died where it stood and
// cleaned nothing up. A task that failed has cleaned up behind itself.
func Unfinished(err error) bool {
	if _, ok := errors.AsType[*pve.StillRunningError](err); ok {
		return true
	}
	e, ok := errors.AsType[*pve.TaskError](err)
	return ok && e.Exit == unexpectedStatus
}

// unexpectedStatus is the exit status of a task without a last line.
// Source: PVE::UPID read_status.
const unexpectedStatus = "unexpected status"

func taskOf(err error) pve.UPID {
	if e, ok := errors.AsType[*pve.StillRunningError](err); ok {
		return e.UPID
	}
	if e, ok := errors.AsType[*pve.TaskError](err); ok {
		return e.UPID
	}
	return ""
}

// Exists looks whether the guest is there: true if its node has its
// configuration, false if the number is free in the whole cluster, nil if
// neither was seen. A refusal, an empty answer and a node that is down are nil.
func (l *Lifecycle) Exists(ctx context.Context, ref guest.Ref) *bool {
	ctx, cancel := looking(ctx)
	defer cancel()
	if _, err := l.client.Config(ctx, ref); err == nil {
		return new(true)
	}
	if taken, err := l.client.VMIDTaken(ctx, ref.VMID); err == nil && !taken {
		return new(false)
	}
	return nil
}
