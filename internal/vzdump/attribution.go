package vzdump

import (
	"strings"
	"time"
	"unicode"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Attribution says whether an archive is a backup of a certain guest. A number
// is not a guest: it is used again after a destroy, and two hosts that share a
// backup store may use it for two guests.
type Attribution string

// The attributions.
const (
	OfGuest      Attribution = "guest"   // number, kind, and a further proof agree, nothing speaks against it
	OfOther      Attribution = "other"   // number or kind differ
	UnknownOwner Attribution = "unknown" // number and kind agree, but no proof or a contradiction
)

// Taken is what is known of an archive.
type Taken struct {
	Kind    guest.Kind
	VMID    guest.VMID
	Created time.Time
	Notes   string
}

// Owner is what is known of a guest.
type Owner struct {
	Kind    guest.Kind
	VMID    guest.VMID
	Name    string
	Created time.Time // zero when the guest does not say
}

// Attribute tells whether the archive a was taken of the guest g. Notes that
// do not name the guest and a date before its creation are contradictions;
// a date after its creation and notes that name it are proofs.
func Attribute(a Taken, g Owner) Attribution {
	if a.Kind != g.Kind || a.VMID != g.VMID {
		return OfOther
	}
	datedAfter := !g.Created.IsZero() && !a.Created.IsZero() && !a.Created.Before(g.Created)
	datedBefore := !g.Created.IsZero() && !a.Created.IsZero() && a.Created.Before(g.Created)
	noted := strings.TrimSpace(a.Notes) != ""
	named := g.Name != "" && names(a.Notes, g.Name)
	switch {
	case datedBefore, noted && !named:
		return UnknownOwner
	case datedAfter, named:
		return OfGuest
	default:
		return UnknownOwner
	}
}

// names reports whether name stands in text as a word of its own. Hyphens and
// dots belong to a word: "web" is not named by "web-2".
func names(text, name string) bool {
	inWord := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '.' || r == '_'
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !inWord(r) }) {
		if strings.EqualFold(strings.Trim(word, ".-"), name) {
			return true
		}
	}
	return false
}
