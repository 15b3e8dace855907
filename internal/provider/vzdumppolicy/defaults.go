package vzdumppolicy

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// atCreation plans a default for a policy that is made, and leaves alone what an
// imported one has or has not: adding an option to a job that somebody else set
// up is not a refresh.
func atCreation(text string) planmodifier.String { return creationDefault(text) }

type creationDefault string

func (d creationDefault) Description(context.Context) string {
	return "When the policy is made, the default is " + string(d) + "."
}

func (d creationDefault) MarkdownDescription(ctx context.Context) string { return d.Description(ctx) }

func (d creationDefault) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	switch {
	case !req.ConfigValue.IsNull():
	case req.State.Raw.IsNull():
		resp.PlanValue = types.StringValue(string(d))
	default:
		resp.PlanValue = req.StateValue
	}
}

// defaults are the options that are sent though nobody asked for them, and that
// a later Proxmox may not know any more.
func (m *model) defaults(config *model) []string {
	var sent []string
	if !attrs.Known(config.MailNotification) && attrs.Known(m.MailNotification) {
		sent = append(sent, "mailnotification")
	}
	if !attrs.Known(config.NotificationMode) && attrs.Known(m.NotificationMode) {
		sent = append(sent, "notification-mode")
	}
	return sent
}

// mapped are the options that options.go maps by hand.
var mapped = []string{"vmid", "exclude", "prune-backups", "fleecing", "performance"}

// sample is a model with every tagged attribute set, to know their options.
func sample() *model {
	list := types.SetValueMust(types.StringType, []attr.Value{types.StringValue("x")})
	text, yes, one := types.StringValue("x"), types.BoolValue(true), types.Int64Value(1)
	return &model{
		Pool: text, All: yes, Node: text, Schedule: text, Enabled: yes, RepeatMissed: yes, Comment: text, Storage: text, Mode: text,
		Compress: text, NotesTemplate: text, Protected: yes, NotificationMode: text, MailTo: list, MailNotification: text, BwLimit: one,
		IONice: one, ZstdThreads: one, LockWait: one, StopWait: one, StdExcludes: yes, PBSChangeDetectionMode: text,
	}
}

var (
	pruneTypes = map[string]attr.Type{
		"keep_all": types.BoolType, "keep_last": types.Int64Type, "keep_hourly": types.Int64Type, "keep_daily": types.Int64Type,
		"keep_weekly": types.Int64Type, "keep_monthly": types.Int64Type, "keep_yearly": types.Int64Type,
	}
	fleecingTypes    = map[string]attr.Type{"enabled": types.BoolType, "storage": types.StringType}
	performanceTypes = map[string]attr.Type{"max_workers": types.Int64Type, "pbs_entries_max": types.Int64Type}
)
