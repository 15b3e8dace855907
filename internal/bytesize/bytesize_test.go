package bytesize_test

import (
	"errors"
	"math"
	"strconv"
	"testing"
	"testing/quick"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
)

const (
	mib = bytesize.MiB
	gib = bytesize.GiB
)

func TestParseRequest(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want bytesize.Size
		err  string
	}{
		"whole GiB":              {text: "8G", want: 8 * gib},
		"the same in MiB":        {text: "8192M", want: 8 * gib},
		"the same with iB":       {text: "8GiB", want: 8 * gib},
		"a fraction of a GiB":    {text: "0.5G", want: 512 * mib},
		"TiB":                    {text: "2T", want: 2048 * gib},
		"KiB that are whole MiB": {text: "4096K", want: 4 * mib},
		"nothing":                {text: "0G", want: 0},
		"a trailing zero":        {text: "1.50G", want: 1536 * mib},

		"a bare number":              {text: "8", err: `the size "8" has no unit, and Proxmox reads a bare number as bytes, KiB or GiB depending on the place: write 8G for GiB or 8M for MiB`},
		"KiB that are not whole MiB": {text: "4100K", err: `the size "4100K" is not a whole number of MiB and Proxmox would cut it to 4M: write 4M or 5M`},
		"a third of a GiB":           {text: "0.333G", err: `the size "0.333G" is not a whole number of MiB and Proxmox would cut it to 340M: write 340M or 341M`},
		"a fraction of a byte":       {text: "0.0001K", err: `the size "0.0001K" is not a whole number of MiB and Proxmox would cut it to 0T: write 0T or 1M`},
		"more than 63 bits":          {text: "9000000T", err: `the size "9000000T" is larger than any disk can be`},
		"far more than 63 bits":      {text: "99999999999999999999999999999999999999999999T", err: `the size "99999999999999999999999999999999999999999999T" is larger than any disk can be`},
		"a small letter":             {text: "8g", err: `"8g" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M`},
		"decimal units":              {text: "8GB", err: `"8GB" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M`},
		"a space":                    {text: "8 G", err: `"8 G" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M`},
		"a sign":                     {text: "+8G", err: `"+8G" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M`},
		"an exponent":                {text: "1e3G", err: `"1e3G" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M`},
		"nothing before the point":   {text: ".5G", err: `".5G" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M`},
		"a line break at the end":    {text: "8G\n", err: `"8G\n" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M`},
		"empty":                      {text: "", err: `"" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := bytesize.ParseRequest(tc.text)
			if text := errorText(err); got != tc.want || text != tc.err {
				t.Errorf("ParseRequest(%q) = %d, %s\nwant %d, %s", tc.text, got, text, tc.want, tc.err)
			}
		})
	}
}

func TestParseStored(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text            string
		smaller, larger bytesize.Size
		bare, bad       bool
	}{
		"GiB":                                {text: "8G", smaller: 8 * gib, larger: 8 * gib},
		"1024 GiB":                           {text: "1024G", smaller: 1024 * gib, larger: 1024 * gib},
		"a fraction":                         {text: "2.5G", smaller: 2560 * mib, larger: 2560 * mib},
		"KiB that are no whole MiB":          {text: "4100K", smaller: 4100 << 10, larger: 4100 << 10},
		"nothing":                            {text: "0T"},
		"a bare number":                      {text: "8589934592", smaller: 8 * gib, larger: 8192 * gib, bare: true},
		"a bare nothing":                     {text: "0", bare: true},
		"a bare fraction":                    {text: "1.9", smaller: 1, larger: 1024, bare: true},
		"a bare number whose KiB do not fit": {text: "9223372036854775807", smaller: math.MaxInt64, larger: math.MaxInt64, bare: true},
		"too large":                          {text: "9223372036854775808", bad: true},
		"a word":                             {text: "big", bad: true},
		"empty":                              {text: "", bad: true},
		"negative":                           {text: "-1G", bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := bytesize.ParseStored(tc.text)
			if (err != nil) != tc.bad {
				t.Fatalf("ParseStored(%q): %v, want error %t", tc.text, err, tc.bad)
			}
			if got.Smaller() != tc.smaller || got.Larger() != tc.larger || got.Bare != tc.bare {
				t.Errorf("ParseStored(%q) = %d to %d, bare %t; want %d to %d, bare %t",
					tc.text, got.Smaller(), got.Larger(), got.Bare, tc.smaller, tc.larger, tc.bare)
			}
		})
	}
}

func TestErrorsAreTyped(t *testing.T) {
	t.Parallel()
	is := map[string]func(error) bool{
		"8":        func(err error) bool { _, ok := errors.AsType[*bytesize.NoUnitError](err); return ok },
		"x":        func(err error) bool { _, ok := errors.AsType[*bytesize.SyntaxError](err); return ok },
		"1K":       func(err error) bool { _, ok := errors.AsType[*bytesize.NotWholeMiBError](err); return ok },
		"9999999T": func(err error) bool { _, ok := errors.AsType[*bytesize.TooLargeError](err); return ok },
	}
	for text, typed := range is {
		if _, err := bytesize.ParseRequest(text); !typed(err) {
			t.Errorf("ParseRequest(%q): %T", text, err)
		}
	}
}

func TestPrints(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		size  bytesize.Size
		text  string
		gib   string
		gibUp int64
	}{
		"nothing":              {size: 0, text: "0T", gib: "0", gibUp: 0},
		"one byte":             {size: 1, text: "1", gib: "0.000000000931322574615478515625", gibUp: 1},
		"half a GiB":           {size: 512 * mib, text: "512M", gib: "0.5", gibUp: 1},
		"one and a half GiB":   {size: 1536 * mib, text: "1536M", gib: "1.5", gibUp: 2},
		"whole GiB":            {size: 8 * gib, text: "8G", gib: "8", gibUp: 8},
		"ten GiB keep a zero":  {size: 10 * gib, text: "10G", gib: "10", gibUp: 10},
		"1024 GiB":             {size: 1024 * gib, text: "1T", gib: "1024", gibUp: 1024},
		"one MiB over":         {size: 8*gib + mib, text: "8193M", gib: "8.0009765625", gibUp: 9},
		"an EFI variable disk": {size: 528 << 10, text: "528K", gib: "0.0005035400390625", gibUp: 1},
		"the largest":          {size: math.MaxInt64, text: "9223372036854775807", gib: "8589934591.999999999068677425384521484375", gibUp: 8589934592},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.size.String(); got != tc.text {
				t.Errorf("String() = %q, want %q", got, tc.text)
			}
			if got := tc.size.GiB(); got != tc.gib {
				t.Errorf("GiB() = %q, want %q", got, tc.gib)
			}
			if got := tc.size.GiBUp(); got != tc.gibUp {
				t.Errorf("GiBUp() = %d, want %d", got, tc.gibUp)
			}
		})
	}
}

// What Proxmox would print is what Proxmox would read.
func TestStoredReadsWhatIsPrinted(t *testing.T) {
	t.Parallel()
	same := func(n int64) bool {
		size := bytesize.Size(n & math.MaxInt64)
		got, err := bytesize.ParseStored(size.String())
		return err == nil && got.Smaller() == size && got.Larger() >= size && got.Bare == (size%bytesize.KiB != 0)
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

// A request in GiB with a fraction comes out of Proxmox's allocation whole:
// int(N*1024) MiB in floating point.
func TestGiBSurvivesFloatingPoint(t *testing.T) {
	t.Parallel()
	same := func(n uint32) bool {
		size := bytesize.Size(n) * mib
		back, err := bytesize.ParseRequest(size.GiB() + "G")
		return err == nil && back == size && bytesize.Size(allocated(t, size.GiB()))*mib == size
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

func allocated(t *testing.T, gib string) int64 {
	t.Helper()
	n, err := strconv.ParseFloat(gib, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int64(n * 1024)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"8G", "8", "0.5G", "1536M", "4100K", "8GiB", "", "9e9", "1.1.1G"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		request, err := bytesize.ParseRequest(s)
		if err == nil && (request < 0 || request%mib != 0) {
			t.Errorf("ParseRequest(%q) = %d", s, request)
		}
		stored, storedErr := bytesize.ParseStored(s)
		if err == nil && (storedErr != nil || stored.Size != request || stored.Bare) {
			t.Errorf("%q is %d as a request and %+v, %v as stored", s, request, stored, storedErr)
		}
		if stored.Smaller() > stored.Larger() || stored.Smaller() < 0 {
			t.Errorf("ParseStored(%q): %d to %d", s, stored.Smaller(), stored.Larger())
		}
	})
}
