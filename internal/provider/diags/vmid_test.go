package diags_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

func TestRefusalsOfNumbers(t *testing.T) {
	t.Parallel()
	const origin = "from the provider's vmid_range"
	within := meta.NewBoundary("5000-8999", origin)
	ten := vmidrange.Range{Start: 5000, End: 5009}
	failed := func(err error) diag.Diagnostic { return diags.Failed("Summary", err, diags.Nothing) }
	for name, tc := range map[string]struct {
		got             diag.Diagnostic
		summary, detail string
	}{
		"a guest outside": {failed(within.Check(9000)), "Summary",
			"VMID 9000 is outside of the VMID range 5000-8999 (from the provider's vmid_range): what is outside is not touched and not read. Nothing has been changed.\n\n" +
				"Use a number within the range, or change the range if this guest is meant to be managed here."},
		"a range that is one number": {failed(meta.NewBoundary("5000", origin).Check(5000)), "Summary",
			`The VMID range "5000" (from the provider's vmid_range) cannot be read, and a boundary that cannot be read lets nobody in: "5000" is not a VMID range: write the first and the last VMID, for example 5000-8999. Nothing has been changed.` + "\n\n" +
				"Write it as START-END, for example 5000-8999."},
		"a range in reverse": {failed(meta.NewBoundary("9000-5000", origin).Check(5000)), "Summary",
			`The VMID range "9000-5000" (from the provider's vmid_range) cannot be read, and a boundary that cannot be read lets nobody in: the range ends at 5000, before it starts at 9000. Nothing has been changed.` + "\n\n" +
				"Write it as START-END, for example 5000-8999."},
		"a word from the environment": {failed(meta.NewBoundary("abc", "from the environment variable PROXMOX_VE_VMID_RANGE").Check(5000)), "Summary",
			`The VMID range "abc" (from the environment variable PROXMOX_VE_VMID_RANGE) cannot be read, and a boundary that cannot be read lets nobody in: "abc" is not a VMID range: write the first and the last VMID, for example 5000-8999. Nothing has been changed.` + "\n\n" +
				"Write it as START-END, for example 5000-8999."},
		"an empty range": {failed(meta.NewBoundary("", origin).Check(5000)), "Summary",
			`The VMID range "" (from the provider's vmid_range) cannot be read, and a boundary that cannot be read lets nobody in: an empty text is not a VMID range: write the first and the last VMID, for example 5000-8999. Nothing has been changed.` + "\n\n" +
				"Write it as START-END, for example 5000-8999."},
		"a range out of bounds": {failed(meta.NewBoundary("99-200", origin).Check(150)), "Summary",
			`The VMID range "99-200" (from the provider's vmid_range) cannot be read, and a boundary that cannot be read lets nobody in: 99 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros. Nothing has been changed.` + "\n\n" +
				"Write it as START-END, for example 5000-8999."},
		"a range that is not known": {failed(meta.UnknownBoundary(origin).Check(5000)), "Summary",
			"The VMID range (from the provider's vmid_range) is not known before apply, and a boundary that cannot be read lets nobody in. Nothing has been changed.\n\n" +
				"Give the range as a literal or a variable, or create first what it depends on, with -target."},
		"a template inside": {failed(within.CheckTemplate(5000)), "Summary",
			"Template 5000 is inside of the VMID range 5000-8999 (from the provider's vmid_range), where numbers are given to guests and guests are destroyed. Nothing has been changed.\n\n" +
				"A template lives outside of the range: clone it under a number outside, make that clone the template, and use its number here."},
		"a range outside of the boundary": {failed(within.CheckRange(vmidrange.Range{Start: 8000, End: 9000})), "Summary",
			"The range 8000-9000 is not within the VMID range 5000-8999 (from the provider's vmid_range): numbers outside of it are not ours to give. Nothing has been changed.\n\n" +
				"Choose a start and an end within it, or change the provider's range."},
		"no number for a guest": {failed(meta.ErrNoBoundary), "Summary",
			"The guest has no vmid, and the provider has no vmid_range to take one from. Nothing has been changed.\n\n" +
				`Set vmid, or set vmid_range in the provider block, for example "5000-8999": then the lowest free number is taken.`},
		"a full boundary": {failed(&vmidrange.FullError{Range: within.Range}), "Summary",
			"Every VMID from 5000 to 8999 is held by a guest, by volumes or backups that a guest left, or by a running task, or was given out before. Nothing has been changed.\n\n" +
				"Make the range larger, or remove what is left of guests that are gone."},
		"too many collisions": {failed(&meta.CollisionError{Range: within.Range, Tried: []guest.VMID{5000, 5001}, Err: pve.ErrExists}), "Summary",
			"2 numbers of the range 5000-8999 in a row turned out to be taken, the last was 5001: somebody else creates guests in this range at the moment, or guests are there that this user may not see. Nothing has been changed.\n\n" +
				"Apply again when the other is done, set vmid, or give the user VM.Audit on /vms.\n\n" +
				"The error was: it already exists"},
		"a range that ends first": {diags.NoRange(path.Root("end"), &vmidrange.ReversedError{Start: 5009, End: 5000}),
			"The range ends at 5000, before it starts at 5009", "A range goes from start to end, both included. Nothing has been changed."},
		"a full range": {diags.RangeFull(path.Root("reserve"), &vmidrange.FullError{Range: ten, Names: []string{"a", "b"}}, vmidrange.SetOf(4000, 5000, 5001), vmidrange.SetOf(5001, 5002, 5003, 5004, 5005, 5006, 5007, 5008, 5009, 6000)),
			"This range is full, from 5000 to 5009",
			`No number is left for "a" and "b": 10 of 10 are in use on the cluster or were given out before, and a number that was given once is never given again. Nothing has been changed.` + "\n\n" +
				"Raise end or lower start; either is done in place."},
		"more names than numbers": {diags.RangeTooSmall(path.Root("reserve"), vmidrange.Range{Start: 5000, End: 5000}, 7),
			"This range is full, from 5000 to 5000",
			"It has 1 number for 7 names. Nothing has been changed.\n\n" +
				"Raise end or lower start; either is done in place."},
		"a range that is full for many": {diags.RangeFull(path.Root("reserve"), &vmidrange.FullError{Range: vmidrange.Range{Start: 5000, End: 5000}, Names: []string{"b", "c", "d", "e", "f", "g", "h"}}, vmidrange.SetOf(5000), vmidrange.Set{}),
			"This range is full, from 5000 to 5000",
			`No number is left for "b", "c", "d", "e", "f" and 2 others: 1 of 1 are in use on the cluster or were given out before, and a number that was given once is never given again. Nothing has been changed.` + "\n\n" +
				"Raise end or lower start; either is done in place."},
		"a range that shrinks below a number": {diags.RangeLeavesOut(path.Root("end"), &vmidrange.LeftOutError{Range: ten, Lost: []vmidrange.Reservation{{Name: "web", VMID: 5012}}}),
			`The range 5000-5009 would leave out 5012 (reserved for "web")`,
			"A number stays with its name for as long as the name is reserved. Nothing has been changed.\n\n" +
				"Keep the range, or remove the names from reserve first: their numbers retire then."},
		"two ranges that overlap": {diags.RangesOverlap(path.Root("start"), &meta.OverlapError{Range: ten, Other: meta.PlannedRange{Range: vmidrange.Range{Start: 5005, End: 5999}, Names: []string{"db"}}}),
			"The range 5000-5009 overlaps the range 5005-5999 of the same configuration",
			`Both would give out the same numbers; that one reserves for "db". Nothing has been changed.` + "\n\nSeparate the two ranges."},
		"a range with a template": {diags.TemplateInRange(path.Root("start"), ten, 5003, `template "debian" on node pve1`),
			"The range 5000-5009 contains a template: VMID 5003",
			`VMID 5003 is template "debian" on node pve1. A template lives outside of every range, so that nothing which works on a range can meet it. Nothing has been changed.` + "\n\n" +
				"Choose a range without it, or clone the template under a number outside and use that clone as the template."},
		"a number that was taken": {diags.NumberTaken(path.Root("reserve"), vmidrange.Reservation{Name: "web", VMID: 5001}, `container "x" on node pve2`),
			`VMID 5001 was planned for "web" and is taken now`,
			`It is held by container "x" on node pve2 since the plan was made. Nothing has been changed.` + "\n\n" + `Plan again: "web" gets another number.`},
		"a number that somebody unseen took": {diags.NumberTaken(path.Root("reserve"), vmidrange.Reservation{Name: "web", VMID: 5001}, ""),
			`VMID 5001 was planned for "web" and is taken now`,
			`It is held by a guest that this user may not see since the plan was made. Nothing has been changed.` + "\n\n" + `Plan again: "web" gets another number.`},
		"a ledger that goes": {diags.LedgerLost(ten, vmidrange.SetOf(5000, 5001, 5007)),
			"The range 5000-5009 forgets the 3 numbers that it gave out",
			"VMIDs 5000-5001,5007 could be given again by a new range over the same numbers, once nothing on the cluster holds them. Guests that have them are not touched.\n\n" +
				"Keep the resource, with an empty reserve, to keep the numbers out of use."},
		"storages that cannot be seen": {diags.StoragesUnseen(ten, []string{"lvm on pve3", "nfs on pve1"}),
			"Numbers of the range 5000-5009 may be in use where nobody can look",
			"These storages are not available now: lvm on pve3, nfs on pve1. A number that only volumes or backups on them hold counts as free, unless it was seen before.\n\n" +
				"Bring them back, or disable them in the cluster if they are gone for good."},
		"a range that is made anew": {diags.RangeReplaced("5000-5009"), "The range 5000-5009 cannot be replaced",
			"A range that is made anew has forgotten which numbers it gave out, and every guest that takes its number from it would be reinstalled under another one. Nothing has been changed.\n\n" +
				"Change start, end and reserve: each is changed in place. To give one guest another number, reserve another name."},
		"a range that is not known before apply": {diags.RangeUnknown("5000-5009"), "The numbers of the range 5000-5009 would not be known before apply",
			"Its start, end or names depend on something that does not exist yet. The numbers that it gave out would look unknown, and the guests that have them would be planned for a reinstall. Nothing has been changed.\n\n" +
				"Use names that are known in the plan, or create first what they depend on, with -target."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.got.Summary(); got != tc.summary {
				t.Errorf("summary\n%s\nwant\n%s", got, tc.summary)
			}
			if got := tc.got.Detail(); got != tc.detail {
				t.Errorf("detail\n%s\nwant\n%s", got, tc.detail)
			}
		})
	}
}
