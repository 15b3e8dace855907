// Package vmidrange counts VMIDs: ranges, sets of numbers, and the ledger of a
// range that never gives a number twice.
//
// It decides which text is a range, which number is given next and why none is.
// It knows neither Proxmox nor Terraform: what is taken is an argument.
package vmidrange

import (
	"iter"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Range is the VMIDs from Start to End, both inclusive. A Range made by New or
// Parse is never empty; the zero value contains nothing.
type Range struct {
	Start, End guest.VMID
}

// New makes a range of two numbers. The error is a *BoundsError or a
// *ReversedError.
func New(start, end guest.VMID) (Range, error) {
	for _, id := range []guest.VMID{start, end} {
		if !id.Valid() {
			return Range{}, &BoundsError{Text: id.String()}
		}
	}
	if end < start {
		return Range{}, &ReversedError{Start: start, End: end}
	}
	return Range{Start: start, End: end}, nil
}

// Parse reads "5000-8999". It is strict, because what it reads is a boundary:
// no white space, no single number, no sign. The error is an *EmptyError, a
// *SyntaxError, a *BoundsError or a *ReversedError.
func Parse(text string) (Range, error) {
	if text == "" {
		return Range{}, &EmptyError{}
	}
	first, last, found := strings.Cut(text, "-")
	if !found || !digits(first) || !digits(last) {
		return Range{}, &SyntaxError{Text: text}
	}
	start, err := number(first)
	if err != nil {
		return Range{}, err
	}
	end, err := number(last)
	if err != nil {
		return Range{}, err
	}
	return New(start, end)
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func number(s string) (guest.VMID, error) {
	id, err := guest.ParseVMID(s)
	if err != nil {
		return 0, &BoundsError{Text: s}
	}
	return id, nil
}

// String is the text that Parse reads.
func (r Range) String() string { return r.Start.String() + "-" + r.End.String() }

// Len is how many numbers the range has.
func (r Range) Len() int {
	if r == (Range{}) {
		return 0
	}
	return int(r.End-r.Start) + 1
}

// Contains reports whether id lies in the range.
func (r Range) Contains(id guest.VMID) bool { return r.Start <= id && id <= r.End && r != (Range{}) }

// Covers reports whether every number of other lies in the range.
func (r Range) Covers(other Range) bool { return r.Contains(other.Start) && r.Contains(other.End) }

// Overlaps reports whether the ranges have a number in common.
func (r Range) Overlaps(other Range) bool {
	return r.Len() > 0 && other.Len() > 0 && r.Start <= other.End && other.Start <= r.End
}

// Free yields the numbers of the range that are not taken, lowest first. It
// costs the gaps and not the numbers in between.
func (r Range) Free(taken Set) iter.Seq[guest.VMID] {
	return func(yield func(guest.VMID) bool) {
		if r.Len() == 0 {
			return
		}
		next := r.Start
		for _, run := range taken.within(r) {
			for ; next < run.Start; next++ {
				if !yield(next) {
					return
				}
			}
			next = run.End + 1
		}
		for ; next <= r.End; next++ {
			if !yield(next) {
				return
			}
		}
	}
}
