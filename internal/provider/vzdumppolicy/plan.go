package vzdumppolicy

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// ValidateConfig refuses selections that contradict each other and a retention
// that says two things, and warns of settings without effect.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(config.checkSelection()...)
	if prune, d := attrs.Object[pruneModel](ctx, config.PruneBackups); prune != nil && !d.HasError() && prune.known() {
		if err := prune.retention().Check(); err != nil {
			resp.Diagnostics.Append(badRetention(err))
		}
	}
	if fleecing, d := attrs.Object[fleecingModel](ctx, config.Fleecing); fleecing != nil && !d.HasError() {
		if fleecing.Enabled.ValueBool() && fleecing.Storage.IsNull() {
			resp.Diagnostics.Append(fleecingWithoutStorage())
		}
	}
	resp.Diagnostics.Append(config.checkNotices()...)
}

func (p *pruneModel) known() bool {
	return !slices.ContainsFunc([]types.Int64{p.Last, p.Hourly, p.Daily, p.Weekly, p.Monthly, p.Yearly}, types.Int64.IsUnknown) && !p.All.IsUnknown()
}

// checkSelection wants exactly one of vmids, pool and all. A value that is not
// known yet may turn out to be null, so it is given the benefit of the doubt.
func (m *model) checkSelection() diag.Diagnostics {
	given, unknown := 0, 0
	for _, chosen := range []struct{ set, unknown bool }{
		{!m.VMIDs.IsNull(), m.VMIDs.IsUnknown()},
		{!m.Pool.IsNull(), m.Pool.IsUnknown()},
		{!m.All.IsNull() && (m.All.IsUnknown() || m.All.ValueBool()), m.All.IsUnknown()},
	} {
		switch {
		case chosen.unknown:
			unknown++
		case chosen.set:
			given++
		}
	}
	var found diag.Diagnostics
	if given > 1 || given+unknown == 0 {
		found.Append(notOneSelection(given))
	}
	if !m.Exclude.IsNull() && attrs.Known(m.VMIDs) {
		found.Append(excludeBesideVMIDs())
	}
	return found
}

// checkNotices warns where a mail setting has no effect.
// Source: PVE::VZDump send_notification; notification-mode auto without mailto
// uses the notification system, which does not know mailnotification.
func (m *model) checkNotices() diag.Diagnostics {
	mode := m.NotificationMode.ValueString()
	if m.NotificationMode.IsUnknown() || m.MailTo.IsUnknown() {
		return nil
	}
	system := mode == "notification-system" || (mode == "" || mode == "auto") && m.MailTo.IsNull()
	var found diag.Diagnostics
	if system && attrs.Known(m.MailNotification) {
		found.Append(withoutEffect("mail_notification", mode))
	}
	if system && !m.MailTo.IsNull() {
		found.Append(withoutEffect("mail_to", mode))
	}
	return found
}

