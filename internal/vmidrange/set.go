package vmidrange

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Set is a set of VMIDs, kept as runs. It is a value: no method changes it. The
// zero value is the empty set.
type Set struct {
	runs []Range // sorted, apart by at least one number
}

// SetOf is the set of the numbers, in any order. Numbers that are no VMIDs are
// kept as well: volume names carry such.
func SetOf(ids ...guest.VMID) Set {
	runs := make([]Range, len(ids))
	for i, id := range ids {
		runs[i] = Range{Start: id, End: id}
	}
	return merge(runs)
}

// merge sorts runs, joins those that touch and takes the slice over.
func merge(runs []Range) Set {
	slices.SortFunc(runs, func(a, b Range) int { return cmp.Compare(a.Start, b.Start) })
	joined := runs[:0]
	for _, run := range runs {
		if last := len(joined) - 1; last >= 0 && run.Start <= joined[last].End+1 {
			joined[last].End = max(joined[last].End, run.End)
			continue
		}
		joined = append(joined, run)
	}
	if len(joined) == 0 {
		return Set{}
	}
	return Set{runs: joined}
}

// ParseSet reads "5000-5003,5007", in any order and with overlaps. The empty
// text is the empty set. The error is a *SetSyntaxError, or one of New.
func ParseSet(text string) (Set, error) {
	if text == "" {
		return Set{}, nil
	}
	parts := strings.Split(text, ",")
	runs := make([]Range, len(parts))
	for i, part := range parts {
		first, last, isRun := strings.Cut(part, "-")
		if !isRun {
			last = first
		}
		if !digits(first) || !digits(last) {
			return Set{}, &SetSyntaxError{Text: text, Part: part}
		}
		run, err := Parse(first + "-" + last)
		if err != nil {
			return Set{}, err
		}
		runs[i] = run
	}
	return merge(runs), nil
}

// String is the shortest text that ParseSet reads, such as "5000-5003,5007".
// Two numbers in a row are a run as well.
func (s Set) String() string {
	var b strings.Builder
	for i, run := range s.runs {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(run.Start.String())
		if run.End != run.Start {
			b.WriteByte('-')
			b.WriteString(run.End.String())
		}
	}
	return b.String()
}

// Len is how many numbers the set has.
func (s Set) Len() int {
	n := 0
	for _, run := range s.runs {
		n += run.Len()
	}
	return n
}

// Contains reports whether id is in the set.
func (s Set) Contains(id guest.VMID) bool {
	i, found := slices.BinarySearchFunc(s.runs, id, func(run Range, id guest.VMID) int { return cmp.Compare(run.Start, id) })
	return found || i > 0 && id <= s.runs[i-1].End
}

// Union is the numbers that are in any of the sets.
func (s Set) Union(others ...Set) Set {
	runs := slices.Clone(s.runs)
	for _, other := range others {
		runs = append(runs, other.runs...)
	}
	return merge(runs)
}

// Within is the numbers of the set that lie in the range.
func (s Set) Within(r Range) Set {
	if runs := s.within(r); len(runs) > 0 {
		return Set{runs: runs}
	}
	return Set{}
}

func (s Set) within(r Range) []Range {
	var runs []Range
	for _, run := range s.runs {
		if run.Overlaps(r) {
			runs = append(runs, Range{Start: max(run.Start, r.Start), End: min(run.End, r.End)})
		}
	}
	return runs
}

// All yields the numbers, lowest first.
func (s Set) All() iter.Seq[guest.VMID] {
	return func(yield func(guest.VMID) bool) {
		for _, run := range s.runs {
			for id := run.Start; id <= run.End; id++ {
				if !yield(id) {
					return
				}
			}
		}
	}
}
