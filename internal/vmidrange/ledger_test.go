package vmidrange_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

func ledger(t *testing.T, held map[string]guest.VMID, retired string) vmidrange.Ledger {
	t.Helper()
	set, err := vmidrange.ParseSet(retired)
	if err != nil {
		t.Fatal(err)
	}
	return vmidrange.Ledger{Held: held, Retired: set}
}

func TestAllocate(t *testing.T) {
	t.Parallel()
	type held = map[string]guest.VMID
	ten := vmidrange.Range{Start: 5000, End: 5009}
	for name, tc := range map[string]struct {
		r       vmidrange.Range
		names   []string
		held    held
		retired string
		taken   string

		want        held
		wantRetired string
		err         string
	}{
		"the lowest numbers in alphabetical order":     {r: ten, names: []string{"web", "db"}, want: held{"db": 5000, "web": 5001}},
		"around what is taken and what has retired":    {r: ten, names: []string{"a", "b"}, taken: "5000,5002", retired: "5001,5003", want: held{"a": 5004, "b": 5005}, wantRetired: "5001,5003"},
		"a name keeps its number":                      {r: ten, names: []string{"a", "b"}, held: held{"b": 5000}, want: held{"a": 5001, "b": 5000}},
		"a kept number may be taken, by its own guest": {r: ten, names: []string{"a"}, held: held{"a": 5000}, taken: "5000", want: held{"a": 5000}},
		"a name that goes retires its number":          {r: ten, names: []string{"b"}, held: held{"a": 5000, "b": 5001}, want: held{"b": 5001}, wantRetired: "5000"},
		"a name that comes back gets another number":   {r: ten, names: []string{"a"}, retired: "5000", want: held{"a": 5001}, wantRetired: "5000"},
		"a number of a name that goes is not reused":   {r: ten, names: []string{"b"}, held: held{"a": 5000}, want: held{"b": 5001}, wantRetired: "5000"},
		"a name twice is one name":                     {r: ten, names: []string{"a", "a"}, want: held{"a": 5000}},
		"nobody":                                       {r: ten, want: held{}},
		"the last number":                              {r: ten, names: []string{"a"}, taken: "5000-5008", want: held{"a": 5009}},
		"a range of one number":                        {r: vmidrange.Range{Start: 999999999, End: 999999999}, names: []string{"a"}, want: held{"a": 999999999}},
		"a range that grew at its start":               {r: vmidrange.Range{Start: 4990, End: 5009}, names: []string{"a", "b"}, held: held{"a": 5000}, want: held{"a": 5000, "b": 4990}},
		"a retired number may lie outside":             {r: ten, names: []string{"b"}, held: held{"a": 6000}, want: held{"b": 5000}, wantRetired: "6000"},

		"everything is taken":     {r: ten, names: []string{"a"}, taken: "4000-6000", err: "this range is full, from 5000 to 5009"},
		"one number too few":      {r: ten, names: []string{"a", "b"}, taken: "5000-5008", err: "this range is full, from 5000 to 5009"},
		"everything was given":    {r: ten, names: []string{"a"}, retired: "5000-5009", err: "this range is full, from 5000 to 5009"},
		"a number is left out":    {r: ten, names: []string{"a"}, held: held{"a": 5010}, err: `the range 5000-5009 would leave out 5010 (reserved for "a")`},
		"two numbers at each end": {r: ten, names: []string{"a", "b", "c"}, held: held{"a": 5010, "b": 4999, "c": 5000}, err: `the range 5000-5009 would leave out 4999 (reserved for "b"), 5010 (reserved for "a")`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := ledger(t, tc.held, tc.retired)
			got, err := vmidrange.Allocate(tc.r, tc.names, before, ledger(t, nil, tc.taken).Retired)
			if text(err) != tc.err {
				t.Fatalf("error %q, want %q", text(err), tc.err)
			}
			if err != nil {
				if !maps.Equal(got.Held, tc.held) || got.Retired.String() != tc.retired {
					t.Errorf("an error changed the ledger: %v", got)
				}
				return
			}
			if !maps.Equal(got.Held, tc.want) || got.Retired.String() != tc.wantRetired {
				t.Errorf("got %v, retired %q", got.Held, got.Retired)
			}
		})
	}
}

func TestAFullRangeNamesWhoGotNone(t *testing.T) {
	t.Parallel()
	_, err := vmidrange.Allocate(vmidrange.Range{Start: 5000, End: 5001}, []string{"d", "c", "b", "a"}, vmidrange.Ledger{}, vmidrange.Set{})
	full, ok := errors.AsType[*vmidrange.FullError](err)
	if !ok || !slices.Equal(full.Names, []string{"c", "d"}) || full.Range.Start != 5000 || full.Range.End != 5001 {
		t.Errorf("got %#v", err)
	}
}

