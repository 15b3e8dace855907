package archives

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// Follow has the lines of a backup's log that show how far it is written to
// Terraform's log at level INFO, and all others at DEBUG; say, if it is not nil,
// gets the former as well.
func Follow(ctx context.Context, task pve.UPID, say func(string)) pve.WaitOption {
	return pve.OnLog(func(line pve.LogLine) {
		fields := map[string]any{"task": string(task)}
		text, shows := vzdump.Progress(line.Text)
		if !shows {
			tflog.Debug(ctx, line.Text, fields)
			return
		}
		tflog.Info(ctx, text, fields)
		if say != nil {
			say(text)
		}
	})
}

// FollowAll is Follow for a task every line of which is worth reading.
func FollowAll(ctx context.Context, task pve.UPID, say func(string)) pve.WaitOption {
	return pve.OnLog(func(line pve.LogLine) {
		tflog.Info(ctx, line.Text, map[string]any{"task": string(task)})
		if say != nil {
			say(line.Text)
		}
	})
}
