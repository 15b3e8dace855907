package vmidrange_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want vmidrange.Range
		err  string
	}{
		"an ordinary range":   {"5000-8999", vmidrange.Range{Start: 5000, End: 8999}, ""},
		"a single number":     {"5000-5000", vmidrange.Range{Start: 5000, End: 5000}, ""},
		"every VMID":          {"100-999999999", vmidrange.Range{Start: 100, End: 999999999}, ""},
		"an empty text":       {"", vmidrange.Range{}, `an empty text is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"one number":          {"5000", vmidrange.Range{}, `"5000" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"no end":              {"5000-", vmidrange.Range{}, `"5000-" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"no start":            {"-8999", vmidrange.Range{}, `"-8999" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"a word":              {"abc", vmidrange.Range{}, `"abc" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"words":               {"abc-def", vmidrange.Range{}, `"abc-def" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"three numbers":       {"5000-6000-7000", vmidrange.Range{}, `"5000-6000-7000" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"a list":              {"5000-6000,7000-8000", vmidrange.Range{}, `"5000-6000,7000-8000" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"white space":         {"5000 - 8999", vmidrange.Range{}, `"5000 - 8999" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"a line feed":         {"5000-8999\n", vmidrange.Range{}, `"5000-8999\n" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"another dash":        {"5000–8999", vmidrange.Range{}, `"5000–8999" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"signs":               {"+5000-+8999", vmidrange.Range{}, `"+5000-+8999" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"ends first":          {"9000-5000", vmidrange.Range{}, `the range ends at 5000, before it starts at 9000`},
		"below every VMID":    {"99-8999", vmidrange.Range{}, `99 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros`},
		"above every VMID":    {"5000-1000000000", vmidrange.Range{}, `1000000000 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros`},
		"a leading zero":      {"05000-8999", vmidrange.Range{}, `05000 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros`},
		"more than 64 bits":   {"5000-99999999999999999999", vmidrange.Range{}, `99999999999999999999 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros`},
		"nothing but a zero":  {"0-0", vmidrange.Range{}, `0 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros`},
		"digits of elsewhere": {"٥٠٠٠-٨٩٩٩", vmidrange.Range{}, `"٥٠٠٠-٨٩٩٩" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := vmidrange.Parse(tc.text)
			if got != tc.want || text(err) != tc.err {
				t.Errorf("Parse(%q) = %v, %q\nwant %v, %q", tc.text, got, text(err), tc.want, tc.err)
			}
			if err == nil && got.String() != tc.text {
				t.Errorf("prints as %q", got)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestErrorsCarryTheFacts(t *testing.T) {
	t.Parallel()
	_, err := vmidrange.Parse("")
	if _, ok := errors.AsType[*vmidrange.EmptyError](err); !ok {
		t.Errorf("empty: %T", err)
	}
	_, err = vmidrange.Parse("abc")
	if e, ok := errors.AsType[*vmidrange.SyntaxError](err); !ok || e.Text != "abc" {
		t.Errorf("syntax: %#v", err)
	}
	_, err = vmidrange.Parse("5000-1000000000")
	if e, ok := errors.AsType[*vmidrange.BoundsError](err); !ok || e.Text != "1000000000" {
		t.Errorf("bounds: %#v", err)
	}
	_, err = vmidrange.New(9000, 5000)
	if e, ok := errors.AsType[*vmidrange.ReversedError](err); !ok || e.Start != 9000 || e.End != 5000 {
		t.Errorf("reversed: %#v", err)
	}
	_, err = vmidrange.ParseSet("5000,x")
	if e, ok := errors.AsType[*vmidrange.SetSyntaxError](err); !ok || e.Part != "x" || e.Text != "5000,x" {
		t.Errorf("set: %#v", err)
	}
}

func TestRangesMeet(t *testing.T) {
	t.Parallel()
	r := vmidrange.Range{Start: 5000, End: 5009}
	for name, tc := range map[string]struct {
		other            vmidrange.Range
		overlaps, covers bool
	}{
		"itself":                 {r, true, true},
		"a part":                 {vmidrange.Range{Start: 5003, End: 5004}, true, true},
		"more on both sides":     {vmidrange.Range{Start: 4000, End: 6000}, true, false},
		"one number at the end":  {vmidrange.Range{Start: 5009, End: 6000}, true, false},
		"right after":            {vmidrange.Range{Start: 5010, End: 6000}, false, false},
		"one number before":      {vmidrange.Range{Start: 4000, End: 5000}, true, false},
		"right before":           {vmidrange.Range{Start: 4000, End: 4999}, false, false},
		"a range without number": {vmidrange.Range{}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r.Overlaps(tc.other) != tc.overlaps || tc.other.Overlaps(r) != tc.overlaps || r.Covers(tc.other) != tc.covers {
				t.Errorf("%v and %v: overlaps %t and %t, covers %t", r, tc.other, r.Overlaps(tc.other), tc.other.Overlaps(r), r.Covers(tc.other))
			}
		})
	}
	if (vmidrange.Range{}).Contains(0) || (vmidrange.Range{}).Len() != 0 {
		t.Error("the zero range contains a number")
	}
}

func TestSetText(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text, canonical, err string
		len                  int
	}{
		"nothing":                {"", "", "", 0},
		"one number":             {"5007", "5007", "", 1},
		"runs and numbers":       {"5000-5003,5007", "5000-5003,5007", "", 5},
		"two in a row":           {"5000,5001", "5000-5001", "", 2},
		"any order":              {"5007,5000-5003", "5000-5003,5007", "", 5},
		"overlaps":               {"5000-5003,5002-5005,5003", "5000-5005", "", 6},
		"runs that touch":        {"5000-5003,5004-5005", "5000-5005", "", 6},
		"a trailing comma":       {"5000,", "", `"" in "5000," is neither a VMID nor a range of them: write for example 5000-5003,5007`, 0},
		"white space":            {"5000, 5002", "", `" 5002" in "5000, 5002" is neither a VMID nor a range of them: write for example 5000-5003,5007`, 0},
		"a run without end":      {"5000-", "", `"5000-" in "5000-" is neither a VMID nor a range of them: write for example 5000-5003,5007`, 0},
		"a run in reverse":       {"5003-5000", "", `the range ends at 5000, before it starts at 5003`, 0},
		"a number out of bounds": {"5000,99", "", `99 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := vmidrange.ParseSet(tc.text)
			if set.String() != tc.canonical || text(err) != tc.err || set.Len() != tc.len {
				t.Errorf("ParseSet(%q) = %q of %d, %q", tc.text, set, set.Len(), text(err))
			}
		})
	}
}

func TestSets(t *testing.T) {
	t.Parallel()
	set := vmidrange.SetOf(5007, 5001, 5000, 5003, 5002, 5001)
	if got := set.String(); got != "5000-5003,5007" {
		t.Fatalf("SetOf prints %q", got)
	}
	for id, want := range map[guest.VMID]bool{4999: false, 5000: true, 5003: true, 5004: false, 5006: false, 5007: true, 5008: false} {
		if set.Contains(id) != want {
			t.Errorf("Contains(%d) = %t", id, !want)
		}
	}
	union := set.Union(vmidrange.SetOf(5004, 9000), vmidrange.SetOf(5005))
	if union.String() != "5000-5005,5007,9000" || set.String() != "5000-5003,5007" {
		t.Errorf("union %q, and the set itself became %q", union, set)
	}
	r := vmidrange.Range{Start: 5002, End: 5007}
	if got := union.Within(r).String(); got != "5002-5005,5007" {
		t.Errorf("Within = %q", got)
	}
	if got := slices.Collect(set.All()); !slices.Equal(got, []guest.VMID{5000, 5001, 5002, 5003, 5007}) {
		t.Errorf("All = %v", got)
	}
	if got := slices.Collect(r.Free(set)); !slices.Equal(got, []guest.VMID{5004, 5005, 5006}) {
		t.Errorf("Free = %v", got)
	}
	for range set.All() {
		break // a consumer that stops early
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"5000-8999", "", "5000", "9000-5000", "99-100", "5000-5003,5007", "5000,5001", "-", ",", "100-999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := vmidrange.Parse(s); err == nil {
			if r.String() != s || !r.Start.Valid() || !r.End.Valid() || r.Len() < 1 {
				t.Errorf("Parse(%q) = %v", s, r)
			}
		} else if r != (vmidrange.Range{}) {
			t.Errorf("Parse(%q) fails and returns %v", s, r)
		}
		set, err := vmidrange.ParseSet(s)
		if err != nil {
			return
		}
		again, err := vmidrange.ParseSet(set.String())
		if err != nil || again.String() != set.String() || again.Len() != set.Len() {
			t.Errorf("ParseSet(%q) prints %q, which reads as %q, %v", s, set, again, err)
		}
	})
}
