package pvesim

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// dump is the backup of one guest within a vzdump.
type dump struct {
	*vzdumpRun
	g       *guest
	start   time.Time
	mode    string
	running bool
	volumes []backupVolume
}

func (d *dump) info(format string, args ...any) { d.t.log("INFO: "+format, args...) }

// run makes the backup. The guest carries the lock "backup" meanwhile.
// Source: PVE::VZDump exec_backup_task.
func (d *dump) run() error {
	s, g := d.t.s, d.g
	d.info("Starting Backup of VM %d (%s)", g.vmid, apiName(g.kind))
	d.info("Backup started at %s", d.start.UTC().Format(time.DateTime))
	if err := d.limits(); err != nil {
		return err
	}
	if err := d.setLock("backup"); err != nil {
		return err
	}
	defer func() { _ = d.setLock("") }()
	d.running = s.isRunning(g.vmid)
	d.mode = d.values["mode"]
	if d.mode == "" {
		d.mode = "snapshot"
	}
	d.info("status = %s", map[bool]string{true: "running", false: "stopped"}[d.running])
	if !d.running {
		d.mode = "stop"
	}
	if ha := s.haState(g); d.mode == "stop" && ha["state"] == "started" {
		return die("Cannot execute a backup with stop mode on a HA managed and enabled Service. Use snapshot mode or disable the Service.")
	}
	d.volumes = s.backupVolumes(g)
	d.prepare()
	v, err := d.archive()
	if err != nil {
		return err
	}
	s.putVol(v)
	d.mark(v)
	if err := d.prune(); err != nil {
		return err
	}
	if d.mode == "stop" && d.running && g.kind == kindLXC {
		d.info("restarting vm")
		s.setRunning(g.vmid, true)
		d.info("guest is online again after %d seconds", d.seconds()+1)
	}
	d.info("Finished Backup of VM %d (%s)", g.vmid, clock(d.seconds()))
	d.info("Backup finished at %s", s.now().UTC().Format(time.DateTime))
	return nil
}

func (d *dump) seconds() int { return int(d.t.s.now().Sub(d.start).Seconds()) }

