package meta

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// Ranges are the proxmox_vmid_range resources that this process has planned. Two
// of one configuration must not overlap, and only here do they meet: a resource
// sees no other.
type Ranges struct {
	mu      sync.Mutex
	planned map[string]PlannedRange
	created int
}

// PlannedRange is a range as its configuration has it.
type PlannedRange struct {
	Range vmidrange.Range
	Names []string // whom it reserves for, sorted; the provider does not learn addresses
}

// OverlapError says that two ranges have numbers in common.
type OverlapError struct {
	Range vmidrange.Range
	Other PlannedRange
}

// Error names both ranges.
func (e *OverlapError) Error() string {
	return fmt.Sprintf("the range %s overlaps the range %s", e.Range, e.Other.Range)
}

// NewRanges has seen no range yet.
func NewRanges() *Ranges { return &Ranges{planned: map[string]PlannedRange{}} }

// Plan notes a range. key tells ranges apart and is the same in each call for
// one range; it is empty for one that is created, of which there is one call. The
// error is an *OverlapError; the range is noted all the same.
func (r *Ranges) Plan(key string, p PlannedRange) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if key == "" {
		r.created++
		key = fmt.Sprint("created ", r.created)
	}
	r.planned[key] = p
	for _, other := range slices.Sorted(maps.Keys(r.planned)) {
		if other != key && r.planned[other].Range.Overlaps(p.Range) {
			return &OverlapError{Range: p.Range, Other: r.planned[other]}
		}
	}
	return nil
}
