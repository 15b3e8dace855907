package vzdumppolicy

import (
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// model is the policy as configuration, plan and state hold it. Tags `pve` name
// options of the job whose text follows from the value alone; the others are
// mapped in options.go.
type model struct {
	ID types.String `tfsdk:"id"`

	VMIDs   types.Set    `tfsdk:"vmids"`
	Pool    types.String `tfsdk:"pool" pve:"pool"`
	All     types.Bool   `tfsdk:"all" pve:"all,default=0"`
	Exclude types.Set    `tfsdk:"exclude"`
	Node    types.String `tfsdk:"node" pve:"node"`

	Schedule     types.String `tfsdk:"schedule" pve:"schedule"`
	Enabled      types.Bool   `tfsdk:"enabled" pve:"enabled,default=1,explicit"`
	RepeatMissed types.Bool   `tfsdk:"repeat_missed" pve:"repeat-missed,default=0"`
	Comment      types.String `tfsdk:"comment" pve:"comment"`

	Storage       types.String `tfsdk:"storage" pve:"storage"`
	Mode          types.String `tfsdk:"mode" pve:"mode"`
	Compress      types.String `tfsdk:"compress" pve:"compress"`
	NotesTemplate types.String `tfsdk:"notes_template" pve:"notes-template"`
	Protected     types.Bool   `tfsdk:"protected" pve:"protected"`
	PruneBackups  types.Object `tfsdk:"prune_backups"`

	NotificationMode types.String `tfsdk:"notification_mode" pve:"notification-mode"`
	MailTo           types.Set    `tfsdk:"mail_to" pve:"mailto,list=comma"`
	MailNotification types.String `tfsdk:"mail_notification" pve:"mailnotification"`

	Fleecing               types.Object `tfsdk:"fleecing"`
	Performance            types.Object `tfsdk:"performance"`
	BwLimit                types.Int64  `tfsdk:"bwlimit" pve:"bwlimit"`
	IONice                 types.Int64  `tfsdk:"ionice" pve:"ionice"`
	ZstdThreads            types.Int64  `tfsdk:"zstd_threads" pve:"zstd"`
	LockWait               types.Int64  `tfsdk:"lock_wait" pve:"lockwait"`
	StopWait               types.Int64  `tfsdk:"stop_wait" pve:"stopwait"`
	ExcludePaths           types.List   `tfsdk:"exclude_paths"`
	StdExcludes            types.Bool   `tfsdk:"std_excludes" pve:"stdexcludes"`
	PBSChangeDetectionMode types.String `tfsdk:"pbs_change_detection_mode" pve:"pbs-change-detection-mode"`

	NextRun      types.String `tfsdk:"next_run"`
	OtherOptions types.Map    `tfsdk:"other_options"`
}

type pruneModel struct {
	All     types.Bool  `tfsdk:"keep_all"`
	Last    types.Int64 `tfsdk:"keep_last"`
	Hourly  types.Int64 `tfsdk:"keep_hourly"`
	Daily   types.Int64 `tfsdk:"keep_daily"`
	Weekly  types.Int64 `tfsdk:"keep_weekly"`
	Monthly types.Int64 `tfsdk:"keep_monthly"`
	Yearly  types.Int64 `tfsdk:"keep_yearly"`
}

type fleecingModel struct {
	Enabled types.Bool   `tfsdk:"enabled"`
	Storage types.String `tfsdk:"storage"`
}

type performanceModel struct {
	MaxWorkers    types.Int64 `tfsdk:"max_workers"`
	PBSEntriesMax types.Int64 `tfsdk:"pbs_entries_max"`
}
