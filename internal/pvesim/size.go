package pvesim

import (
	"regexp"
	"strconv"
)

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
	gib = int64(1) << 30
	tib = int64(1) << 40
)

var sizeFormat = regexp.MustCompile(`^(\d+(\.\d+)?)([KMGT])?(iB)?$`)

// parseSize reads a size, 0 if it is none; a bare number is bytes. Source: PVE::JSONSchema parse_size.
func parseSize(text string) int64 {
	m := sizeFormat.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	unit := map[string]int64{"": 1, "K": kib, "M": mib, "G": gib, "T": tib}[m[3]]
	return int64(n * float64(unit))
}

// formatSize prints a size in the largest unit that divides it.
// Source: PVE::JSONSchema format_size.
func formatSize(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{tib, "T"}, {gib, "G"}, {mib, "M"}, {kib, "K"}} {
		if n%u.size == 0 {
			return strconv.FormatInt(n/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}
