package vzdumppolicy

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// Read finds the job in the list of all, the only place that tells when it runs
// next. A job that is not there is gone only when its own path says so.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), state.ID)...)
	if resp.Diagnostics.HasError() {
		return
	}
	importing := state.Schedule.IsNull()
	id := state.ID.ValueString()
	job, err := r.find(ctx, id)
	switch {
	case errors.Is(err, pve.ErrNoSuch) && importing:
		resp.Diagnostics.Append(noSuchPolicy(id))
	case errors.Is(err, pve.ErrNoSuch):
		resp.State.RemoveResource(ctx)
	case err != nil:
		resp.Diagnostics.Append(diags.Failed("Policy "+id+" cannot be read", err, "It stays in the state. "+diags.Nothing))
	default:
		resp.Diagnostics.Append(state.fill(ctx, job, importing)...)
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// find looks for a job in the list, then at its own path.
func (r *Resource) find(ctx context.Context, id string) (pve.BackupJob, error) {
	jobs, err := r.data.Client.BackupJobs(ctx)
	if err != nil {
		return pve.BackupJob{}, err
	}
	if i := slices.IndexFunc(jobs, func(j pve.BackupJob) bool { return j.ID == id }); i >= 0 {
		return jobs[i], nil
	}
	return r.data.Client.BackupJob(ctx, id)
}

// fill takes over a job.
func (m *model) fill(ctx context.Context, job pve.BackupJob, first bool) diag.Diagnostics {
	d := m.absorb(ctx, optionsOf(job), first)
	m.NextRun = types.StringNull()
	if !job.NextRun.IsZero() {
		m.NextRun = types.StringValue(job.NextRun.Format(time.RFC3339))
	}
	return d
}

// readBack reads the job that was just written into a plan. What the plan says
// of an option that the server did not take stays: the next read mends it.
func (r *Resource) readBack(ctx context.Context, plan *model) diag.Diagnostics {
	id := plan.ID.ValueString()
	job, err := r.find(ctx, id)
	if err != nil {
		plan.NextRun = types.StringNull()
		plan.OtherOptions = others(nil)
		return diag.Diagnostics{diags.Failed("Policy "+id+" was written and cannot be read", err, "The policy is in the cluster.")}
	}
	planned := *plan
	d := plan.fill(ctx, job, false)
	if plan.MailNotification.IsNull() {
		plan.MailNotification = planned.MailNotification
	}
	if plan.NotificationMode.IsNull() {
		plan.NotificationMode = planned.NotificationMode
	}
	return d
}

func sameRetention(a, b string) bool {
	x, errX := vzdump.ParseRetention(a)
	y, errY := vzdump.ParseRetention(b)
	return errX == nil && errY == nil && (a == "") == (b == "") && x == y
}
