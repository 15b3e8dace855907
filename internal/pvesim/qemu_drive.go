package pvesim

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// drive is a disk or CD-ROM drive of a virtual machine.
type drive struct {
	key  string            // scsi0, ide2, efidisk0, …
	file string            // volume, path, none, cdrom, or the wish for a new one
	keys map[string]string // all others
}

// driveBuses are the prefixes of keys that hold drives.
var driveBuses = []string{"ide", "sata", "scsi", "virtio", "efidisk", "tpmstate"}

// isDrive tells whether a key holds a drive; unusedN does not.
func isDrive(key string) bool {
	return slices.ContainsFunc(driveBuses, func(bus string) bool { return keyNumber(key, bus) >= 0 })
}

// isUnused tells whether a key holds a volume that is kept without a drive.
func isUnused(key string) bool { return keyNumber(key, "unused") >= 0 }

// bus is the key without its number.
func bus(key string) string { return strings.TrimRight(key, "0123456789") }

// driveFormat is the schema of a key that holds a drive or an unused volume.
func driveFormat(key string) string {
	if b := bus(key); b != "efidisk" && b != "tpmstate" {
		return "qemu." + b
	}
	return "qemu." + key
}

// parseDrive reads the value of a drive; nil means it can not be one.
// Source: PVE::QemuServer::Drive parse_drive.
func (s *Server) parseDrive(key, text string) *drive {
	keys, err := s.table.Parse(driveFormat(key), text, key)
	if err != nil {
		return nil
	}
	d := &drive{key: key, file: keys["file"], keys: maps.Clone(keys)}
	delete(d.keys, "file")
	if !d.throttleFits() || !d.mediaFits() {
		return nil
	}
	return d
}

// throttleFits refuses limits that contradict each other. Limits in bytes
// get lost: the number of megabytes is computed from whether they are there.
func (d *drive) throttleFits() bool {
	has := func(key string) bool { _, ok := d.keys[key]; return ok }
	for _, suffix := range []string{"", "_rd", "_wr"} {
		if has("bps" + suffix) {
			if has("mbps" + suffix) {
				return false
			}
			delete(d.keys, "bps"+suffix)
			d.keys["mbps"+suffix] = "0.000"
		}
		if has("mbps"+suffix+"_max") && !has("mbps"+suffix) {
			return false
		}
		if has("bps"+suffix+"_max_length") && !has("mbps"+suffix+"_max") || has("iops"+suffix+"_max_length") && !has("iops"+suffix+"_max") {
			return false
		}
	}
	for _, unit := range []string{"mbps", "iops"} {
		if has(unit) && (has(unit+"_rd") || has(unit+"_wr")) {
			return false
		}
	}
	return true
}

func (d *drive) mediaFits() bool {
	if d.keys["media"] != "cdrom" {
		return true
	}
	_, format := d.keys["format"]
	return (!format || d.isCloudinit()) && d.keys["snapshot"] != "1" && (bus(d.key) != "virtio" || d.isCloudinit())
}

// print writes the drive as it is stored.
func (s *Server) printDrive(d *drive) string {
	all := maps.Clone(d.keys)
	all["file"] = d.file
	return s.table.Print(driveFormat(d.key), all)
}

var cloudinitVolume = regexp.MustCompile(`[:/]vm-\d+-cloudinit(?:\.(?:raw|qcow2))?$`)

// isCloudinit tells whether the drive holds what cloud-init reads, or is to.
func (d *drive) isCloudinit() bool {
	return strings.HasSuffix(d.file, ":cloudinit") || cloudinitVolume.MatchString(d.file)
}

// isCDROM tells whether the drive is one for CDs, cloud-init's included.
func (d *drive) isCDROM() bool { return d.keys["media"] == "cdrom" || d.isCloudinit() }

// hasVolume tells whether the drive names a volume of a storage.
func (d *drive) hasVolume() bool {
	return d.file != "none" && d.file != "cdrom" && !strings.HasPrefix(d.file, "/")
}

// newDrive is the text that asks for a new volume: STORAGE:SIZE_IN_GIB.
// Source: PVE::QemuServer::Drive $NEW_DISK_RE.
var newDrive = regexp.MustCompile(`^(?:([^/:\s]+):)(\d+(?:\.\d+)?)$`)

// drives are the drives of a section by key, without unused volumes.
func (s *Server) drives(sec *conf.Section) []*drive {
	var out []*drive
	for _, key := range sortedKeys(sec.Values) {
		if isDrive(key) {
			if d := s.parseDrive(key, sec.Values[key]); d != nil {
				out = append(out, d)
			}
		}
	}
	return out
}

// cloudinitDrive is the drive for cloud-init, nil if there is none.
func (s *Server) cloudinitDrive(sec *conf.Section) *drive {
	for _, d := range s.drives(sec) {
		if d.isCloudinit() {
			return d
		}
	}
	return nil
}

// bootOrder are the devices of boot's order, nil if boot says something else.
func (s *Server) bootOrder(text string) []string {
	keys, err := s.table.Parse("pve-qm-boot", text, "boot")
	if err != nil || keys["order"] == "" {
		return nil
	}
	return strings.Split(keys["order"], ";")
}

// printBootOrder writes boot; without devices it is empty, and nothing is booted.
// Source: PVE::QemuServer print_bootorder.
func printBootOrder(devices []string) string {
	if len(devices) == 0 {
		return ""
	}
	return "order=" + strings.Join(devices, ";")
}

// defaultBoot is the order that a new machine gets: the first disk, the first
// CD-ROM and the first network interface.
// Source: PVE::QemuServer get_default_bootdevices.
func (s *Server) defaultBoot(values map[string]string) string {
	var disk, cd string
	for _, b := range []string{"ide", "scsi", "virtio", "sata"} {
		for _, key := range numbered(values, b) {
			switch d := s.parseDrive(key, values[key]); {
			case d == nil:
			case d.isCDROM() && cd == "":
				cd = key
			case !d.isCDROM() && disk == "":
				disk = key
			}
		}
	}
	var out []string
	for _, key := range append([]string{disk, cd}, numbered(values, "net")[:min(1, len(numbered(values, "net")))]...) {
		if key != "" {
			out = append(out, key)
		}
	}
	return printBootOrder(out)
}

// snapshotStateName is the volume that keeps the memory of a snapshot.
func snapshotStateName(vmid int, snapshot string) string {
	return fmt.Sprintf("vm-%d-state-%s", vmid, snapshot)
}
