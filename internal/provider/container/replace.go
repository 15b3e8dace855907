package container

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// reinstalls reports whether a plan requires replacement. The framework does not
// tell ModifyPlan what the attributes' own plan modifiers require.
func reinstalls(state, plan *model) bool {
	return guests.OtherSource(state.Clone.Attributes(), plan.Clone.Attributes()) || archives.OtherArchive(state.Restore, plan.Restore) || forcesReplace(state.OSTemplate, plan.OSTemplate) || forcesReplace(state.Unprivileged, plan.Unprivileged) ||
		forcesReplace(state.VMID, plan.VMID) || forcesReplace(state.ReinstallTrigger, plan.ReinstallTrigger)
}

func forcesReplace(before, after attr.Value) bool { return guests.ForcesReplace(before, after) }

func replaceOnString() planmodifier.String { return guests.ReplaceOnString(guest.LXC) }
func replaceOnBool() planmodifier.Bool     { return guests.ReplaceOnBool(guest.LXC) }
func replaceOnInt64() planmodifier.Int64   { return guests.ReplaceOnInt64(guest.LXC) }
