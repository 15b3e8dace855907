package vzdump

import (
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// A Log is what a vzdump task's log says.
type Log struct {
	Runs     []Run    // one a guest, in the order of the log
	Warnings []string // texts of all WARN lines, of the job and of its guests
	Errors   []string // texts of ERROR lines that belong to no guest
	Exit     string   // the text of the TASK line: "OK", "WARNINGS: 1", "job errors", …; empty while it runs
	Waiting  bool     // the last line says that another vzdump of the node holds the lock
}

// A Run is the backup of one guest within a job.
type Run struct {
	VMID     guest.VMID
	Kind     guest.Kind // empty when the guest was not found
	Name     string
	Status   string // "running" or "stopped", as it was found
	Mode     Mode   // the mode that took effect, the last one named
	Fallback string // why the mode that was asked for was given up, empty if it was not

	Included []Entry
	Excluded []Entry

	Archive     string // path of the file, or the name on a Proxmox Backup Server
	Size        string // as printed, "1.23GB"; the storage knows the exact one
	Percent     int    // the last percentage line of a VM; containers have none
	Stopped     bool   // the guest was stopped for the backup
	Freeze      Freeze
	NotesAdded  bool
	Protected   bool
	Retention   string   // the retention that was pruned with, empty if none
	Pruned      []string // volume ids that a prune removed
	PruneFailed bool     // the archive was made, removing older ones failed

	Done     bool     // the run ended well
	Failure  string   // why it failed, empty if it did not
	Warnings []string // texts of its WARN lines
	Errors   []string // texts of its ERROR lines that did not end it
}

// An Entry is a disk or a mount point as the log names it.
type Entry struct {
	Key    string // "rootfs", "mp0", "scsi0"
	Volume string // of a VM's disk
	Path   string // of a container's mount point
	Size   string // of a VM's disk, as printed
	Reason string // why it was excluded, as printed
}

// Freeze is what the log says about the guest agent's freeze. It is evidence
// for people and never part of the consistency.
type Freeze string

// The freeze evidence.
const (
	FreezeNone    Freeze = ""        // no line about it
	FreezeAsked   Freeze = "asked"   // the command was issued and no error followed
	FreezeSkipped Freeze = "skipped" // the log says that it was skipped
	FreezeFailed  Freeze = "failed"  // the command was issued and failed
)

// ParseLog reads the lines of a vzdump task. Lines it does not know are
// passed over: a newer Proxmox may have added them.
func ParseLog(lines []string) Log {
	p := parser{}
	for _, line := range lines {
		p.line(strings.TrimRight(line, "\r\n"))
	}
	p.close()
	return p.log
}

// Run is the backup of a guest in the log.
func (l Log) Run(id guest.VMID) (Run, bool) {
	for _, r := range l.Runs {
		if r.VMID == id {
			return r, true
		}
	}
	return Run{}, false
}

// Reason is the log's own reason for a failed job, for a task that ends with
// "job errors": the failure of a guest, else an error of the job, else what
// the task line says.
func (l Log) Reason(id guest.VMID) string {
	if r, ok := l.Run(id); ok && r.Failure != "" {
		return r.Failure
	}
	if len(l.Errors) > 0 {
		return strings.Join(l.Errors, "; ")
	}
	return l.Exit
}
