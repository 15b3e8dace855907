package vzdumppolicy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

func mapsEqual(a, b map[string]string) bool { return maps.Equal(a, b) }

// attributeOf names the attribute behind an option that Proxmox complains about.
var attributeOf = map[string]string{
	"id": "id", "vmid": "vmids", "pool": "pool", "all": "all", "exclude": "exclude", "node": "node", "schedule": "schedule", "enabled": "enabled",
	"repeat-missed": "repeat_missed", "comment": "comment", "storage": "storage", "mode": "mode", "compress": "compress",
	"notes-template": "notes_template", "protected": "protected", "prune-backups": "prune_backups", "notification-mode": "notification_mode",
	"mailto": "mail_to", "mailnotification": "mail_notification", "fleecing": "fleecing", "performance": "performance", "bwlimit": "bwlimit",
	"ionice": "ionice", "zstd": "zstd_threads", "lockwait": "lock_wait", "stopwait": "stop_wait", excludePath: "exclude_paths",
	"stdexcludes": "std_excludes", "pbs-change-detection-mode": "pbs_change_detection_mode",
}

// notWritten words an error of a write, at the attributes that Proxmox names.
func notWritten(id, verb string, err error) diag.Diagnostics {
	summary := fmt.Sprintf("Policy %s was not %s", id, verb)
	if errors.Is(err, pve.ErrExists) {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("id"), fmt.Sprintf("There is a policy %s already", id),
			"The cluster has a backup job with this id. It is not taken for the one of this configuration. "+diags.Nothing+
				"\n\nImport it, choose another id, or leave id out to get a new one.\n\nThe error was: "+err.Error())}
	}
	if theirs, ok := errors.AsType[*TheirsError](err); ok {
		return diag.Diagnostics{diag.NewErrorDiagnostic(summary, fmt.Sprintf("After the plan was made, somebody else changed %s of the job in another way. %s\n\nPlan again and look at what changed.",
			strings.Join(theirs.Options, ", "), diags.Nothing))}
	}
	if errors.Is(err, pve.ErrAmbiguous) {
		return diag.Diagnostics{diags.Failed(summary, err, diags.Unclear)}
	}
	refused, ok := errors.AsType[*pve.Error](err)
	if !ok || len(refused.Params) == 0 {
		return diag.Diagnostics{diags.Failed(summary, err, diags.Nothing)}
	}
	var found diag.Diagnostics
	for _, key := range slices.Sorted(maps.Keys(refused.Params)) {
		name, known := attributeOf[key]
		if !known {
			found.Append(diags.Failed(summary, err, diags.Nothing))
			continue
		}
		found.Append(diag.NewAttributeErrorDiagnostic(path.Root(name), summary,
			fmt.Sprintf("Proxmox refuses %s: %s. %s\n\nThe error was: %s", key, refused.Params[key], diags.Nothing, err)))
	}
	return found
}

// rename makes the job under its new id, then removes the old one.
func (r *Resource) rename(ctx context.Context, old, id string, want options, ours []string) diag.Diagnostics {
	if err := r.make(ctx, id, want, ours); err != nil {
		return notWritten(id, "created", err)
	}
	if err := r.data.Client.DeleteBackupJob(ctx, old); err != nil && !errors.Is(err, pve.ErrNoSuch) {
		return diag.Diagnostics{diags.Failed(fmt.Sprintf("Policy %s was made and policy %s was not removed", id, old), err,
			"Both are in the cluster now, and both run.")}
	}
	return nil
}

func noSuchPolicy(id string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("There is no policy %s", id),
		"The cluster has no backup job with this id. A job in jobs.cfg whose schedule cannot be read does not count: Proxmox skips it. Nothing has been imported.\n\n"+
			"The ids are those of GET /cluster/backup, also shown by pvesh get /cluster/backup.")
}

func unreadable(id, option string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("The option %s of policy %s cannot be read", option, id), err.Error()+". "+diags.Nothing)
}

func notOneSelection(given int) diag.Diagnostic {
	summary := "The policy selects no guest"
	if given > 1 {
		summary = "The policy selects guests in several ways"
	}
	return diag.NewErrorDiagnostic(summary, "Exactly one of vmids, pool and all = true says which guests are backed up. "+diags.Nothing)
}

func excludeBesideVMIDs() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("exclude"), "exclude has no meaning beside vmids",
		"It leaves guests out of all or pool. "+diags.Nothing+"\n\nLeave the VMIDs out of vmids instead.")
}

func badRetention(err error) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("prune_backups"), "The retention of the policy contradicts itself",
		"The rules cannot be used: "+err.Error()+". "+diags.Nothing+"\n\nTo leave the retention to the storage, leave prune_backups out.")
}

func withoutStorage() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("storage"), "The policy has no storage for its archives",
		"Proxmox would put them on the disk of each node, where most clusters have no room for them. "+diags.Nothing+"\n\nSet storage to one of content backup.")
}

func fleecingWithoutStorage() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("fleecing").AtName("storage"), "Fleecing is switched on without a storage",
		"Proxmox needs a storage of content images for it. "+diags.Nothing)
}

func withoutEffect(attribute, mode string) diag.Diagnostic {
	why := "notification_mode is notification-system: the notification system has rules of its own"
	if mode != "notification-system" {
		why = "notification_mode is auto and mail_to is not set: Proxmox uses the notification system, which has rules of its own"
	}
	return diag.NewAttributeWarningDiagnostic(path.Root(attribute), attribute+" has no effect",
		why+" (Datacenter, Notifications).\n\nSet mail_to, or notification_mode = \"legacy-sendmail\" with mail_to, or leave "+attribute+" out and make a matcher for failures.")
}

func beyondRange(count int, boundary string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("The policy also backs up %d guests outside of the VMID range %s", count, boundary),
		"Proxmox selects them; this provider does not look at them, so whether their archives will be whole is not known.\n\nList the guests in vmids, or exclude the others.")
}
