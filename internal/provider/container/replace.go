package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

const replaceDescription = "A change from one value to another reinstalls the container; setting it for the first time does not."

// forcesReplace decides: from a value to another value. From null, after an
// import, to a value is only the user writing down what is there; from a value
// to null leaves nothing to reinstall from.
func forcesReplace(before, after attr.Value) bool {
	return attrs.Known(before) && !after.IsNull() && !before.Equal(after)
}

// reinstalls reports whether a plan requires replacement. The framework does not
// tell ModifyPlan what the attributes' own plan modifiers require.
func reinstalls(state, plan *model) bool {
	return guests.OtherSource(state.Clone.Attributes(), plan.Clone.Attributes()) || archives.OtherArchive(state.Restore, plan.Restore) || forcesReplace(state.OSTemplate, plan.OSTemplate) || forcesReplace(state.Unprivileged, plan.Unprivileged) ||
		forcesReplace(state.VMID, plan.VMID) || forcesReplace(state.ReinstallTrigger, plan.ReinstallTrigger)
}

func replaceOnString() planmodifier.String {
	return stringplanmodifier.RequiresReplaceIf(func(_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = forcesReplace(req.StateValue, req.PlanValue)
	}, replaceDescription, replaceDescription)
}

func replaceOnBool() planmodifier.Bool {
	return boolplanmodifier.RequiresReplaceIf(func(_ context.Context, req planmodifier.BoolRequest, resp *boolplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = forcesReplace(req.StateValue, req.PlanValue)
	}, replaceDescription, replaceDescription)
}

func replaceOnInt64() planmodifier.Int64 {
	return int64planmodifier.RequiresReplaceIf(func(_ context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = forcesReplace(req.StateValue, req.PlanValue)
	}, replaceDescription, replaceDescription)
}
