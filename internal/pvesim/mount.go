package pvesim

import (
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// mountKind tells volumes of storages from the rest.
type mountKind string

const (
	mountVolume mountKind = "volume"
	mountBind   mountKind = "bind"
	mountDevice mountKind = "device"
)

// mount is a rootfs, mount point, drive or unused volume of a guest.
type mount struct {
	key   string
	kind  mountKind
	volid string // or the path
	size  int64  // from the configuration, 0 if it says nothing
	keys  map[string]string
}

// isMountKey tells whether a key holds a volume.
func isMountKey(k kind, key string) bool {
	if keyNumber(key, "unused") >= 0 {
		return true
	}
	if k == kindLXC {
		return key == "rootfs" || keyNumber(key, "mp") >= 0
	}
	for _, p := range []string{"ide", "sata", "scsi", "virtio", "efidisk", "tpmstate"} {
		if keyNumber(key, p) >= 0 {
			return true
		}
	}
	return key == "vmstate"
}

// mount reads the value of a key, nil if it holds no volume, path or device.
// What a file says is read more leniently than what a request says.
func (s *Server) mount(k kind, key, text string) *mount {
	if !isMountKey(k, key) {
		return nil
	}
	m := &mount{key: key, keys: map[string]string{}}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		switch {
		case !ok:
			m.volid = part
		case name == "volume" || name == "file":
			m.volid = value
		default:
			m.keys[name] = value
		}
	}
	m.size = parseSize(m.keys["size"])
	m.kind = classify(m.volid)
	if m.volid == "" || m.volid == "none" || m.volid == "cdrom" {
		return nil
	}
	return m
}

// classify tells what a value names. Source: PVE::LXC::Config classify_mountpoint.
func classify(volume string) mountKind {
	switch {
	case strings.HasPrefix(volume, "/dev/"):
		return mountDevice
	case strings.HasPrefix(volume, "/"):
		return mountBind
	}
	return mountVolume
}

// mounts are the volumes, binds and devices of a section; rootfs first, then
// by name and number.
func (s *Server) mounts(k kind, sec *conf.Section, prefixes ...string) []*mount {
	var out []*mount
	for _, p := range prefixes {
		if text, ok := sec.Values[p]; ok {
			if m := s.mount(k, p, text); m != nil {
				out = append(out, m)
			}
			continue
		}
		for _, key := range numbered(sec.Values, p) {
			if m := s.mount(k, key, sec.Values[key]); m != nil {
				out = append(out, m)
			}
		}
	}
	return out
}

// sectionsOf are the snapshots of a guest, by name.
func sectionsOf(g *guest) []*conf.Section {
	var out []*conf.Section
	for _, name := range sortedKeys(g.Snapshots) {
		out = append(out, g.Snapshots[name])
	}
	return out
}
