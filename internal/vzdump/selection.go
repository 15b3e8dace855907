package vzdump

import (
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// A Selection says which guests a policy backs up: a list, a pool, or all of
// the cluster. Source: PVE::VZDump get_included_guests.
type Selection struct {
	VMIDs   []guest.VMID
	Pool    string
	All     bool
	Exclude []guest.VMID
	Node    string // only guests of this node, empty for every node
}

// A Candidate is a guest that a selection may hold.
type Candidate struct {
	VMID guest.VMID
	Node string
	Pool string
}

// Selects reports whether the guest is backed up.
func (s Selection) Selects(g Candidate) bool {
	if s.Node != "" && s.Node != g.Node || slices.Contains(s.Exclude, g.VMID) {
		return false
	}
	switch {
	case s.All:
		return true
	case s.Pool != "":
		return s.Pool == g.Pool
	default:
		return slices.Contains(s.VMIDs, g.VMID)
	}
}

// ParseVMIDs reads a list of VMIDs as Proxmox does: separated by commas,
// semicolons, spaces or NULs. Sorted, each once. The error is a
// *guest.VMIDError.
func ParseVMIDs(text string) ([]guest.VMID, error) {
	var out []guest.VMID
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",; \t\n\x00", r) }) {
		id, err := guest.ParseVMID(word)
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// FormatVMIDs writes a list of VMIDs for a request, sorted.
func FormatVMIDs(ids []guest.VMID) string {
	sorted := slices.Sorted(slices.Values(ids))
	words := make([]string, len(sorted))
	for i, id := range sorted {
		words[i] = id.String()
	}
	return strings.Join(words, ",")
}
