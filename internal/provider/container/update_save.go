package container

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
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// save reads the container into state. m is the plan after success and the
// prior state after a failure.
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
	f, err := u.r.find(ctx, u.steps.Ref.VMID, u.steps.Ref.Node)
	if err != nil {
		return guests.Seen{}, diag.Diagnostics{guests.Unreadable(u.steps.Ref, err)}
	}
	return u.r.refresh(ctx, m, f, u.before)
}

// waiting are the keys that this update changed and that wait for the next start.
func (u *updating) waiting(now guests.Seen) []string {
	var keys []string
	for key := range now.Pending {
		if slices.Contains(u.changed, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// settle restarts the container so that what waits takes effect, or says what
// waits.
func (u *updating) settle(ctx context.Context, m *model, now guests.Seen, waiting []string) (guests.Seen, diag.Diagnostics) {
	list := strings.Join(waiting, ", ")
	if !u.plan.RestartForPending.ValueBool() {
		return now, diag.Diagnostics{diag.NewWarningDiagnostic(
			fmt.Sprintf("The change of %s of container %d takes effect at its next start", list, u.steps.Ref.VMID),
			"Proxmox keeps these keys pending while the container runs.\n\nRestart the container, or set restart_for_pending = true to have that done with such a change.")}
	}
	if err := u.steps.Wait(ctx, func() (pve.UPID, error) { return u.r.data.Client.Reboot(ctx, u.steps.Ref, guests.ShutdownLimit) }); err != nil {
		return now, diag.Diagnostics{diags.FailedAt(path.Root("restart_for_pending"),
			fmt.Sprintf("Container %d could not be restarted for %s", u.steps.Ref.VMID, list), err, "The change is stored and pending.")}
	}
	return u.read(ctx, m)
}
