package pvesim

import (
	"fmt"
	"strings"
)

// backupVolume is a volume of a guest and whether a backup holds it.
type backupVolume struct {
	key, volid string
	path       string // in a container
	kind       mountKind
	in         bool
	reason     string
	size       int64
}

// backupVolumes are the volumes of a guest: of a container the root file
// system always, mount points with backup=1, never binds or devices; of a
// virtual machine every drive without backup=0.
//
// Source: PVE::LXC::Config mountpoint_backup_enabled, PVE::QemuConfig get_backup_volumes.
func (s *Server) backupVolumes(g *guest) []backupVolume {
	var out []backupVolume
	if g.kind == kindLXC {
		for _, m := range s.mounts(kindLXC, &g.Section, "rootfs", "mp") {
			v := backupVolume{key: m.key, volid: m.volid, path: m.keys["mp"], kind: m.kind, size: m.size, in: true, reason: "enabled"}
			switch {
			case m.key == "rootfs":
				v.path, v.reason = "/", "rootfs"
			case m.kind != mountVolume:
				v.in, v.reason = false, "not a volume"
			case !yes(m.keys["backup"]):
				v.in, v.reason = false, "disabled"
			}
			out = append(out, v)
		}
		return out
	}
	for _, m := range s.mounts(kindQEMU, &g.Section, "ide", "sata", "scsi", "virtio", "efidisk", "tpmstate") {
		if m.keys["media"] == "cdrom" || strings.Contains(m.volid, "-cloudinit") {
			continue
		}
		v := backupVolume{key: m.key, volid: m.volid, kind: m.kind, size: m.size, in: true, reason: "backup=yes"}
		if b, given := m.keys["backup"]; given && !yes(b) {
			v.in, v.reason = false, "backup=no"
		}
		if strings.HasPrefix(m.key, "efidisk") && g.Values["bios"] != "ovmf" {
			v.in, v.reason = false, "efidisk but no OMVF BIOS"
		}
		out = append(out, v)
	}
	return out
}

func yes(word string) bool {
	switch strings.ToLower(word) {
	case "1", "on", "yes", "true":
		return true
	}
	return false
}

func flagText(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// displayName is the name of a guest, or the one that stands for none.
func (g *guest) displayName() string {
	switch {
	case g.kind == kindLXC && g.Values["hostname"] != "":
		return g.Values["hostname"]
	case g.kind == kindLXC:
		return fmt.Sprintf("CT%d", g.vmid)
	case g.Values["name"] != "":
		return g.Values["name"]
	}
	return fmt.Sprintf("VM %d", g.vmid)
}
