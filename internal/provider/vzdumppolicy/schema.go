package vzdumppolicy

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

const description = "A vzdump policy: a job in the cluster's configuration that backs guests up on a schedule. The web interface calls it a **backup job** (Datacenter, Backup).\n\n" +
	"Every change is in place, one of `id` too; archives that exist are never touched by a change or by the removal of the policy. " +
	"**A policy without `prune_backups` deletes nothing by itself**: the storage's own retention decides, and a storage without one keeps every archive.\n\n" +
	"What a container's archive holds is decided by the container: its root file system, and those mount points whose `backup` is `true`. The plan warns of each selected container that has others.\n\n" +
	"Needs Sys.Modify and Sys.Audit on `/`, and Datastore.Allocate on the storage."

// Schema groups what belongs together; names are Proxmox's own where it has one.
func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	all := map[string]schema.Attribute{}
	for _, group := range []map[string]schema.Attribute{
		selectionAttributes(), timeAttributes(), archiveAttributes(), noticeAttributes(), costAttributes(), computedAttributes(),
	} {
		for name, attribute := range group {
			all[name] = attribute
		}
	}
	resp.Schema = schema.Schema{MarkdownDescription: description, Attributes: all}
}

func selectionAttributes() map[string]schema.Attribute {
	number := []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueInt64sAre(int64validator.Between(int64(guest.MinVMID), int64(guest.MaxVMID)))}
	return map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The id of the job, at least two characters: a letter, then letters, digits, `_` and `-`. Default: a random one such as `backup-1f0c9a2e-77b1`, as the web interface makes them. A change makes the job under the new id first and removes the old one then.",
			Validators:          []validator.String{stringvalidator.LengthAtMost(50), valid.Matching("a letter, then letters, digits, _ and -", `^[a-zA-Z][a-zA-Z0-9_-]+$`)},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"vmids": schema.SetAttribute{
			ElementType: types.Int64Type, Optional: true, Validators: number,
			MarkdownDescription: "The guests to back up, by VMID. Exactly one of `vmids`, `pool` and `all`. A VMID that no guest has makes every run end with an error.",
		},
		"pool": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Back up the members of this pool, as they are when the job runs. Exactly one of `vmids`, `pool` and `all`. Needs VM.Backup on `/pool/POOL`.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		},
		"all": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Back up every guest of the cluster, those made later too. Exactly one of `vmids`, `pool` and `all`.",
		},
		"exclude": schema.SetAttribute{
			ElementType: types.Int64Type, Optional: true, Validators: number,
			MarkdownDescription: "VMIDs to leave out of `all` or `pool`. Default: none.",
		},
		"node": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Back up only guests that are on this node when the job runs. Default: every node.",
			Validators:          []validator.String{valid.NodeName()},
		},
	}
}

func timeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"schedule": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "When to run, a calendar event in the node's time zone: `02:30`, `sat 18:15`, `mon..fri 21:00`, `*/15`, `*-01 22:00`. A line of cron is refused.",
			Validators:          []validator.String{valid.Rule("a calendar event", vzdump.CheckCalendarEvent)},
		},
		"enabled": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(true),
			MarkdownDescription: "Whether the job runs. Default: `true`.",
		},
		"repeat_missed": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether a run that was missed because the node was off is made up for when it starts. Default: `false`.",
		},
		"comment": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Text for the job, at most 512 characters. Default: none.",
			Validators:          []validator.String{stringvalidator.LengthBetween(1, 512)},
		},
	}
}

func archiveAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"storage": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "The storage for the archives. Only a job that was imported without one, such as one with `dumpdir`, can do without. It has to exist, be reachable and take content `backup`: Proxmox would find that out only when the job runs.",
			Validators:          []validator.String{valid.StorageID()},
		},
		"mode": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString(string(vzdump.Snapshot)),
			MarkdownDescription: "`snapshot` (the guest runs on), `suspend` or `stop` (it is stopped while it is read, the only mode with consistent archives). Default: `snapshot`, always sent. Proxmox falls back from `snapshot` to `suspend` for a container on a storage without snapshots.",
			Validators:          []validator.String{valid.Rule("snapshot, suspend or stop", func(s string) error { _, err := vzdump.ParseMode(s); return err })},
		},
		"compress": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "`\"0\"` (none), `gzip`, `lzo` or `zstd`. Default: what `/etc/vzdump.conf` on the node says, else `\"0\"`; the web interface suggests `zstd`. A Proxmox Backup Server ignores it.",
			Validators:          []validator.String{valid.Rule(`"0", gzip, lzo or zstd`, func(s string) error { _, err := vzdump.ParseCompress(s); return err })},
		},
		"notes_template": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Notes for each archive, one line of at most 1024 characters: `{{cluster}}`, `{{guestname}}`, `{{node}}`, `{{vmid}}`, and `\\n` for a new line. Default: none. `{{guestname}}` lets `proxmox_backups` tell whose archive it is when a VMID was used twice.",
			Validators:          []validator.String{valid.Rule("a notes template", vzdump.CheckNotesTemplate)},
		},
		"protected": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether each archive is protected: nothing prunes or deletes it until somebody unprotects it, so they pile up. Default: `false`.",
		},
		"prune_backups": schema.SingleNestedAttribute{
			Optional: true,
			MarkdownDescription: "Which archives of a guest are kept after each run; the others are deleted. Default: the storage's own retention. " +
				"Needs Datastore.Allocate on the storage. A protected archive is never deleted and does not count.",
			Attributes: pruneAttributes(),
		},
	}
}

