package vzdump

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// parser walks a log: lines between two "Starting Backup" lines belong to one
// run.
type parser struct {
	log Log
	run *Run
}

// Sources of the lines: PVE::VZDump exec_backup_task, PVE::VZDump::QemuServer,
// PVE::VZDump::LXC.
var (
	startLine   = regexp.MustCompile(`^Starting Backup of VM (\d+) \((lxc|qemu)\)$`)
	failedLine  = regexp.MustCompile(`^Backup of VM (\d+) failed - (.*)$`)
	doneLine    = regexp.MustCompile(`^Finished Backup of VM (\d+) \(`)
	diskIn      = regexp.MustCompile(`^include disk '([^']+)' '([^']+)'(?: (\S+))?`)
	diskOut     = regexp.MustCompile(`^exclude disk '([^']+)' '([^']+)' \((.*)\)$`)
	mountIn     = regexp.MustCompile(`^including mount point (\S+) \('(.*)'\) in backup$`)
	mountOut    = regexp.MustCompile(`^excluding (?:(volume|bind|device) )?mount point (\S+) \('(.*)'\) from backup \((.*)\)$`)
	archiveLine = regexp.MustCompile(`^creating (?:vzdump|Proxmox Backup Server) archive '(.+)'$`)
	percentLine = regexp.MustCompile(`^\s*(\d{1,3})% \(`)
	pruneError  = regexp.MustCompile(`^(?:prune '|error pruning backups\b)`)
)

func (p *parser) line(line string) {
	if exit, ok := strings.CutPrefix(line, "TASK "); ok {
		p.log.Exit = strings.TrimPrefix(exit, "ERROR: ")
		return
	}
	level, text, leveled := strings.Cut(line, ": ")
	if !leveled {
		return
	}
	switch level {
	case "INFO":
		p.info(text)
	case "WARN":
		p.log.Warnings = append(p.log.Warnings, text)
		if p.run != nil {
			p.run.Warnings = append(p.run.Warnings, text)
		}
	case "ERROR":
		p.fault(text)
	}
}

func (p *parser) info(text string) {
	p.log.Waiting = strings.HasPrefix(text, "trying to get global lock")
	if m := startLine.FindStringSubmatch(text); m != nil {
		p.close()
		id, _ := strconv.Atoi(m[1])
		p.run = &Run{VMID: guest.VMID(id), Kind: guest.Kind(m[2])}
		return
	}
	if p.run == nil {
		return
	}
	switch {
	case doneLine.MatchString(text):
		p.run.Done = true
		p.close()
	case p.what(text), p.how(text), p.after(text):
	}
}

// what reads the lines that say what goes into the archive. They are printed
// again when a mode is given up, so each key counts once.
func (p *parser) what(text string) bool {
	r := p.run
	if m := diskIn.FindStringSubmatch(text); m != nil {
		add(&r.Included, Entry{Key: m[1], Volume: m[2], Size: m[3]})
	} else if m := diskOut.FindStringSubmatch(text); m != nil {
		add(&r.Excluded, Entry{Key: m[1], Volume: m[2], Reason: m[3]})
	} else if m := mountIn.FindStringSubmatch(text); m != nil {
		add(&r.Included, Entry{Key: m[1], Path: m[2]})
	} else if m := mountOut.FindStringSubmatch(text); m != nil {
		add(&r.Excluded, Entry{Key: m[2], Path: m[3], Reason: m[4]})
	} else {
		return false
	}
	return true
}

func add(list *[]Entry, e Entry) {
	for i := range *list {
		if (*list)[i].Key == e.Key {
			(*list)[i] = e
			return
		}
	}
	*list = append(*list, e)
}

