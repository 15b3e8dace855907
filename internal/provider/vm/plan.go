package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// ModifyPlan fills in what follows from the provider block, marks as unknown what
// the planned change will change, and checks what can be checked before anything
// is touched.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.data == nil {
		return
	}
	if req.Plan.Raw.IsNull() {
		r.planEnd(ctx, req, resp)
		return
	}
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(planStarted(ctx, &plan, req, resp)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if req.State.Raw.IsNull() {
		r.planCreate(ctx, &plan, req, resp)
		return
	}
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.planUpdate(ctx, &state, &plan, req, resp)
	if resp.Diagnostics.HasError() {
		return
	}
	s, d := r.subject(ctx, &state, &plan)
	resp.Diagnostics.Append(d...)
	r.doors().PlanReplace(ctx, s, reinstalls(&state, &plan), state.Reconcile, resp)
}

// planStarted is the default of started: a VM runs, a template cannot.
func planStarted(ctx context.Context, plan *model, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) diag.Diagnostics {
	var configured types.Bool
	d := req.Config.GetAttribute(ctx, path.Root("started"), &configured)
	if d.HasError() || !configured.IsNull() || plan.Template.IsUnknown() {
		return d
	}
	plan.Started = types.BoolValue(!plan.Template.ValueBool())
	return append(d, resp.Plan.SetAttribute(ctx, path.Root("started"), plan.Started)...)
}

func (r *Resource) planCreate(ctx context.Context, plan *model, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.planNode(ctx, plan, types.StringNull(), req, resp)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("reconcile"), types.ObjectNull(guests.ReconcileTypes))...)
	resp.Diagnostics.Append(guests.PlanNumber(ctx, r.data, guest.QEMU, req.Config)...)
	resp.Diagnostics.Append(r.checkNew(ctx, plan)...)
	// Terraform plans a create once more when it applies. What the cluster says was
	// checked by then, and the create itself is the judge.
	if resp.Diagnostics.HasError() || req.ClientCapabilities.DeferralAllowed {
		return
	}
	resp.Diagnostics.Append(r.checkCluster(ctx, plan, nil)...)
	resp.Diagnostics.Append(r.planFirewall(ctx, nil, plan)...)
	resp.Diagnostics.Append(r.checkClone(ctx, plan)...)
	resp.Diagnostics.Append(r.planRestore(ctx, plan, false)...)
	r.doors().PlanSecond(ctx, req, resp)
}

func (r *Resource) planUpdate(ctx context.Context, state, plan *model, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.planNode(ctx, plan, state.Node, req, resp)
	resp.Diagnostics.Append(planUnknown(ctx, state, plan, resp)...)
	resp.Diagnostics.Append(r.checkRootOnly(ctx, state, plan)...)
	resp.Diagnostics.Append(checkTemplate(state, plan)...)
	resp.Diagnostics.Append(detaches(ctx, state, plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(r.checkCluster(ctx, plan, state)...)
	resp.Diagnostics.Append(r.planFirewall(ctx, state, plan)...)
	if reinstalls(state, plan) {
		resp.Diagnostics.Append(r.checkClone(ctx, plan)...)
		resp.Diagnostics.Append(r.planRestore(ctx, plan, true)...)
	}
}

// planNode takes the node of the configuration, else the one of the state, else the
// provider's.
func (r *Resource) planNode(ctx context.Context, plan *model, before types.String, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var configured types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("node"), &configured)...)
	if !configured.IsNull() || !plan.Node.IsUnknown() {
		return
	}
	switch {
	case attrs.Known(before):
		configured = before
	case r.data.DefaultNode != "":
		configured = types.StringValue(r.data.DefaultNode)
	default:
		resp.Diagnostics.AddAttributeError(path.Root("node"), "A VM cannot be created without a node",
			"Set node, for example \"pve1\", or default_node in the provider block. Nothing has been changed.")
		return
	}
	plan.Node = configured
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("node"), configured)...)
}

// planUnknown marks the computed attributes that the planned change will change.
// Everything else keeps its value, which the schema's plan modifiers see to.
func planUnknown(ctx context.Context, state, plan *model, resp *resource.ModifyPlanResponse) diag.Diagnostics {
	var d diag.Diagnostics
	mark := func(name string, unknown any) { d.Append(resp.Plan.SetAttribute(ctx, path.Root(name), unknown)...) }
	moved := !plan.Node.Equal(state.Node)
	disks := !plan.Disks.Equal(state.Disks) || !plan.CDROMs.Equal(state.CDROMs) || !plan.EFIDisk.Equal(state.EFIDisk) ||
		!plan.TPMState.Equal(state.TPMState) || !plan.CloudInit.Equal(state.CloudInit) || !plan.Template.Equal(state.Template)
	if disks || moved {
		mark("volumes", types.MapUnknown(guests.VolumeType))
	}
	if !plan.SMBIOS.Equal(state.SMBIOS) {
		mark("fingerprint", types.StringUnknown())
	}
	if moved {
		mark("current_node", types.StringUnknown())
	}
	if !plan.ReadAddresses.Equal(state.ReadAddresses) || plan.ReadAddresses.ValueBool() &&
		(!plan.Network.Equal(state.Network) || !plan.Started.Equal(state.Started) || !plan.CloudInit.Equal(state.CloudInit)) {
		mark("addresses", types.SetUnknown(types.StringType))
	}
	return d
}
