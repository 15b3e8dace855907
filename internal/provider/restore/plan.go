package restore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// ValidateConfig wants a storage for a container: Proxmox's default, local, takes
// none on most nodes. Mounts are a container's.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	a, err := vzdump.ParseArchive(config.Archive.ValueString())
	if resp.Diagnostics.HasError() || err != nil {
		return
	}
	switch {
	case a.Kind == guest.LXC && config.Storage.IsNull():
		resp.Diagnostics.AddAttributeError(path.Root("storage"), "The restored container has no storage for its volumes",
			"Proxmox would take the storage local, which holds no containers on most nodes. "+diags.Nothing+"\n\nSet storage to one of content rootdir.")
	case a.Kind == guest.QEMU && !config.Mounts.IsNull():
		resp.Diagnostics.AddAttributeError(path.Root("mounts"), "A VM has no mount points",
			"The disks of a VM are restored to storage, or to the storages that they were on. "+diags.Nothing)
	}
}

// ModifyPlan guards the end of the guest, and checks what a restore needs before
// anything is touched.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.data == nil {
		return
	}
	var state, plan model
	fresh, destroyed := req.State.Raw.IsNull(), req.Plan.Raw.IsNull()
	if !fresh {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if !destroyed {
		resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	switch {
	case destroyed:
		s, d := r.subject(ctx, &state)
		resp.Diagnostics.Append(d...)
		r.doors().PlanDestroy(ctx, s, resp)
	case fresh:
		r.planNew(ctx, &plan, req, resp)
	default:
		s, d := r.subject(ctx, &state)
		resp.Diagnostics.Append(d...)
		r.doors().PlanReplace(ctx, s, !plan.Archive.Equal(state.Archive) || !plan.VMID.Equal(state.VMID), state.Reconcile, resp)
	}
}

func (r *Resource) planNew(ctx context.Context, plan *model, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if !attrs.Known(plan.Node) && r.data.DefaultNode != "" {
		var configured types.String
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("node"), &configured)...)
		if configured.IsNull() {
			plan.Node = types.StringValue(r.data.DefaultNode)
			resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("node"), plan.Node)...)
		}
	}
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("reconcile"), types.ObjectNull(guests.ReconcileTypes))...)
	resp.Diagnostics.Append(guests.PlanNumber(ctx, r.data, plan.kind(), req.Config)...)
	// Terraform plans a create once more when it applies: what the cluster says was
	// checked by then, and the create itself is the judge.
	if resp.Diagnostics.HasError() || req.ClientCapabilities.DeferralAllowed {
		return
	}
	resp.Diagnostics.Append(r.check(ctx, plan)...)
	r.doors().PlanSecond(ctx, req, resp)
}

// check asks the cluster for what the restore needs, and says what will not come
// back.
func (r *Resource) check(ctx context.Context, plan *model) diag.Diagnostics {
	if !attrs.Known(plan.Archive) || !attrs.Known(plan.Node) {
		return nil
	}
	node := plan.Node.ValueString()
	source, found := r.source(ctx, plan)
	if found.HasError() {
		return found
	}
	// A number that is taken may be that of the guest that this plan destroys first:
	// a tainted one looks like none here. So it is a warning now, and the create
	// refuses it.
	for _, d := range r.checkNumber(ctx, plan) {
		found.Append(diag.NewAttributeWarningDiagnostic(path.Root("vmid"), d.Summary(), d.Detail()))
	}
	found.Append(source.CheckUnique(ctx, r.data, path.Root("unique"), plan.Unique.ValueBool())...)
	content := "images"
	if source.Archive.Kind == guest.LXC {
		content = "rootdir"
	}
	use := func(at path.Path, storage types.String) {
		if attrs.Known(storage) {
			found.Append(archives.CheckStorage(ctx, r.data, at, archives.Use{
				Storage: storage.ValueString(), Nodes: []string{node}, Content: content, For: "the volumes of the restored " + source.Archive.Kind.Noun()})...)
		}
	}
	use(path.Root("storage"), plan.Storage)
	mounts, d := attrs.Map[mountModel](ctx, plan.Mounts)
	found.Append(d...)
	for _, key := range slices.Sorted(maps.Keys(mounts)) {
		use(path.Root("mounts").AtMapKey(key).AtName("storage"), mounts[key].Storage)
	}
	how, d := r.restoration(ctx, plan)
	found.Append(d...)
	if _, err := source.Params(how); err != nil {
		found.Append(archives.Unusable(path.Root("mounts"), source.Volume, err))
	}
	if !found.HasError() {
		found.Append(source.Losses(path.Root("archive"), how))
	}
	return found
}

func (r *Resource) source(ctx context.Context, plan *model) (archives.Source, diag.Diagnostics) {
	return archives.Open(ctx, r.data, path.Root("archive"), plan.Node.ValueString(), plan.Archive.ValueString())
}

// checkNumber refuses a number that is taken: a restore never overwrites.
func (r *Resource) checkNumber(ctx context.Context, plan *model) diag.Diagnostics {
	if !attrs.Known(plan.VMID) {
		return nil
	}
	g, err := archives.Locate(ctx, r.data, plan.id())
	unknown, hidden := errors.AsType[*archives.UnknownGuestError](err)
	switch {
	case err == nil:
		row, _, _ := r.data.Guests.Guest(ctx, plan.id())
		return diag.Diagnostics{taken(plan.id(), fmt.Sprintf("%s exists (%s, %s, %s)", g.Ref.VMID, meta.Describe(row), g.Ref.Kind, row.Status))}
	case hidden && unknown.Taken:
		return diag.Diagnostics{taken(plan.id(), unknown.Error())}
	case hidden:
		return nil
	}
	return diag.Diagnostics{diags.FailedAt(path.Root("vmid"), fmt.Sprintf("Whether VMID %d is free cannot be seen", plan.id()), err, diags.Nothing)}
}

func taken(id guest.VMID, why string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("vmid"), fmt.Sprintf("VMID %d is taken", id),
		why+". A restore never overwrites a guest: Proxmox would destroy its volumes, those that are in no backup too. "+diags.Nothing+"\n\nUse a free vmid, or leave vmid out and set vmid_range in the provider block.")
}

func (r *Resource) restoration(ctx context.Context, plan *model) (archives.Restoration, diag.Diagnostics) {
	how := archives.Restoration{
		Storage: plan.Storage.ValueString(), Unique: plan.Unique.ValueBool(), Pool: plan.Pool.ValueString(), Name: plan.Name.ValueString(),
		Root: r.data.Client.IsRoot(), Mounts: map[string]archives.Target{},
	}
	mounts, d := attrs.Map[mountModel](ctx, plan.Mounts)
	for key, m := range mounts {
		size, _ := m.Size.Bytes()
		how.Mounts[key] = archives.Target{Storage: m.Storage.ValueString(), Size: size}
	}
	return how, d
}

// subject is the guest as the state has it.
func (r *Resource) subject(ctx context.Context, state *model) (ending.Subject, diag.Diagnostics) {
	open, d := guests.OpenRecord(ctx, r.data, state.kind(), state.Reconcile)
	pairs, more := guests.Pairs(ctx, state.Volumes)
	d.Append(more...)
	return ending.Subject{
		Guest: state.ref(), Fingerprint: state.Fingerprint.ValueString(), Record: open,
		Waived: attrs.Strings(state.WaiveBlockers), Pool: state.Pool.ValueString(), Volumes: pairs, Declared: map[string]bool{},
	}, d
}
