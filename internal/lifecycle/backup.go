package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// BackupOrder is a backup of one guest, to be made now.
type BackupOrder struct {
	Guest     guest.Ref
	Storage   string
	Mode      vzdump.Mode     // always sent
	Compress  vzdump.Compress // empty: what the node's vzdump.conf says
	Notes     string          // literal; empty for none
	Protected bool
}

// params are Proxmox's own parameters. What nobody asked for is not sent, the mode
// apart: unset it would be whatever the node's vzdump.conf says.
func (o BackupOrder) params() pve.Params {
	p := pve.Params{"vmid": o.Guest.VMID.String(), "storage": o.Storage, "mode": string(o.Mode)}
	if o.Compress != "" {
		p["compress"] = string(o.Compress)
	}
	if o.Notes != "" {
		p["notes-template"] = vzdump.LiteralNotes(o.Notes)
	}
	if o.Protected {
		p["protected"] = "1"
	}
	return p
}

// StartBackup starts a vzdump on the node of the guest and returns its task. A
// guest that has moved is followed once: the node's answer says that nothing was
// started. When the answer is lost, the task that may have been started is looked
// for; it is never started again, and the error is pve.ErrAmbiguous.
func (l *Lifecycle) StartBackup(ctx context.Context, o BackupOrder) (pve.UPID, guest.Ref, error) {
	task, err := l.vzdump(ctx, o)
	if _, elsewhere := errors.AsType[*pve.NothingToDoError](err); !elsewhere {
		return task, o.Guest, err
	}
	moved, lookErr := l.listed(ctx, o.Guest.VMID)
	if lookErr != nil {
		return "", o.Guest, errors.Join(err, lookErr)
	}
	if moved == nil || moved.Node == o.Guest.Node {
		return "", o.Guest, err
	}
	o.Guest = *moved
	task, err = l.vzdump(ctx, o)
	return task, o.Guest, err
}

func (l *Lifecycle) vzdump(ctx context.Context, o BackupOrder) (pve.UPID, error) {
	sent := l.client.ServerTime()
	task, err := l.client.Backup(ctx, o.Guest.Node, o.params())
	if !errors.Is(err, pve.ErrAmbiguous) {
		return task, err
	}
	ctx, cancel := looking(ctx)
	defer cancel()
	lost, lookErr := l.client.FindLost(ctx, pve.LostCall{Guest: o.Guest, Type: "vzdump", Sent: sent})
	if lookErr != nil {
		return "", errors.Join(err, lookErr)
	}
	if lost.Task == "" {
		return "", err
	}
	return lost.Task, nil
}

// Backup is what became of a backup.
type Backup struct {
	Task     pve.UPID
	Running  bool
	Run      vzdump.Run // what the log says; its zero value when there is no log any more
	Volume   string     // the archive's volume id
	Size     int64      // bytes, 0 if the storage does not show the archive
	Created  time.Time  // zero if the storage does not show the archive
	Warnings []string
	// Trouble is what went wrong although the archive was made, such as pruning.
	Trouble string
}

// BackupError says that a backup made no archive.
type BackupError struct {
	Task    pve.UPID
	Guest   guest.Ref
	Storage string
	Reason  string   // the log's own words
	Log     []string // its last lines
}

// Error names the guest, the storage and the reason.
func (e *BackupError) Error() string {
	return fmt.Sprintf("the backup of %s %d to storage %s failed: %s", e.Guest.Kind.Noun(), e.Guest.VMID, e.Storage, e.Reason)
}

// SettleBackup looks what became of a backup task: at the task, its log and the
// storage. The error is a *BackupError when no archive was made, and any other
// when that could not be found out.
func (l *Lifecycle) SettleBackup(ctx context.Context, ref guest.Ref, storage string, task pve.UPID) (Backup, error) {
	b := Backup{Task: task}
	status, err := l.client.TaskStatus(ctx, task)
	forgotten := errors.Is(err, pve.ErrNoSuchTask)
	if err != nil && !forgotten {
		return b, err
	}
	if status.Status == "running" {
		b.Running = true
		return b, nil
	}
	var log vzdump.Log
	var lines []string
	if !forgotten {
		rows, err := l.client.TaskLog(ctx, task, 0)
		if err != nil {
			return b, err
		}
		for _, row := range rows {
			lines = append(lines, row.Text)
		}
		log = vzdump.ParseLog(lines)
		b.Run, _ = log.Run(ref.VMID)
		b.Warnings = log.Warnings
	}
	if err := l.findArchive(ctx, ref, storage, &b); err != nil {
		return b, err
	}
	switch {
	case b.Volume != "" && b.Run.Done:
		return b, nil
	case b.Volume != "" && b.Run.PruneFailed:
		b.Trouble = b.Run.Failure
		return b, nil
	case b.Volume != "" && !b.Created.IsZero() && b.Run.Failure == "":
		// An archive has its name only when it is whole.
		b.Trouble = "the task did not end well: " + reason(log, status, ref.VMID)
		return b, nil
	}
	return b, &BackupError{Task: task, Guest: ref, Storage: storage, Reason: reason(log, status, ref.VMID), Log: last(lines)}
}

func reason(log vzdump.Log, status pve.TaskStatus, id guest.VMID) string {
	if why := log.Reason(id); why != "" {
		return why
	}
	if status.Exit != "" {
		return status.Exit
	}
	return "the node has forgotten the task, and the storage holds no archive of it"
}

// findArchive asks the storage for the archive that the log names, or for one
// that was begun while the task ran.
func (l *Lifecycle) findArchive(ctx context.Context, ref guest.Ref, storage string, b *Backup) error {
	if b.Run.Failure != "" && !b.Run.PruneFailed {
		return nil
	}
	b.Volume = archiveVolume(storage, b.Run.Archive)
	rows, err := l.client.Content(ctx, b.Task.Node(), storage, pve.ContentFilter{Type: "backup", VMID: ref.VMID})
	if err != nil {
		if b.Run.Done && b.Volume != "" {
			return nil // the log has told the name, and the next refresh asks again
		}
		if errors.Is(err, pve.ErrNoSuch) {
			return nil
		}
		return err
	}
	begun := b.Task.Started().Unix()
	i := slices.IndexFunc(rows, func(c pve.Content) bool {
		if b.Volume != "" {
			return c.VolID == b.Volume
		}
		a, err := vzdump.ParseArchive(c.VolID)
		return err == nil && a.Kind == ref.Kind && int64(c.CTime) >= begun
	})
	if i < 0 {
		if !b.Run.Done && !b.Run.PruneFailed {
			b.Volume = ""
		}
		return nil
	}
	b.Volume, b.Size, b.Created = rows[i].VolID, int64(rows[i].Size), time.Unix(int64(rows[i].CTime), 0).UTC()
	return nil
}

// archiveVolume is the volume id of an archive that a log names by its path, or by
// its name on a Proxmox Backup Server.
func archiveVolume(storage, name string) string {
	switch {
	case name == "":
		return ""
	case strings.HasPrefix(name, "/"):
		return storage + ":backup/" + path.Base(name)
	}
	return storage + ":backup/" + name
}

// last are the last lines of a log without the one that repeats the result.
func last(lines []string) []string {
	const count = 12
	lines = slices.DeleteFunc(slices.Clone(lines), func(s string) bool { return strings.HasPrefix(s, "TASK ") || strings.TrimSpace(s) == "" })
	return lines[max(0, len(lines)-count):]
}
