package meta_test

import (
	"errors"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

const fromProvider = "from the provider's vmid_range"

func TestBoundaryChecksGuests(t *testing.T) {
	t.Parallel()
	within := meta.NewBoundary("5000-8999", fromProvider)
	for name, tc := range map[string]struct {
		boundary meta.Boundary
		id       guest.VMID
		err      string
	}{
		"no boundary lets everybody in": {meta.Boundary{}, 100, ""},
		"the first number":              {within, 5000, ""},
		"the last number":               {within, 8999, ""},
		"right before":                  {within, 4999, `VMID 4999 is outside of the VMID range 5000-8999 (from the provider's vmid_range)`},
		"right after":                   {within, 9000, `VMID 9000 is outside of the VMID range 5000-8999 (from the provider's vmid_range)`},
		"one number is no range":        {meta.NewBoundary("5000", fromProvider), 5000, `the VMID range "5000" (from the provider's vmid_range) cannot be read: "5000" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"in reverse":                    {meta.NewBoundary("9000-5000", fromProvider), 6000, `the VMID range "9000-5000" (from the provider's vmid_range) cannot be read: the range ends at 5000, before it starts at 9000`},
		"a word":                        {meta.NewBoundary("abc", fromProvider), 5000, `the VMID range "abc" (from the provider's vmid_range) cannot be read: "abc" is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"an empty text":                 {meta.NewBoundary("", "from the environment variable PROXMOX_VE_VMID_RANGE"), 5000, `the VMID range "" (from the environment variable PROXMOX_VE_VMID_RANGE) cannot be read: an empty text is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"too low":                       {meta.NewBoundary("99-8999", fromProvider), 5000, `the VMID range "99-8999" (from the provider's vmid_range) cannot be read: 99 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros`},
		"too high":                      {meta.NewBoundary("5000-1000000000", fromProvider), 5000, `the VMID range "5000-1000000000" (from the provider's vmid_range) cannot be read: 1000000000 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros`},
		"not known yet":                 {meta.UnknownBoundary(fromProvider), 5000, `the VMID range (from the provider's vmid_range) cannot be read: its value is not known before apply`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tc.boundary.Check(tc.id)
			if text(err) != tc.err {
				t.Errorf("Check(%d) = %q\nwant %q", tc.id, text(err), tc.err)
			}
			unreadable := tc.boundary.Err() != nil
			if _, typed := errors.AsType[*meta.UnreadableBoundaryError](err); typed != unreadable {
				t.Errorf("Check gives %T, the boundary itself %v", err, tc.boundary.Err())
			}
			// Who is not let in as a guest is not let in as a range or a template either.
			if unreadable && (tc.boundary.CheckTemplate(9999) == nil || tc.boundary.CheckRange(vmidrange.Range{Start: 5000, End: 5001}) == nil) {
				t.Error("a boundary that cannot be read lets a template or a range in")
			}
		})
	}
}

func TestBoundaryChecksTemplatesAndRanges(t *testing.T) {
	t.Parallel()
	b := meta.NewBoundary("5000-8999", fromProvider)
	if err := b.CheckTemplate(9000); err != nil {
		t.Error(err)
	}
	if err := (meta.Boundary{}).CheckTemplate(9000); err != nil {
		t.Error(err)
	}
	if got := text(b.CheckTemplate(5000)); got != `template 5000 is inside of the VMID range 5000-8999 (from the provider's vmid_range)` {
		t.Error(got)
	}
	if err := b.CheckRange(vmidrange.Range{Start: 5000, End: 8999}); err != nil {
		t.Error(err)
	}
	if got := text(b.CheckRange(vmidrange.Range{Start: 8000, End: 9000})); got != `the range 8000-9000 is not within the VMID range 5000-8999 (from the provider's vmid_range)` {
		t.Error(got)
	}
}