// history replays random changes of the names, of the range and of what the
// cluster holds, and compares with a plain model of "ever given".
func history(rng *rand.Rand) error {
	r := vmidrange.Range{Start: 5000, End: 5000 + guest.VMID(rng.IntN(40))}
	state := vmidrange.Ledger{}
	ever := map[guest.VMID]string{}
	for range 1 + rng.IntN(12) {
		if rng.IntN(4) == 0 {
			r.End += guest.VMID(rng.IntN(10))
		}
		if rng.IntN(8) == 0 {
			r.Start -= guest.VMID(rng.IntN(10))
		}
		var names []string
		for i := range 12 {
			if rng.IntN(2) == 0 {
				names = append(names, fmt.Sprint("n", i))
			}
		}
		var ids []guest.VMID
		for range rng.IntN(20) {
			ids = append(ids, r.Start-3+guest.VMID(rng.IntN(r.Len()+6)))
		}
		taken := vmidrange.SetOf(ids...)
		next, err := vmidrange.Allocate(r, names, state, taken)
		if err != nil {
			if err := checkFull(err, r, names, state, taken, ever); err != nil {
				return err
			}
			continue
		}
		if err := checkStep(r, names, state, next, taken, ever); err != nil {
			return err
		}
		state = next
	}
	return nil
}

func checkStep(r vmidrange.Range, names []string, before, after vmidrange.Ledger, taken vmidrange.Set, ever map[guest.VMID]string) error {
	if len(after.Held) != len(names) {
		return fmt.Errorf("%d names hold %d numbers", len(names), len(after.Held))
	}
	var given []guest.VMID
	for name, id := range after.Held {
		if was, kept := before.Held[name]; kept {
			if was != id {
				return fmt.Errorf("%s held %d and holds %d", name, was, id)
			}
			continue
		}
		switch {
		case !r.Contains(id):
			return fmt.Errorf("%d is outside %v", id, r)
		case ever[id] != "":
			return fmt.Errorf("%d was given to %s before", id, ever[id])
		case taken.Contains(id):
			return fmt.Errorf("%d is taken", id)
		}
		ever[id] = name
		given = append(given, id)
	}
	slices.Sort(given)
	if len(given) > 0 { // the lowest allowed: everything below the highest new number is in use or was given
		for id := r.Start; id <= given[len(given)-1]; id++ {
			if ever[id] == "" && !taken.Contains(id) {
				return fmt.Errorf("%d was allowed, given were %v", id, given)
			}
		}
	}
	for id, name := range ever {
		if after.Held[name] != id && !after.Retired.Contains(id) {
			return fmt.Errorf("%d of %s is neither held nor retired", id, name)
		}
	}
	return nil
}

func checkFull(err error, r vmidrange.Range, names []string, before vmidrange.Ledger, taken vmidrange.Set, ever map[guest.VMID]string) error {
	if _, full := errors.AsType[*vmidrange.FullError](err); !full {
		return fmt.Errorf("a range that only grows fails with %w", err)
	}
	allowed, wanted := 0, 0
	for id := r.Start; id <= r.End; id++ {
		if ever[id] == "" && !taken.Contains(id) {
			allowed++
		}
	}
	for _, name := range names {
		if _, kept := before.Held[name]; !kept {
			wanted++
		}
	}
	if wanted <= allowed {
		return fmt.Errorf("full, though %d numbers are allowed for %d names", allowed, wanted)
	}
	return nil
}

func TestRandomHistoriesNeverReuseANumber(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10_000) {
		if err := history(rand.New(rand.NewPCG(seed, 5))); err != nil {
			t.Fatalf("history %d: %v", seed, err)
		}
	}
}

func TestAllocationDoesNotDependOnTheOrderOfNames(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b", "c", "d", "e", "f", "g"}
	r := vmidrange.Range{Start: 5000, End: 5100}
	want, _ := vmidrange.Allocate(r, names, vmidrange.Ledger{}, vmidrange.SetOf(5002))
	for range 100 {
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		got, _ := vmidrange.Allocate(r, names, vmidrange.Ledger{}, vmidrange.SetOf(5002))
		if !maps.Equal(got.Held, want.Held) {
			t.Fatalf("%v gives %v, want %v", names, got.Held, want.Held)
		}
	}
}

// crowded is a range of 4,000 numbers of which 3,800 are taken, at random.
func crowded() (vmidrange.Range, []guest.VMID, []string) {
	r := vmidrange.Range{Start: 5000, End: 8999}
	var taken []guest.VMID
	for _, i := range rand.New(rand.NewPCG(3, 4)).Perm(r.Len())[:3800] {
		taken = append(taken, r.Start+guest.VMID(i))
	}
	names := make([]string, 100)
	for i := range names {
		names[i] = fmt.Sprintf("guest-%03d", i)
	}
	return r, taken, names
}

// BenchmarkAllocate reports, beside its own time, the ratio to a floor of the
// same run: one walk over a ready table of the 4,000 numbers.
func BenchmarkAllocate(b *testing.B) {
	r, taken, names := crowded()
	table := make([]bool, r.Len())
	for _, id := range taken {
		table[id-r.Start] = true
	}
	for b.Loop() {
		set := vmidrange.SetOf(taken...)
		if _, err := vmidrange.Allocate(r, names, vmidrange.Ledger{}, set); err != nil {
			b.Fatal(err)
		}
	}
	own := b.Elapsed() / time.Duration(b.N)

	start := time.Now()
	sum := 0
	for range 10_000 {
		held := make(map[string]guest.VMID, len(names))
		next := 0
		for _, name := range names {
			for table[next] {
				next++
			}
			held[name] = r.Start + guest.VMID(next)
			next++
		}
		sum += len(held)
	}
	floor := time.Since(start) / 10_000
	if sum != 100*10_000 {
		b.Fatal("the floor allocated nothing")
	}
	b.ReportMetric(float64(own)/float64(floor), "x-floor")
}
