// Package volume reads what a guest's configuration says about its storage:
// volume ids, bind mounts and devices.
//
// It decides from the shape of a volume id whose volume it is. It knows no
// storage definitions: the shapes of the storage kinds do not overlap in a way
// that would change the owner.
package volume

import (
	"regexp"
	"strconv"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// ID is a volume id, "STORAGE:NAME". The zero value is no volume.
type ID struct {
	Storage string
	Name    string
}

// Source: PVE::Storage::Plugin parse_volume_id. White space is left out of
// the name: no storage kind has it in a name.
var idSyntax = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9\-_.]*[A-Za-z0-9]):(\S+)$`)

// A SyntaxError says that a text is not a volume id.
type SyntaxError struct {
	Text string
}

// Error names the text and the shape of a volume id.
func (e *SyntaxError) Error() string {
	return strconv.Quote(e.Text) + ` is not a volume id: a volume id is a storage and a name, for example "local-lvm:vm-5001-disk-0"`
}

// Parse reads a volume id. The error is a *SyntaxError.
func Parse(s string) (ID, error) {
	m := idSyntax.FindStringSubmatch(s)
	if m == nil {
		return ID{}, &SyntaxError{Text: s}
	}
	return ID{Storage: m[1], Name: m[2]}, nil
}

// String is the volume id as Proxmox writes it, empty for the zero value.
func (id ID) String() string {
	if id == (ID{}) {
		return ""
	}
	return id.Storage + ":" + id.Name
}

// Source: PVE::Storage::Plugin parse_volname and its overrides. File storages
// take the owner from the last directory number and not from the file's name.
var (
	fileName  = regexp.MustCompile(`^(?:[0-9]+/\S+/)?([0-9]+)/[^/]+\.(?:raw|qcow2|vmdk|subvol)$`)
	blockName = regexp.MustCompile(`^(?:(?:base|basevol)-[0-9]+-[^/]+/)?(?:vm|base|subvol|basevol)-([0-9]+)-[^/]+$`)
	ownerless = regexp.MustCompile(`^(?:(?:iso|vztmpl|backup|snippets|import)/\S+|lun[0-9]+|[0-9]+\.[0-9]+\.[0-9]+\.\S+)$`)
)

// Owner is the VMID that the name carries, which decides what a destroy frees.
// It is false when the name carries none (ISO images, templates, backups,
// snippets, LUNs) and when the name has no shape that Proxmox knows. The
// number is the name's word: it may lie outside the range of a VMID.
func (id ID) Owner() (guest.VMID, bool) {
	for _, shape := range []*regexp.Regexp{fileName, blockName} {
		m := shape.FindStringSubmatch(id.Name)
		if m == nil {
			continue
		}
		n, err := strconv.ParseInt(m[1], 10, 32)
		return guest.VMID(n), err == nil
	}
	return 0, false
}

// Recognised reports whether the name has a shape of one of Proxmox's storage
// kinds. Of any other name it is not known what a destroy does to it.
func (id ID) Recognised() bool {
	_, owned := id.Owner()
	return owned || ownerless.MatchString(id.Name)
}
