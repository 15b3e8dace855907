// Package bytesize reads and prints sizes of disks as Proxmox does.
//
// It decides what a size means where it stands: in a user's configuration a
// unit is required; in a guest's own configuration a bare number occurs and
// has two readings that differ by 1024. It knows neither storages nor which
// disk a size belongs to.
package bytesize

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Size is a number of bytes, never negative when it came from a parser.
type Size int64

// Units, all of them powers of 1024.
const (
	KiB Size = 1 << (10 * (iota + 1))
	MiB
	GiB
	TiB
)

var units = map[string]Size{"K": KiB, "M": MiB, "G": GiB, "T": TiB}

// Source: PVE::JSONSchema parse_size. The suffix iB is known since 2025-07.
var syntax = regexp.MustCompile(`^([0-9]+)(\.[0-9]+)?(?:([KMGT])(?:iB)?)?$`)

// String is Proxmox's own print: the largest unit that divides the size
// exactly, bytes without a unit when none does, and "0T" for nothing.
// Source: PVE::JSONSchema format_size.
func (s Size) String() string {
	for _, u := range []string{"T", "G", "M", "K"} {
		if s%units[u] == 0 {
			return strconv.FormatInt(int64(s/units[u]), 10) + u
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// GiBUp is the size in whole GiB, rounded up, for people: a disk never looks
// smaller than it is.
func (s Size) GiBUp() int64 {
	n := int64(s / GiB)
	if s%GiB > 0 {
		n++
	}
	return n
}

// GiB is the size in GiB as a plain decimal, exact, for "STORE:N" where N is
// in GiB and may have a fraction. Every whole MiB has at most ten digits after
// the point.
func (s Size) GiB() string {
	text := big.NewRat(int64(s), int64(GiB)).FloatString(30)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// ParseRequest reads a size of a user's configuration, for example "8G",
// "512M", "8GiB" or "0.5G". The unit is required and the size must be whole
// MiB, because Proxmox cuts the rest off when it allocates. The error is a
// *SyntaxError, *NoUnitError, *NotWholeMiBError or *TooLargeError.
func ParseRequest(text string) (Size, error) {
	exact, unit, err := parse(text)
	if err != nil {
		return 0, err
	}
	if unit == "" {
		return 0, &NoUnitError{Text: text}
	}
	size, err := truncate(text, exact)
	if err != nil {
		return 0, err
	}
	if !exact.IsInt() || size%MiB != 0 {
		return 0, &NotWholeMiBError{Text: text, Down: size / MiB * MiB}
	}
	return size, nil
}

// Stored is a size as a guest's configuration records it.
type Stored struct {
	// Size is the number as Proxmox's own parser reads it.
	Size Size
	// Bare says that the number had no unit: Proxmox reads bytes, operators
	// read KiB, and no decision may hang on it alone.
	Bare bool
}

// ParseStored reads the value of "size=" in a guest's configuration. A
// fraction of a byte is cut off, as Proxmox does. The error is a *SyntaxError
// or *TooLargeError.
func ParseStored(text string) (Stored, error) {
	exact, unit, err := parse(text)
	if err != nil {
		return Stored{}, err
	}
	size, err := truncate(text, exact)
	if err != nil {
		return Stored{}, err
	}
	return Stored{Size: size, Bare: unit == ""}, nil
}

// Larger is the larger reading: what the disk may already hold. A bare number
// counts as KiB, and stops at the largest Size instead of overflowing.
func (s Stored) Larger() Size {
	if !s.Bare {
		return s.Size
	}
	if s.Size > math.MaxInt64/KiB {
		return math.MaxInt64
	}
	return s.Size * KiB
}

// Smaller is the smaller reading: the least that the number can mean.
func (s Stored) Smaller() Size { return s.Size }

// parse splits text into its exact number of bytes and its unit.
func parse(text string) (*big.Rat, string, error) {
	m := syntax.FindStringSubmatch(text)
	if m == nil {
		return nil, "", &SyntaxError{Text: text}
	}
	if len(text) > 40 { // Keeps the arithmetic small; no size is that long.
		return nil, "", &TooLargeError{Text: text}
	}
	exact, ok := new(big.Rat).SetString(m[1] + m[2])
	if !ok {
		return nil, "", &SyntaxError{Text: text}
	}
	if u, ok := units[m[3]]; ok {
		exact.Mul(exact, new(big.Rat).SetInt64(int64(u)))
	}
	return exact, m[3], nil
}

func truncate(text string, exact *big.Rat) (Size, error) {
	n := new(big.Int).Quo(exact.Num(), exact.Denom())
	if !n.IsInt64() {
		return 0, &TooLargeError{Text: text}
	}
	return Size(n.Int64()), nil
}
