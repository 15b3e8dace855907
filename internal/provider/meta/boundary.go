package meta

import (
	"errors"
	"fmt"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// Boundary is the provider's vmid_range: what may be created, and outside of
// which nothing is ours, for reads too. Every operation on a guest asks Check
// before it sends anything; an operation that names no guest yet asks Err.
//
// The zero value is no boundary. A boundary that was given and cannot be read
// refuses every guest: nothing but the absence of a setting lets everybody in.
type Boundary struct {
	Range  vmidrange.Range
	Text   string // as configured
	Origin string // where the text came from, for errors
	set    bool
	err    error
}

// NewBoundary reads a range that was given, the empty text included.
func NewBoundary(text, origin string) Boundary {
	b := Boundary{Text: text, Origin: origin, set: true}
	b.Range, b.err = vmidrange.Parse(text)
	return b
}

// ErrNotKnownYet says that a boundary depends on something that does not exist
// yet. It does not count as no boundary.
var ErrNotKnownYet = errors.New("its value is not known before apply")

// UnknownBoundary is a range that was given and is not known yet.
func UnknownBoundary(origin string) Boundary {
	return Boundary{Origin: origin, set: true, err: ErrNotKnownYet}
}

// Set reports whether the provider has a boundary at all.
func (b Boundary) Set() bool { return b.set }

// Err is the *UnreadableBoundaryError of a boundary that cannot be read.
func (b Boundary) Err() error {
	if b.err != nil {
		return &UnreadableBoundaryError{Text: b.Text, Origin: b.Origin, Err: b.err}
	}
	return nil
}

// Check returns nil when the guest is ours to touch and to look at. The error
// is an *OutsideError or an *UnreadableBoundaryError.
func (b Boundary) Check(id guest.VMID) error {
	if err := b.Err(); err != nil {
		return err
	}
	if b.set && !b.Range.Contains(id) {
		return &OutsideError{VMID: id, Boundary: b}
	}
	return nil
}

// CheckTemplate returns nil when a template may be cloned. A template lives
// outside of the range: in it, the next allocation or destroy might meet it. The
// error is a *TemplateInsideError or an *UnreadableBoundaryError.
func (b Boundary) CheckTemplate(id guest.VMID) error {
	if err := b.Err(); err != nil {
		return err
	}
	if b.set && b.Range.Contains(id) {
		return &TemplateInsideError{VMID: id, Boundary: b}
	}
	return nil
}

// CheckRange returns nil when every number of a range may be given out. The
// error is a *RangeOutsideError or an *UnreadableBoundaryError.
func (b Boundary) CheckRange(r vmidrange.Range) error {
	if err := b.Err(); err != nil {
		return err
	}
	if b.set && !b.Range.Covers(r) {
		return &RangeOutsideError{Range: r, Boundary: b}
	}
	return nil
}

// OutsideError says that a guest is not within the boundary.
type OutsideError struct {
	VMID     guest.VMID
	Boundary Boundary
}

// Error names the number, the range and where the range came from.
func (e *OutsideError) Error() string {
	return fmt.Sprintf("VMID %d is outside of the VMID range %s (%s)", e.VMID, e.Boundary.Text, e.Boundary.Origin)
}

// RangeOutsideError says that a range is not within the boundary.
type RangeOutsideError struct {
	Range    vmidrange.Range
	Boundary Boundary
}

// Error names both ranges and where the boundary came from.
func (e *RangeOutsideError) Error() string {
	return fmt.Sprintf("the range %s is not within the VMID range %s (%s)", e.Range, e.Boundary.Text, e.Boundary.Origin)
}

// TemplateInsideError says that a template lies within the boundary.
type TemplateInsideError struct {
	VMID     guest.VMID
	Boundary Boundary
}

// Error names the template, the range and where the range came from.
func (e *TemplateInsideError) Error() string {
	return fmt.Sprintf("template %d is inside of the VMID range %s (%s)", e.VMID, e.Boundary.Text, e.Boundary.Origin)
}

// UnreadableBoundaryError says that the boundary could not be read, so nobody
// is let in.
type UnreadableBoundaryError struct {
	Text   string
	Origin string
	Err    error // of vmidrange.Parse, or ErrNotKnownYet
}

// Error names the value and where it came from.
func (e *UnreadableBoundaryError) Error() string {
	if errors.Is(e.Err, ErrNotKnownYet) {
		return fmt.Sprintf("the VMID range (%s) cannot be read: %v", e.Origin, e.Err)
	}
	return fmt.Sprintf("the VMID range %q (%s) cannot be read: %v", e.Text, e.Origin, e.Err)
}

// Unwrap is the reason.
func (e *UnreadableBoundaryError) Unwrap() error { return e.Err }
