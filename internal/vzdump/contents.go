package vzdump

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// A Content is one disk or mount point of a guest as a backup treats it.
type Content struct {
	Key    string // "rootfs", "mp0", "scsi0", …
	Source string // the volume id or path
	Path   string // where it is mounted in a container, "/" for rootfs; empty for a VM
	In     bool   // whether its data goes into an archive
	Reason Reason // why not, empty when In
}

// Reason is why data is left out of an archive.
type Reason string

// The reasons.
const (
	FlagOff    Reason = "backup flag off"
	BindMount  Reason = "bind mount"
	DeviceNode Reason = "device"
	NoOVMF     Reason = "EFI disk of a VM without OVMF"
	Unreadable Reason = "cannot be read"
)

var (
	mountKey = regexp.MustCompile(`^mp(\d{1,3})$`)
	diskKey  = regexp.MustCompile(`^(?:ide|sata|scsi|virtio|efidisk|tpmstate)(\d{1,2})$`)
	keyParts = regexp.MustCompile(`^([a-z]+)(\d*)$`)
)

// Contents tells for every disk and mount point of a guest's configuration
// whether a backup holds its data: of a container the root file system always,
// a mount point only with backup=1, a bind mount or device never; of a VM every
// disk without backup=0. CD-ROM drives, unused disks and empty drives are no
// data of the guest and are not listed. Sorted by key, rootfs first.
// Source: PVE::LXC::Config mountpoint_backup_enabled, PVE::QemuConfig
// get_backup_volumes.
func Contents(kind guest.Kind, config map[string]string) []Content {
	var out []Content
	for key, text := range config {
		var c Content
		var is bool
		if kind == guest.LXC {
			c, is = mountContent(key, text)
		} else {
			c, is = diskContent(key, text, config["bios"])
		}
		if is {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Content) int { return compareKeys(a.Key, b.Key) })
	return out
}

func mountContent(key, text string) (Content, bool) {
	if key != "rootfs" && !mountKey.MatchString(key) {
		return Content{}, false
	}
	v := volume.ParseValue(text)
	c := Content{Key: key, Source: v.Source, Path: v.Sub["mp"]}
	if key == "rootfs" {
		// A root file system has no flag: it is always in.
		c.Path, c.In = "/", true
		return c, true
	}
	switch v.Kind {
	case volume.Bind:
		c.Reason = BindMount
	case volume.Device:
		c.Reason = DeviceNode
	case volume.Volume:
		if on, _ := boolWord(v.Sub["backup"]); on {
			c.In = true
		} else {
			c.Reason = FlagOff
		}
	default:
		c.Reason = Unreadable
	}
	return c, true
}

func diskContent(key, text, bios string) (Content, bool) {
	if !diskKey.MatchString(key) {
		return Content{}, false
	}
	v := volume.ParseValue(text)
	if v.Kind == volume.None || v.Sub["media"] == "cdrom" {
		return Content{}, false
	}
	c := Content{Key: key, Source: v.Source}
	on, readable := boolWord(v.Sub["backup"])
	_, set := v.Sub["backup"]
	switch {
	case v.Kind == volume.Garbage, set && !readable:
		c.Reason = Unreadable
	case set && !on:
		c.Reason = FlagOff
	case keyParts.FindStringSubmatch(key)[1] == "efidisk" && bios != "ovmf":
		c.Reason = NoOVMF
	default:
		c.In = true
	}
	return c, true
}

// LeftOut are the contents whose data will be missing from an archive.
func LeftOut(all []Content) []Content {
	return slices.DeleteFunc(slices.Clone(all), func(c Content) bool { return c.In })
}

// compareKeys orders rootfs first, then by name and number: mp2 before mp10.
func compareKeys(a, b string) int {
	rank := func(k string) (int, string, int) {
		m := keyParts.FindStringSubmatch(k)
		if m == nil {
			return 2, k, 0
		}
		n, _ := strconv.Atoi(m[2])
		if k == "rootfs" {
			return 0, k, 0
		}
		return 1, m[1], n
	}
	ar, an, ai := rank(a)
	br, bn, bi := rank(b)
	switch {
	case ar != br:
		return ar - br
	case an < bn:
		return -1
	case an > bn:
		return 1
	default:
		return ai - bi
	}
}

// Missing are the contents that the configuration promises and the log does
// not show as included.
func Missing(promised []Content, r Run) []Content {
	var out []Content
	for _, c := range promised {
		if c.In && !slices.ContainsFunc(r.Included, func(e Entry) bool { return e.Key == c.Key }) {
			out = append(out, c)
		}
	}
	return out
}
