package lifecycle

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// The types of tasks that matter to a destroy. A restore both saves and makes.
// Source: PVE::API2::LXC, PVE::API2::Qemu, PVE::API2::VZDump.
var (
	savingTasks = []string{"vzdump", "vzrestore", "qmrestore"}
	makingTasks = []string{"vzcreate", "vzrestore", "vzdestroy", "qmcreate", "qmrestore", "qmdestroy"}
)

// tasks reads what runs on the number and what has been done with it since the
// guest was made.
func (l *Lifecycle) tasks(ctx context.Context, f *Facts) {
	rows, err := l.client.Tasks(ctx, f.Guest.Node, pve.TaskFilter{VMID: f.Guest.VMID})
	if err != nil {
		f.blind("whether a backup, restore, create or destroy of the guest is running", err)
		return
	}
	for _, row := range rows {
		if !row.Running() {
			f.Past = append(f.Past, row)
			continue
		}
		t := blocker.Task{UPID: string(row.UPID), Type: row.Type}
		if slices.Contains(savingTasks, row.Type) {
			f.Saving = append(f.Saving, t)
		}
		if slices.Contains(makingTasks, row.Type) {
			f.Making = append(f.Making, t)
		}
	}
	l.wideBackups(ctx, f)
}

// wideBackups looks into running backups of several guests: such a task carries
// no VMID, so the first line of its log is read.
func (l *Lifecycle) wideBackups(ctx context.Context, f *Facts) {
	rows, err := l.client.Tasks(ctx, f.Guest.Node, pve.TaskFilter{Type: "vzdump", Since: l.client.ServerTime().Add(-longBackup)})
	if err != nil {
		f.blind("whether a backup of several guests is running", err)
		return
	}
	for _, row := range rows {
		if !row.Running() || row.ID != "" {
			continue
		}
		lines, err := l.client.TaskLog(ctx, row.UPID, 0)
		if err != nil {
			f.blind("which guests the running backup "+string(row.UPID)+" saves", err)
			continue
		}
		// A backup that has not said yet what it saves may save this guest.
		if len(lines) == 0 || savesGuest(lines[0].Text, f.Guest.VMID) {
			f.Saving = append(f.Saving, blocker.Task{UPID: string(row.UPID), Type: row.Type})
		}
	}
}

// longBackup is how far back a backup that still runs may have begun.
const longBackup = 7 * 24 * time.Hour

// commandLine is the first line of a backup's log. Source: PVE::VZDump
// exec_backup: "starting new backup job: vzdump 100 101 --storage s …".
var commandLine = regexp.MustCompile(`starting new backup job: vzdump\s+(.*)$`)

// savesGuest reads the guests out of the command line. A job that names none
// saves all, or those of a pool: it may save this one.
func savesGuest(line string, id guest.VMID) bool {
	m := commandLine.FindStringSubmatch(line)
	if m == nil {
		return true
	}
	named := false
	words := strings.Fields(m[1])
	for i, word := range words {
		if strings.HasPrefix(word, "--") {
			if word == "--exclude" && i+1 < len(words) && slices.Contains(numbers(words[i+1]), id.String()) {
				return false
			}
			continue
		}
		if i > 0 && strings.HasPrefix(words[i-1], "--") {
			continue // the value of an option
		}
		named = true
		if slices.Contains(numbers(word), id.String()) {
			return true
		}
	}
	return !named
}

func numbers(word string) []string {
	return strings.FieldsFunc(word, func(r rune) bool { return r == ',' || r == ';' })
}

// history judges the finished tasks of the number. made is when our own create
// began, 0 if the guest was not made by us.
func history(past []pve.TaskRow, made int64) History {
	var h History
	if made == 0 {
		return h
	}
	for _, row := range past {
		if !slices.Contains(makingTasks, row.Type) {
			continue
		}
		start := row.UPID.Started().Unix()
		switch {
		case start == made:
			h.OwnSeen = true
		case start > made && succeeded(row.Status):
			h.RemadeSeen = true
		}
	}
	return h
}

// succeeded counts what is not a plain failure: a task whose result is not
// known may have had its effect.
func succeeded(status string) bool {
	return status == "OK" || strings.HasPrefix(status, "WARNINGS") || status == "" || status == unexpectedStatus
}
