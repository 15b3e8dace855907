package guests

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// ForcesReplace decides: from a value to another value. From null, after an
// import, to a value is only the user writing down what is there; from a value
// to null leaves nothing to reinstall from.
func ForcesReplace(before, after attr.Value) bool {
	return attrs.Known(before) && !after.IsNull() && !before.Equal(after)
}

func replaceText(kind guest.Kind) string {
	return fmt.Sprintf("A change from one value to another reinstalls the %s; setting it for the first time does not.", kind.Noun())
}

// ReplaceOnString requires a replacement as ForcesReplace says.
func ReplaceOnString(kind guest.Kind) planmodifier.String {
	return stringplanmodifier.RequiresReplaceIf(func(_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = ForcesReplace(req.StateValue, req.PlanValue)
	}, replaceText(kind), replaceText(kind))
}

// ReplaceOnBool requires a replacement as ForcesReplace says.
func ReplaceOnBool(kind guest.Kind) planmodifier.Bool {
	return boolplanmodifier.RequiresReplaceIf(func(_ context.Context, req planmodifier.BoolRequest, resp *boolplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = ForcesReplace(req.StateValue, req.PlanValue)
	}, replaceText(kind), replaceText(kind))
}

// ReplaceOnInt64 requires a replacement as ForcesReplace says.
func ReplaceOnInt64(kind guest.Kind) planmodifier.Int64 {
	return int64planmodifier.RequiresReplaceIf(func(_ context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = ForcesReplace(req.StateValue, req.PlanValue)
	}, replaceText(kind), replaceText(kind))
}

// ReplaceOnClone requires a replacement when the source of a clone is another one.
// How it was copied is history: nothing of that is undone by copying again.
func ReplaceOnClone(kind guest.Kind) planmodifier.Object {
	return objectplanmodifier.RequiresReplaceIf(func(_ context.Context, req planmodifier.ObjectRequest, resp *objectplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = OtherSource(req.StateValue.Attributes(), req.PlanValue.Attributes())
	}, replaceText(kind), replaceText(kind))
}

// OtherSource reports whether two values of the attribute clone name another
// source.
func OtherSource(before, after map[string]attr.Value) bool {
	for _, name := range []string{"vmid", "snapshot"} {
		b, a := before[name], after[name]
		if a != nil && b != nil && attrs.Known(before["vmid"]) && !after["vmid"].IsNull() && !b.Equal(a) {
			return true
		}
	}
	return false
}