func clock(seconds int) string {
	return fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

func (d *dump) limits() error {
	limit := d.st.Values["max-protected-backups"]
	if d.values["protected"] == "1" && limit != "" && limit != "-1" && d.t.s.protectedCount(d.st, d.t.node, d.g.vmid) >= number(limit, 0) {
		return die("The number of protected backups per guest is limited to %s on storage '%s'", limit, d.st.ID)
	}
	return nil
}

// setLock sets the lock of the guest, or with an empty word takes it away.
func (d *dump) setLock(word string) error {
	s, g := d.t.s, d.g
	return s.lockGuest(g.kind, g.vmid, func() error {
		now, err := s.guest(g.kind, g.node, g.vmid)
		if err != nil {
			return err
		}
		if word != "" {
			if err := now.checkLock(); err != nil {
				return err
			}
			// The archive holds the configuration as it is now.
			fresh := *now
			fresh.Guest = conf.ParseGuest(g.kind, s.files[now.path()], s.checker(g.kind))
			d.g = &fresh
			now.Values["lock"] = word
		} else {
			delete(now.Values, "lock")
		}
		s.save(now)
		return nil
	})
}

// prepare settles the mode and logs what goes into the archive.
func (d *dump) prepare() {
	if d.mode == "snapshot" {
		d.contents()
		if d.g.kind == kindLXC && !d.snapshots() {
			d.info("mode failure - some volumes do not support snapshots")
			d.info("trying 'suspend' mode instead")
			d.mode = "suspend"
		}
	}
	d.info("backup mode: %s", d.mode)
	if limit := d.values["bwlimit"]; limit != "" && limit != "0" {
		d.info("bandwidth limit: %s KiB/s", limit)
	}
	ionice := d.values["ionice"]
	if ionice == "" {
		ionice = "7"
	}
	d.info("ionice priority: %s", ionice)
	switch d.mode {
	case "snapshot":
		if d.g.kind == kindLXC {
			d.info("create storage snapshot 'vzdump'")
		}
	case "suspend":
		d.contents()
		if d.g.kind == kindLXC {
			d.suspend()
		}
	default:
		d.contents()
		if d.running {
			d.info("stopping virtual guest")
			if d.g.kind == kindLXC {
				d.t.s.stopped(d.g.node, d.g.vmid)
			}
		}
	}
}

// suspend copies a container twice, the second time while it stands still.
func (d *dump) suspend() {
	pid := 0
	if p := d.t.s.running[d.g.vmid]; p != nil {
		pid = p.pid
	}
	tmp := d.st.subdir("backup") + "/" + strings.TrimSuffix(d.st.archiveName(d.g, "tmp", d.start), "")
	d.info("starting first sync /proc/%d/root/ to %s", pid, tmp)
	d.info("first sync finished - transferred 1.98M bytes in 0s")
	d.info("suspending guest")
	d.info("starting final sync /proc/%d/root/ to %s", pid, tmp)
	d.info("final sync finished - transferred 0 bytes in 0s")
	d.info("resuming guest")
	d.info("guest is online again after <1 seconds")
}

// snapshots tells whether all volumes of the archive can have snapshots.
func (d *dump) snapshots() bool {
	for _, v := range d.volumes {
		if v.in && !d.t.s.canSnapshot(v.volid) {
			return false
		}
	}
	return true
}

// contents logs what goes into the archive and what does not.
func (d *dump) contents() {
	word := "VM"
	if d.g.kind == kindLXC {
		word = "CT"
	}
	d.info("%s Name: %s", word, d.g.displayName())
	for _, v := range d.volumes {
		switch {
		case d.g.kind == kindQEMU && v.in:
			d.info("include disk '%s' '%s' %s", v.key, v.volid, formatSize(v.size))
		case d.g.kind == kindQEMU:
			d.info("exclude disk '%s' '%s' (%s)", v.key, v.volid, v.reason)
		case v.in:
			d.info("including mount point %s ('%s') in backup", v.key, v.path)
		default:
			d.info("excluding %s mount point %s ('%s') from backup (%s)", v.kind, v.key, v.path, v.reason)
		}
	}
}

// mark puts notes and protection on the archive.
func (d *dump) mark(v *volume) {
	if template := d.values["notes-template"]; template != "" {
		d.info("adding notes to backup")
		v.Notes = d.t.s.notes(template, d.g)
	}
	if d.values["protected"] == "1" {
		d.info("marking backup as protected")
		v.Protected = true
	}
	d.t.s.putVol(v)
}

// prune removes older archives of the guest.
func (d *dump) prune() error {
	if d.retention == nil {
		return nil
	}
	s := d.t.s
	d.info("prune older backups with retention: %s", s.table.Print("prune-backups", d.retention))
	if s.knobs.pruneFails[d.st.ID] {
		d.t.log("ERROR: prune '%s/%d': backup client failed: Error: Not implemented", map[kind]string{kindLXC: "ct", kindQEMU: "vm"}[d.g.kind], d.g.vmid)
		return die("error pruning backups - check log")
	}
	marks := pruneMarks(s.archivesOf(d.st, d.t.node, d.g.kind, d.g.vmid), d.retention)
	var gone []*volume
	for _, m := range marks {
		if m.mark == "remove" {
			gone = append(gone, m.v)
		}
	}
	for i := len(gone) - 1; i >= 0; i-- {
		d.info("removing backup '%s'", gone[i].ID)
		s.dropVol(gone[i])
	}
	if len(gone) > 0 {
		d.info("pruned %d backup(s) not covered by keep-retention policy", len(gone))
	}
	return nil
}

// configText is the configuration as an archive holds it.
// Source: PVE::VZDump::LXC assemble, PVE::VZDump::QemuServer assemble.
func (s *Server) configText(g *guest) string {
	plain := &conf.Guest{Section: *g.Section.Clone(), Pending: conf.NewSection()}
	for _, key := range []string{"lock", "parent", "snaptime", "snapstate"} {
		delete(plain.Values, key)
	}
	maps.DeleteFunc(plain.Values, func(key, _ string) bool { return keyNumber(key, "unused") >= 0 && g.kind == kindLXC })
	return plain.Print(g.kind)
}
