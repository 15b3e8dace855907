package vmidrange

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Ledger is everything that a range ever gave: what names hold now, and what
// names held once. No number leaves a ledger.
type Ledger struct {
	Held    map[string]guest.VMID // name → number
	Retired Set                   // numbers of names that are gone
}

// Given is every number that was ever given.
func (l Ledger) Given() Set {
	return SetOf(slices.Collect(maps.Values(l.Held))...).Union(l.Retired)
}

// Allocate is the ledger after the range serves exactly these names. A name
// that held a number keeps it; the number of a name that is gone retires; a new
// name gets the lowest number of the range that is neither taken nor was ever
// given, new names in alphabetical order. It depends on its arguments alone, so
// that a plan and its apply agree.
//
// The error is a *LeftOutError when a kept number lies outside the range, or a
// *FullError; the ledger is then the one before.
func Allocate(r Range, names []string, before Ledger, taken Set) (Ledger, error) {
	after := Ledger{Held: map[string]guest.VMID{}, Retired: before.Retired}
	var fresh []string
	var lost []Reservation
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		id, kept := before.Held[name]
		switch {
		case !kept:
			fresh = append(fresh, name)
			continue
		case !r.Contains(id):
			lost = append(lost, Reservation{Name: name, VMID: id})
		}
		after.Held[name] = id
	}
	if len(lost) > 0 {
		slices.SortFunc(lost, func(a, b Reservation) int { return cmp.Compare(a.VMID, b.VMID) })
		return before, &LeftOutError{Range: r, Lost: lost}
	}
	after.Retired = after.Retired.Union(SetOf(gone(before.Held, after.Held)...))

	next, stop := iter.Pull(r.Free(taken.Union(before.Given())))
	defer stop()
	for i, name := range fresh {
		id, ok := next()
		if !ok {
			return before, &FullError{Range: r, Names: fresh[i:]}
		}
		after.Held[name] = id
	}
	return after, nil
}

func gone(before, after map[string]guest.VMID) []guest.VMID {
	var ids []guest.VMID
	for name, id := range before {
		if _, kept := after[name]; !kept {
			ids = append(ids, id)
		}
	}
	return ids
}
