package meta_test

import (
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

func TestSourcesOfClones(t *testing.T) {
	t.Parallel()
	c := &cluster{storage: []pve.Resource{
		{Type: "qemu", VMID: 9000, Node: "pve1", Name: "debian", Template: true},
		{Type: "qemu", VMID: 5000, Node: "pve1", Name: "inside", Template: true},
		{Type: "qemu", VMID: 5001, Node: "pve1", Name: "ours"},
		{Type: "qemu", VMID: 9001, Node: "pve1", Name: "theirs"},
	}}
	for name, tc := range map[string]struct {
		boundary meta.Boundary
		id       guest.VMID
		err      string
	}{
		"a template outside":               {meta.NewBoundary("5000-8999", fromProvider), 9000, ""},
		"a template inside":                {meta.NewBoundary("5000-8999", fromProvider), 5000, "template 5000 is inside of the VMID range 5000-8999 (from the provider's vmid_range)"},
		"a guest inside":                   {meta.NewBoundary("5000-8999", fromProvider), 5001, ""},
		"a guest outside":                  {meta.NewBoundary("5000-8999", fromProvider), 9001, "VMID 9001 is outside of the VMID range 5000-8999 (from the provider's vmid_range)"},
		"what is not listed":               {meta.NewBoundary("5000-8999", fromProvider), 9999, ""},
		"no boundary":                      {meta.Boundary{}, 5000, ""},
		"a boundary that cannot be read":   {meta.NewBoundary("", fromProvider), 9000, `the VMID range "" (from the provider's vmid_range) cannot be read: an empty text is not a VMID range: write the first and the last VMID, for example 5000-8999`},
		"a boundary that is not known yet": {meta.UnknownBoundary(fromProvider), 9999, "the VMID range (from the provider's vmid_range) cannot be read: its value is not known before apply"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := &meta.Data{Boundary: tc.boundary, Guests: meta.NewListing(c.rows)}
			if got := text(data.CheckSource(t.Context(), tc.id)); got != tc.err {
				t.Errorf("CheckSource(%d) = %q, want %q", tc.id, got, tc.err)
			}
		})
	}
}

func TestHolderOfANumber(t *testing.T) {
	t.Parallel()
	c := &cluster{guests: map[guest.VMID]bool{}}
	data := &meta.Data{Guests: meta.NewListing(c.rows)}
	if _, listed, _ := data.Guests.Guest(t.Context(), 5000); listed {
		t.Fatal("there is a guest")
	}
	c.guests[5000] = true
	if got := data.Holder(t.Context(), 5000); got != `container "web" on node pve1` {
		t.Errorf("got %q", got)
	}
	if got := data.Holder(t.Context(), 5001); got != "" {
		t.Errorf("got %q", got)
	}
}
