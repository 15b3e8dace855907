package vm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// save reads the VM into state. m is the plan after success and the prior state
// after a failure.
func (u *updating) save(ctx context.Context, m *model) {
	planned := *m
	now, d := u.read(ctx, m)
	if d.HasError() {
		u.resp.Diagnostics.Append(d...)
		return
	}
	if waiting := u.waiting(now); len(waiting) > 0 && m == u.plan {
		now, d = u.settle(ctx, m, now, waiting)
	}
	if m == u.plan {
		*m = attrs.Fill(planned, *m)
	}
	u.resp.Diagnostics.Append(d...)
	u.resp.Diagnostics.Append(now.Write(ctx, u.resp.Private)...)
	u.resp.Diagnostics.Append(u.resp.State.Set(ctx, m)...)
}

func (u *updating) read(ctx context.Context, m *model) (guests.Seen, diag.Diagnostics) {
	f, err := guests.Find(ctx, u.r.data, u.steps.Ref)
	if err != nil {
		return guests.Seen{}, diag.Diagnostics{guests.Unreadable(u.steps.Ref, err)}
	}
	return u.r.refresh(ctx, m, f, u.before)
}

// open leaves a record of a task that still runs or that died where it stood, so
// that nothing else is planned before it has ended and its lock is gone.
func (u *updating) open(ctx context.Context) {
	if u.steps.Unfinished == "" {
		return
	}
	stop := u.r.life().Interrupt(ctx, u.steps.Ref, stage.Configure, u.steps.Unfinished, context.Cause(ctx))
	kept, d := guests.RecordValue(ctx, &stop.Record)
	u.resp.Diagnostics.Append(d...)
	u.state.Reconcile = kept
}

// waiting are the keys that this update changed and that wait for the next start.
func (u *updating) waiting(now guests.Seen) []string {
	var waiting []string
	for _, key := range sortedKeys(now.Pending) {
		if slices.Contains(u.sent, key) {
			waiting = append(waiting, key)
		}
	}
	return waiting
}

// settle restarts the VM so that what waits takes effect, or says what waits.
func (u *updating) settle(ctx context.Context, m *model, now guests.Seen, waiting []string) (guests.Seen, diag.Diagnostics) {
	list := strings.Join(waiting, ", ")
	if !u.plan.RestartForPending.ValueBool() {
		return now, diag.Diagnostics{diag.NewWarningDiagnostic(
			fmt.Sprintf("The change of %s of VM %d takes effect when it is stopped and started", list, u.change.self),
			"Proxmox keeps these keys pending while the VM runs; a reboot inside of it does not apply them.\n\nShut the VM down and start it, or set restart_for_pending = true to have that done with such a change.")}
	}
	if err := u.steps.Restart(ctx); err != nil {
		return now, diag.Diagnostics{diags.FailedAt(path.Root("restart_for_pending"),
			fmt.Sprintf("VM %d could not be restarted for %s", u.change.self, list), err, "The change is stored.")}
	}
	return u.read(ctx, m)
}
