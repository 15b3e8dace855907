package vmidrange

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

const howToWrite = "write the first and the last VMID, for example 5000-8999"

// An EmptyError says that a range was given and has no text.
type EmptyError struct{}

// Error says that no text is no range.
func (*EmptyError) Error() string { return "an empty text is not a VMID range: " + howToWrite }

// A SyntaxError says that a text is not a range.
type SyntaxError struct {
	Text string
}

// Error names the text and how a range is written.
func (e *SyntaxError) Error() string {
	return strconv.Quote(e.Text) + " is not a VMID range: " + howToWrite
}

// A SetSyntaxError says that a text is not a set of VMIDs.
type SetSyntaxError struct {
	Text string // the whole text
	Part string // what is wrong in it
}

// Error names the part and how a set is written.
func (e *SetSyntaxError) Error() string {
	return fmt.Sprintf("%q in %q is neither a VMID nor a range of them: write for example 5000-5003,5007", e.Part, e.Text)
}

// A BoundsError says that a range begins or ends where there are no VMIDs.
type BoundsError struct {
	Text string // the number
}

// Error names the number and the bounds of every VMID.
func (e *BoundsError) Error() string {
	return fmt.Sprintf("%s is not a VMID: VMIDs go from %d to %d, without leading zeros", e.Text, guest.MinVMID, guest.MaxVMID)
}

// A ReversedError says that a range ends before it starts.
type ReversedError struct {
	Start, End guest.VMID
}

// Error names both ends.
func (e *ReversedError) Error() string {
	return fmt.Sprintf("the range ends at %d, before it starts at %d", e.End, e.Start)
}

// A FullError says that a range has no number left.
type FullError struct {
	Range Range
	Names []string // who got none, sorted; empty when nobody was named
}

// Error names the start and the end of the range.
func (e *FullError) Error() string {
	return fmt.Sprintf("this range is full, from %d to %d", e.Range.Start, e.Range.End)
}

// A LeftOutError says that a range would no longer contain numbers that it has
// given to names which it still holds.
type LeftOutError struct {
	Range Range
	Lost  []Reservation // sorted by number
}

// Error names the range and every number with its name.
func (e *LeftOutError) Error() string {
	lost := make([]string, len(e.Lost))
	for i, r := range e.Lost {
		lost[i] = r.String()
	}
	return fmt.Sprintf("the range %s would leave out %s", e.Range, strings.Join(lost, ", "))
}

// A Reservation is a number and the name that it is held for.
type Reservation struct {
	Name string
	VMID guest.VMID
}

// String reads `5012 (reserved for "web")`.
func (r Reservation) String() string { return fmt.Sprintf("%d (reserved for %q)", r.VMID, r.Name) }
