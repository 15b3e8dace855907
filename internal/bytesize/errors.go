package bytesize

import "fmt"

// A SyntaxError says that a text is not a size.
type SyntaxError struct {
	Text string
}

// Error names the text and how a size is written.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%q is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M", e.Text)
}

// A NoUnitError says that a size of a user's configuration has no unit.
type NoUnitError struct {
	Text string
}

// Error says why a bare number is refused and offers what was probably meant.
func (e *NoUnitError) Error() string {
	return fmt.Sprintf("the size %q has no unit, and Proxmox reads a bare number as bytes, KiB or GiB depending on the place: write %sG for GiB or %sM for MiB", e.Text, e.Text, e.Text)
}

// A NotWholeMiBError says that Proxmox would allocate less than was asked for.
type NotWholeMiBError struct {
	Text string
	Down Size // what Proxmox would make of it
}

// Error names the sizes that are possible on both sides.
func (e *NotWholeMiBError) Error() string {
	return fmt.Sprintf("the size %q is not a whole number of MiB and Proxmox would cut it to %s: write %s or %s", e.Text, e.Down, e.Down, e.Down+MiB)
}

// A TooLargeError says that a size does not fit into 63 bits of bytes.
type TooLargeError struct {
	Text string
}

// Error names the text.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the size %q is larger than any disk can be", e.Text)
}