func pruneAttributes() map[string]schema.Attribute {
	rule := func(what string) schema.Attribute {
		return schema.Int64Attribute{Optional: true, MarkdownDescription: what, Validators: []validator.Int64{int64validator.AtLeast(1)}}
	}
	return map[string]schema.Attribute{
		"keep_all":     schema.BoolAttribute{Optional: true, MarkdownDescription: "Keep every archive. No other rule can stand beside it."},
		"keep_last":    rule("Keep the last N archives."),
		"keep_hourly":  rule("Keep the last archive of each of the last N hours that have one."),
		"keep_daily":   rule("Keep the last archive of each of the last N days that have one."),
		"keep_weekly":  rule("Keep the last archive of each of the last N weeks that have one."),
		"keep_monthly": rule("Keep the last archive of each of the last N months that have one."),
		"keep_yearly":  rule("Keep the last archive of each of the last N years that have one."),
	}
}

func noticeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"notification_mode": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "`auto` (a mail if `mail_to` is set, else the notification system), `legacy-sendmail` or `notification-system`. Default: `auto`, sent when the policy is made.",
			Validators:          []validator.String{stringvalidator.OneOf("auto", "legacy-sendmail", "notification-system")},
			PlanModifiers:       []planmodifier.String{atCreation("auto")},
		},
		"mail_to": schema.SetAttribute{
			ElementType: types.StringType, Optional: true,
			MarkdownDescription: "Addresses or users to send mails to. Default: none. The notification system ignores it.",
			Validators:          []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(valid.NoSeparators())},
		},
		"mail_notification": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "When mails are sent: `failure` or `always`. Default: `failure`, sent when the policy is made and as long as Proxmox takes it. It has an effect only where mails are sent at all: see `notification_mode`.",
			Validators:          []validator.String{stringvalidator.OneOf("always", "failure")},
			PlanModifiers:       []planmodifier.String{atCreation("failure")},
		},
	}
}

func costAttributes() map[string]schema.Attribute {
	count := func(what string, check validator.Int64) schema.Attribute {
		return schema.Int64Attribute{Optional: true, MarkdownDescription: what, Validators: []validator.Int64{check}}
	}
	return map[string]schema.Attribute{
		"fleecing": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "For VMs: keep what the guest overwrites during its backup on a fast storage, so that a slow target does not slow the guest. Default: off. Proxmox VE 8.2 and later.",
			Attributes: map[string]schema.Attribute{
				"enabled": schema.BoolAttribute{Required: true, MarkdownDescription: "Whether fleecing is used."},
				"storage": schema.StringAttribute{Optional: true, MarkdownDescription: "The storage for it, of content `images`. Required when it is used.", Validators: []validator.String{valid.StorageID()}},
			},
		},
		"performance": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "How hard a backup works. Default: what Proxmox thinks best.",
			Attributes: map[string]schema.Attribute{
				"max_workers":     count("Reads of a VM's disks at a time, 1 to 256. Proxmox's default: 16.", int64validator.Between(1, 256)),
				"pbs_entries_max": count("Directory entries that are kept in memory for a container's backup to a Proxmox Backup Server. Proxmox's default: 1048576.", int64validator.AtLeast(1)),
			},
		},
		"bwlimit":      count("Limit of the transfer, KiB/s; 0 is none. Default: no limit of the policy's own.", int64validator.AtLeast(0)),
		"ionice":       count("Priority of reads and writes, 0 to 7, lower is earlier, and 8 for idle. Proxmox's default: 7.", int64validator.Between(0, 8)),
		"zstd_threads": count("Threads of zstd; 0 is half of the cores. Proxmox's default: 1.", int64validator.AtLeast(0)),
		"lock_wait":    count("Minutes to wait for another backup of the node to end. Proxmox's default: 180.", int64validator.AtLeast(0)),
		"stop_wait":    count("Minutes to wait for a guest to stop in mode `stop`. Proxmox's default: 10.", int64validator.AtLeast(0)),
		"exclude_paths": schema.ListAttribute{
			ElementType: types.StringType, Optional: true,
			MarkdownDescription: "For containers: files and directories to leave out, shell patterns. One that begins with `/` starts at the root of the container, others match in every directory. Default: none.",
			Validators:          []validator.List{listvalidator.SizeAtLeast(1), listvalidator.ValueStringsAre(stringvalidator.LengthAtLeast(1))},
		},
		"std_excludes": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "For containers: whether temporary files are left out (`/tmp/?*`, `/var/tmp/?*`, `/var/run/?*.pid`). Proxmox's default: `true`.",
		},
		"pbs_change_detection_mode": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "For containers on a Proxmox Backup Server: how unchanged files are found, `legacy`, `data` or `metadata`. Default: the server's. Proxmox VE 8.3 and later.",
			Validators:          []validator.String{stringvalidator.OneOf("legacy", "data", "metadata")},
		},
	}
}

func computedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"next_run": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "When the job runs next, in UTC (RFC 3339); null while it is disabled.",
		},
		"other_options": schema.MapAttribute{
			ElementType: types.StringType, Computed: true,
			MarkdownDescription: "Options of the job that this resource has no attribute for, such as `script` or `dumpdir`, which only root@pam may set. They are left as they are.",
			PlanModifiers:       []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
		},
	}
}