// ModifyPlan asks the cluster what Proxmox checks only when the job runs: that
// the storage can take the archives, and what they will not hold. An unchanged
// policy asks nothing.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() || r.data == nil {
		return
	}
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	var state *model
	if !req.State.Raw.IsNull() {
		state = &model{}
		resp.Diagnostics.Append(req.State.Get(ctx, state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if state != nil && plan.equal(ctx, state) {
		// Nothing is written, so nothing becomes another value either.
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("next_run"), state.NextRun)...)
		return
	}
	if plan.Storage.IsNull() && (state == nil || !state.Storage.IsNull()) {
		resp.Diagnostics.Append(withoutStorage())
	}
	resp.Diagnostics.Append(r.within(&plan)...)
	// Terraform plans a create once more when it applies. What the cluster says
	// was checked by then.
	if resp.Diagnostics.HasError() || state == nil && req.ClientCapabilities.DeferralAllowed {
		return
	}
	resp.Diagnostics.Append(r.checkTargets(ctx, &plan, state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if state == nil || plan.selectsOther(state) {
		resp.Diagnostics.Append(r.warn(ctx, &plan)...)
	}
}

// equal reports whether the plan asks for what the state has.
func (m *model) equal(ctx context.Context, state *model) bool {
	a, d := m.wants(ctx)
	b, e := state.wants(ctx)
	if d.HasError() || e.HasError() || !m.ID.Equal(state.ID) || !m.ExcludePaths.Equal(state.ExcludePaths) || !m.wholly() {
		return false
	}
	return mapsEqual(a.values, b.values)
}

// wholly reports whether no attribute that is written is unknown.
func (m *model) wholly() bool {
	for _, v := range []interface{ IsUnknown() bool }{
		m.VMIDs, m.Pool, m.All, m.Exclude, m.Node, m.Schedule, m.Enabled, m.RepeatMissed, m.Comment, m.Storage, m.Mode, m.Compress,
		m.NotesTemplate, m.Protected, m.PruneBackups, m.NotificationMode, m.MailTo, m.MailNotification, m.Fleecing, m.Performance,
		m.BwLimit, m.IONice, m.ZstdThreads, m.LockWait, m.StopWait, m.ExcludePaths, m.StdExcludes, m.PBSChangeDetectionMode,
	} {
		if v.IsUnknown() {
			return false
		}
	}
	return true
}

func (m *model) selectsOther(state *model) bool {
	return !m.VMIDs.Equal(state.VMIDs) || !m.Pool.Equal(state.Pool) || !m.All.Equal(state.All) || !m.Exclude.Equal(state.Exclude) || !m.Node.Equal(state.Node)
}

// within refuses guests outside of the provider's range. What is excluded is not
// touched and may be anybody's.
func (r *Resource) within(plan *model) diag.Diagnostics {
	var found diag.Diagnostics
	for _, id := range vmids(plan.VMIDs) {
		if err := r.data.Boundary.Check(id); err != nil {
			found.Append(diags.FailedAt(path.Root("vmids"), fmt.Sprintf("Guest %d cannot be backed up by a policy of this provider", id), err, diags.Nothing))
		}
	}
	if err := r.data.Boundary.Err(); err != nil && len(found) == 0 {
		found.Append(diags.Failed("No guest can be backed up", err, diags.Nothing))
	}
	return found
}

func (r *Resource) checkTargets(ctx context.Context, plan, state *model) diag.Diagnostics {
	var found diag.Diagnostics
	var nodes []string
	if attrs.Known(plan.Node) {
		nodes = []string{plan.Node.ValueString()}
	}
	what := "the archives of a new policy"
	if attrs.Known(plan.ID) {
		what = "the archives of policy " + plan.ID.ValueString()
	}
	if attrs.Known(plan.Storage) && (state == nil || !plan.Storage.Equal(state.Storage) || !plan.Node.Equal(state.Node)) {
		found.Append(archives.CheckStorage(ctx, r.data, path.Root("storage"), archives.Use{
			Storage: plan.Storage.ValueString(), Nodes: nodes, Content: "backup", For: what})...)
	}
	fleecing, d := attrs.Object[fleecingModel](ctx, plan.Fleecing)
	found.Append(d...)
	if fleecing != nil && fleecing.Enabled.ValueBool() && attrs.Known(fleecing.Storage) && (state == nil || !plan.Fleecing.Equal(state.Fleecing)) {
		found.Append(archives.CheckStorage(ctx, r.data, path.Root("fleecing").AtName("storage"), archives.Use{
			Storage: fleecing.Storage.ValueString(), Nodes: nodes, Content: "images", For: "what guests overwrite during a backup"})...)
	}
	return found
}

// warn looks at every container that the policy selects, as far as the provider
// may look, and says what their archives will not hold.
func (r *Resource) warn(ctx context.Context, plan *model) diag.Diagnostics {
	want, found := plan.wants(ctx)
	if found.HasError() {
		return found
	}
	rows, err := r.data.Guests.All(ctx)
	if err != nil {
		return diag.Diagnostics{diags.Failed("The guests that the policy selects cannot be listed", err, diags.Nothing)}
	}
	selection := want.selection()
	var containers []archives.Guest
	beyond := 0
	for _, row := range rows {
		ref, ok := row.Guest()
		if !ok || !selection.Selects(vzdump.Candidate{VMID: ref.VMID, Node: ref.Node, Pool: row.Pool}) {
			continue
		}
		if r.data.Boundary.Check(ref.VMID) != nil {
			beyond++
			continue
		}
		if ref.Kind == guest.LXC {
			containers = append(containers, archives.Guest{Ref: ref, Name: row.Name})
		}
	}
	if beyond > 0 {
		found.Append(beyondRange(beyond, r.data.Boundary.Text))
	}
	slices.SortFunc(containers, func(a, b archives.Guest) int { return int(a.Ref.VMID) - int(b.Ref.VMID) })
	at := path.Root("vmids")
	if plan.VMIDs.IsNull() {
		at = path.Root("pool")
		if plan.Pool.IsNull() {
			at = path.Root("all")
		}
	}
	return append(found, archives.WarnOfContainers(ctx, r.data, at, containers)...)
}