// how reads the lines that say how the guest was treated.
func (p *parser) how(text string) bool {
	r := p.run
	if m := archiveLine.FindStringSubmatch(text); m != nil {
		r.Archive = m[1]
		return true
	}
	if m := percentLine.FindStringSubmatch(text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n <= 100 {
			r.Percent = n
		}
		return true
	}
	if status, ok := strings.CutPrefix(text, "status = "); ok {
		r.Status = status
		return true
	}
	if mode, ok := strings.CutPrefix(text, "backup mode: "); ok {
		r.Mode = Mode(mode)
		return true
	}
	if why, ok := strings.CutPrefix(text, "mode failure - "); ok {
		r.Fallback = why
		return true
	}
	for _, prefix := range []string{"CT Name: ", "VM Name: "} {
		if name, ok := strings.CutPrefix(text, prefix); ok {
			r.Name = name
			return true
		}
	}
	switch {
	case text == "stopping virtual guest" || text == "stopping vm":
		r.Stopped = true
	case strings.HasPrefix(text, "skipping guest filesystem freeze"), strings.HasPrefix(text, "skipping guest-agent 'fs-freeze'"):
		r.Freeze = FreezeSkipped
	case strings.HasPrefix(text, "issuing guest-agent 'fs-freeze' command"):
		r.Freeze = FreezeAsked
	default:
		return false
	}
	return true
}

// after reads the lines about what is done with the finished archive.
func (p *parser) after(text string) bool {
	r := p.run
	if size, ok := strings.CutPrefix(text, "archive file size: "); ok {
		r.Size = size
		return true
	}
	if retention, ok := strings.CutPrefix(text, "prune older backups with retention: "); ok {
		r.Retention = retention
		return true
	}
	if volid, ok := strings.CutPrefix(text, "removing backup '"); ok {
		r.Pruned = append(r.Pruned, strings.TrimSuffix(volid, "'"))
		return true
	}
	switch {
	case strings.HasPrefix(text, "adding notes to backup"):
		r.NotesAdded = true
	case strings.HasPrefix(text, "marking backup as protected"):
		r.Protected = true
	default:
		return false
	}
	return true
}

func (p *parser) fault(text string) {
	if m := failedLine.FindStringSubmatch(text); m != nil {
		id, _ := strconv.Atoi(m[1])
		if p.run == nil || p.run.VMID != guest.VMID(id) {
			// A guest that was not found has no start line.
			p.close()
			p.run = &Run{VMID: guest.VMID(id)}
		}
		p.run.Failure = m[2]
		p.run.PruneFailed = p.run.PruneFailed || pruneError.MatchString(m[2])
		p.close()
		return
	}
	if p.run == nil {
		p.log.Errors = append(p.log.Errors, text)
		return
	}
	p.run.Errors = append(p.run.Errors, text)
	if pruneError.MatchString(text) {
		p.run.PruneFailed = true
	}
	if p.run.Freeze == FreezeAsked && p.run.Percent == 0 {
		p.run.Freeze = FreezeFailed
	}
}

func (p *parser) close() {
	if p.run != nil {
		p.log.Runs = append(p.log.Runs, *p.run)
		p.run = nil
	}
}

// Progress is the text of a line that shows how far a task is: the percentage
// lines of a VM's backup, and for a container the lines about its phases.
func Progress(line string) (string, bool) {
	text, ok := strings.CutPrefix(line, "INFO: ")
	if !ok {
		return "", false
	}
	switch {
	case percentLine.MatchString(text):
		return strings.TrimSpace(text), true
	case startLine.MatchString(text), archiveLine.MatchString(text), doneLine.MatchString(text),
		strings.HasPrefix(text, "starting first sync"), strings.HasPrefix(text, "starting final sync"),
		strings.HasPrefix(text, "first sync finished"), strings.HasPrefix(text, "final sync finished"),
		strings.HasPrefix(text, "trying to get global lock"), strings.HasPrefix(text, "Total bytes written"),
		strings.HasPrefix(text, "archive file size"), strings.HasPrefix(text, "prune older backups"):
		return text, true
	default:
		return "", false
	}
}
