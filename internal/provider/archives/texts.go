package archives

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// NotBackedUp words a backup that was not started, or that made no archive.
func NotBackedUp(id guest.VMID, storage string, err error) diag.Diagnostic {
	summary := fmt.Sprintf("Guest %d was not backed up to storage %s", id, storage)
	if failed, ok := errors.AsType[*lifecycle.BackupError](err); ok {
		text := fmt.Sprintf("Proxmox says: %s. No archive was made. The task is %s.", strings.TrimSuffix(failed.Reason, "."), failed.Task)
		if len(failed.Log) > 0 {
			text += "\n\nThe last lines of its log:\n  " + strings.Join(failed.Log, "\n  ")
		}
		return diag.NewErrorDiagnostic(summary, text)
	}
	if elsewhere, ok := errors.AsType[*pve.NothingToDoError](err); ok {
		return diag.NewErrorDiagnostic(summary, fmt.Sprintf("Node %s does not hold guest %d, and no other node is known to. %s\n\nCheck that the guest exists and that the user has VM.Audit and VM.Backup on /vms/%d.",
			elsewhere.Node, id, diags.Nothing, id))
	}
	if errors.Is(err, pve.ErrAmbiguous) {
		return diags.Failed(fmt.Sprintf("Whether a backup of guest %d to storage %s was started is not known", id, storage), err,
			"No task of it was found in the node's list, and it is not started again.")
	}
	return diags.Failed(summary, err, diags.Nothing)
}

// GoesOn says that a backup outlived the wait for it.
func GoesOn(id guest.VMID, storage string, task pve.UPID) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("The backup of guest %d to storage %s goes on", id, storage),
		fmt.Sprintf("The wait for it is over, and the task %s runs on at node %s. It stands in the state as running; a later refresh records what became of it. No second backup is started.\n\n"+
			"For backups that take longer, raise timeouts.create.", task, task.Node()))
}

// Remarks are the warnings about an archive that was made: what Proxmox warned
// of, what went wrong besides, a mode that was given up, and data that the
// configuration promises and the log does not show.
func Remarks(g Guest, b lifecycle.Backup, promised []vzdump.Content) diag.Diagnostics {
	var found diag.Diagnostics
	for _, text := range b.Warnings {
		found.AddWarning(fmt.Sprintf("The backup of %s was made with a warning", g), "Its log says: "+text)
	}
	if b.Trouble != "" {
		found.AddWarning(fmt.Sprintf("The backup of %s was made, and something else failed", g),
			fmt.Sprintf("The archive %s is on the storage, so it is recorded and no second one is made. The task %s says: %s.\n\nIf older archives were to be pruned, look at why that fails: the storage fills up.", b.Volume, b.Task, b.Trouble))
	}
	if b.Run.Fallback != "" {
		found.AddWarning(fmt.Sprintf("The backup of %s was made in mode %s", g, b.Run.Mode),
			fmt.Sprintf("The mode that was asked for was not possible: %s.", b.Run.Fallback))
	}
	if missing := vzdump.Missing(promised, b.Run); len(missing) > 0 {
		var lines []string
		for _, c := range missing {
			lines = append(lines, fmt.Sprintf("  %s (%s)", c.Key, c.Source))
		}
		found.AddWarning(fmt.Sprintf("The archive of %s lacks data that it was to hold", g),
			"The configuration includes these, and the log does not show them:\n"+strings.Join(lines, "\n"))
	}
	return found
}

// Protected refuses the removal of an archive that is protected.
func Protected(volume string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("protected"), fmt.Sprintf("The archive %s is protected", volume),
		"A protected archive is not removed. "+diags.Nothing+"\n\nSet protected = false and apply that alone first, or set keep_on_destroy = true to leave the archive where it is.")
}
