package vzdump

import (
	"regexp"
	"strconv"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// An Archive is what the volume id of a backup says by itself.
type Archive struct {
	Volume volume.ID
	Kind   guest.Kind
	VMID   guest.VMID
	Format string // "tar.zst", "vma", "pbs-ct", …

	stamp time.Time // as written, carried in UTC
	utc   bool      // whether the name is in UTC (Proxmox Backup Server) or in the node's zone
}

// An ArchiveError says that a volume id does not name a backup of a guest.
type ArchiveError struct {
	Text string
}

// Error names the text and shows what an archive looks like.
func (e *ArchiveError) Error() string {
	return strconv.Quote(e.Text) + ` is not a backup archive: it is named like "local:backup/vzdump-lxc-5001-2026_11_29-02_30_00.tar.zst"`
}

// Sources: PVE::Storage archive_info, PVE::Storage::PBSPlugin print_volid.
var (
	fileArchive = regexp.MustCompile(`^backup/vzdump-(lxc|qemu)-(\d+)-(\d{4}_\d\d_\d\d-\d\d_\d\d_\d\d)\.(tgz|(?:tar|vma)(?:\.(?:gz|lzo|zst|bz2))?)$`)
	pbsArchive  = regexp.MustCompile(`^backup/(ct|vm)/(\d+)/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$`)
)

// ParseArchive reads the volume id of a backup. The error is an *ArchiveError,
// also for a backup file that somebody has renamed: nothing follows from its
// name.
func ParseArchive(volid string) (Archive, error) {
	refused := &ArchiveError{Text: volid}
	id, err := volume.Parse(volid)
	if err != nil {
		return Archive{}, refused
	}
	a := Archive{Volume: id}
	layout := "2006_01_02-15_04_05"
	m := fileArchive.FindStringSubmatch(id.Name)
	if m != nil {
		a.Kind, a.Format = guest.Kind(m[1]), m[4]
	} else {
		if m = pbsArchive.FindStringSubmatch(id.Name); m == nil {
			return Archive{}, refused
		}
		layout, a.utc = time.RFC3339, true
		a.Kind, a.Format = guest.LXC, "pbs-ct"
		if m[1] == "vm" {
			a.Kind, a.Format = guest.QEMU, "pbs-vm"
		}
	}
	if a.VMID, err = guest.ParseVMID(m[2]); err != nil {
		return Archive{}, refused
	}
	if a.stamp, err = time.Parse(layout, m[3]); err != nil {
		return Archive{}, refused
	}
	return a, nil
}

// Created is when the backup was begun. Names of files carry the node's wall
// clock, so the node's zone is needed; the content list's ctime is better.
func (a Archive) Created(node *time.Location) time.Time {
	if a.utc {
		return a.stamp
	}
	y, mo, d := a.stamp.Date()
	h, mi, s := a.stamp.Clock()
	return time.Date(y, mo, d, h, mi, s, 0, node)
}
