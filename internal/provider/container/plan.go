package container

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

// ModifyPlan fills in what follows from the provider block, marks as unknown
// what the planned change will change, and checks what can be checked before
// anything is touched.
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
	if !resp.Diagnostics.HasError() {
		r.planReplace(ctx, &state, &plan, resp)
	}
}

func (r *Resource) planCreate(ctx context.Context, plan *model, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.planNode(ctx, plan, types.StringNull(), req, resp)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("reconcile"), types.ObjectNull(guests.ReconcileTypes))...)
	resp.Diagnostics.Append(guests.PlanNumber(ctx, r.data, guest.LXC, req.Config)...)
	resp.Diagnostics.Append(r.checkNew(ctx, plan)...)
	// Terraform plans a create once more when it applies. What the cluster says
	// was checked by then, and the create itself is the judge.
	if resp.Diagnostics.HasError() || req.ClientCapabilities.DeferralAllowed {
		return
	}
	resp.Diagnostics.Append(r.checkCluster(ctx, plan, nil)...)
	resp.Diagnostics.Append(r.planFirewall(ctx, nil, plan)...)
	r.doors().PlanSecond(ctx, req, resp)
}

func (r *Resource) planUpdate(ctx context.Context, state, plan *model, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.planNode(ctx, plan, state.Node, req, resp)
	resp.Diagnostics.Append(planUnknown(ctx, state, plan, resp)...)
	resp.Diagnostics.Append(r.checkRootOnly(ctx, state, plan)...)
	resp.Diagnostics.Append(checkExchange(ctx, state, plan)...)
	resp.Diagnostics.Append(laterOnly(state, plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(r.checkCluster(ctx, plan, state)...)
	resp.Diagnostics.Append(r.planFirewall(ctx, state, plan)...)
}

// planNode takes the node of the configuration, else the one of the state, else
// the provider's.
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
		resp.Diagnostics.Append(missing("node", `"pve1", or default_node in the provider block`))
		return
	}
	plan.Node = configured
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("node"), configured)...)
}

// planUnknown marks the computed attributes that the planned change will change.
// Everything else keeps its value, which the schema's plan modifiers see to.
func planUnknown(ctx context.Context, state, plan *model, resp *resource.ModifyPlanResponse) diag.Diagnostics {
	var d diag.Diagnostics
	disks := !plan.Rootfs.Equal(state.Rootfs) || !plan.MountPoints.Equal(state.MountPoints) || !plan.Devices.Equal(state.Devices)
	if disks {
		d.Append(resp.Plan.SetAttribute(ctx, path.Root("volumes"), types.MapUnknown(guests.VolumeType))...)
	}
	if disks || !plan.Network.Equal(state.Network) {
		d.Append(resp.Plan.SetAttribute(ctx, path.Root("fingerprint"), types.StringUnknown())...)
	}
	if !plan.Node.Equal(state.Node) {
		d.Append(resp.Plan.SetAttribute(ctx, path.Root("current_node"), types.StringUnknown())...)
	}
	changed := !plan.ReadAddresses.Equal(state.ReadAddresses) || plan.ReadAddresses.ValueBool() &&
		(!plan.Network.Equal(state.Network) || !plan.Started.Equal(state.Started))
	if changed {
		d.Append(resp.Plan.SetAttribute(ctx, path.Root("addresses"), types.SetUnknown(types.StringType))...)
	}
	return d
}
