package datalabel

import (
	"fmt"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// After is what comes after the destroy: nothing, or a guest that is made anew.
type After int

// The two.
const (
	Nothing After = iota
	Reinstalled
)

// Sentence says in one line what becomes of an entry: its data and, when a
// guest comes after, its mount. The two are two questions and both are
// answered: data that stays is of no use to a guest that does not mount it.
func (e Entry) Sentence(after After, fate Fate) string {
	text := e.Key
	if e.Target != "" {
		text += " (" + e.Target + ")"
	}
	text += ": " + e.Source
	if e.Size != "" {
		text += ", " + e.Size
	}
	text += fmt.Sprintf(": %s: %s", e.Label, e.data())
	if after == Reinstalled {
		text += "; " + e.mount(fate)
	}
	return text
}

func (e Entry) data() string {
	switch e.Label {
	case Erased:
		return "its data is destroyed"
	case Excluded:
		if e.Owner != 0 {
			return fmt.Sprintf("it belongs to guest %d and stays", e.Owner)
		}
		return "it belongs to no guest and stays"
	case HostManaged:
		return "it belongs to the node and stays"
	default:
		return "the entry cannot be read"
	}
}

func (e Entry) mount(fate Fate) string {
	switch {
	case IsUnused(e.Key), IsPending(e.Key):
		return "dropped: it will not come back"
	case fate == Dropped:
		return "dropped: the configuration does not declare it, it will NOT be mounted again"
	case e.Kind == volume.Volume && e.Label == Erased:
		return "as_configured: a new, EMPTY volume takes its place"
	default:
		return "as_configured: it is attached again"
	}
}
