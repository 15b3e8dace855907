package pvesim

import (
	"strconv"
	"strings"
	"time"
)

// archive writes the archive, which takes the time that a task takes.
func (d *dump) archive() (*volume, error) {
	s, g := d.t.s, d.g
	ext := extension(g.kind, d.values["compress"])
	at, volid := s.archiveSlot(d.st, d.t.node, d.start, func(at time.Time) string { return d.st.archiveName(g, ext, at) })
	file := strings.TrimPrefix(volid, d.st.ID+":backup/")
	if d.st.Type == "pbs" {
		d.info("creating Proxmox Backup Server archive '%s'", file)
	} else {
		d.info("creating vzdump archive '%s/%s'", d.st.subdir("backup"), file)
	}
	copying := d.tar
	if g.kind == kindQEMU {
		copying = d.vma
	}
	if err := copying(); err != nil {
		if d.mode == "stop" && d.running {
			s.setRunning(g.vmid, true)
		}
		return nil, err
	}
	size := d.archiveSize()
	if d.st.Type != "pbs" {
		d.info("archive file size: %dMB", size/mib)
	}
	included := []string{}
	for _, v := range d.volumes {
		if v.in {
			included = append(included, v.key)
		}
	}
	return &volume{Node: d.t.node, ID: volid, Size: size, Created: at.Unix(), Archive: map[string]string{
		"config": s.configText(g), "included": strings.Join(included, " "), "firewall": s.files["firewall/"+strconv.Itoa(g.vmid)+".fw"],
	}}, nil
}

// archiveSize makes up the size of the file: a little of each volume.
func (d *dump) archiveSize() int64 {
	size := int64(2119680)
	for _, v := range d.volumes {
		if v.in {
			size += v.size / 1024
		}
	}
	if c := d.values["compress"]; c != "" && c != "0" {
		size /= 2
	}
	return size
}

// tar packs a container: no percentages.
func (d *dump) tar() error {
	if err := d.t.work(); err != nil {
		return err
	}
	if d.t.s.knobs.full[d.st.ID] {
		d.info("zstd: error 70 : Write error : cannot write block : No space left on device")
		d.info("tar: -: Wrote only 4096 of 10240 bytes")
		d.info("tar: Error is not recoverable: exiting now")
		return die("command 'set -o pipefail && lxc-usernsexec -m u:0:100000:65536 -m g:0:100000:65536 -- tar cpf - --totals ./etc/vzdump/pct.conf' failed: exit code 2")
	}
	d.info("Total bytes written: %d (2.1MiB, 386MiB/s)", d.archiveSize())
	return nil
}

// vma copies the disks of a virtual machine through QEMU, which tells how far
// it is. Source: PVE::VZDump::QemuServer archive_vma.
func (d *dump) vma() error {
	s, g := d.t.s, d.g
	if !d.running {
		d.info("starting kvm to execute backup task")
		s.setRunning(g.vmid, true)
		defer s.setRunning(g.vmid, false)
	}
	frozen := d.running && d.mode == "snapshot"
	if agent := s.vmAgent(g); frozen && agent {
		d.info("issuing guest-agent 'fs-freeze' command")
	} else if frozen {
		d.info("skipping guest filesystem freeze - disabled in VM options")
		frozen = false
	}
	d.info("starting backup via QMP command")
	if frozen {
		d.info("issuing guest-agent 'fs-thaw' command")
	}
	d.info("started backup task '%s'", uuid())
	if d.running {
		d.info("resuming VM again")
	}
	if err := d.percentages(); err != nil {
		d.info("aborting backup job")
		return err
	}
	d.info("stopping kvm after backup task")
	return nil
}

func (d *dump) percentages() error {
	var total int64
	for _, v := range d.volumes {
		if v.in {
			total += v.size
		}
	}
	gibs := func(n int64) string { return strconv.FormatFloat(float64(n)/float64(gib), 'f', 1, 64) + " GiB" }
	line := func(percent int64, seconds int) {
		d.info("%3d%% (%s of %s) in %ds, read: 412.0 MiB/s, write: 400.1 MiB/s", percent, gibs(total*percent/100), gibs(total), seconds)
	}
	line(0, 3)
	line(41, 6)
	if err := d.t.work(); err != nil {
		return err
	}
	if d.t.s.knobs.full[d.st.ID] {
		d.t.log("ERROR: vma_queue_write: write error - Broken pipe")
		return die("vma_queue_write: write error - Broken pipe")
	}
	line(100, 9)
	d.info("backup is sparse: %s (50%%) total zero data", gibs(total/2))
	d.info("transferred %s in 9 seconds (%d.0 MiB/s)", gibs(total), max(1, total/mib/9))
	return nil
}

// canSnapshot tells whether a volume can have snapshots.
// Source: PVE::Storage plugins, volume_has_feature.
func (s *Server) canSnapshot(volid string) bool {
	id, name, err := splitVolid(volid)
	if err != nil {
		return false
	}
	st, err := s.storage(id)
	if err != nil {
		return false
	}
	switch st.Type {
	case "lvmthin", "zfspool", "rbd", "btrfs":
		return true
	}
	return strings.HasSuffix(name, ".qcow2")
}

// vmAgent tells whether a virtual machine is set to have a guest agent.
func (s *Server) vmAgent(g *guest) bool {
	first, _, _ := strings.Cut(g.Values["agent"], ",")
	return yes(strings.TrimPrefix(first, "enabled="))
}
