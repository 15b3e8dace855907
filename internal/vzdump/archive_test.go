package vzdump_test

import (
	"errors"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

func TestParseArchive(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("node", 2*60*60)
	type facts struct {
		Kind    guest.Kind
		VMID    guest.VMID
		Format  string
		Created string
	}
	for text, want := range map[string]facts{
		"local:backup/vzdump-lxc-120-2026_11_29-11_39_37.tar.zst": {guest.LXC, 120, "tar.zst", "2026-11-29T09:39:37Z"},
		"local:backup/vzdump-lxc-120-2026_11_29-11_39_37.tar":     {guest.LXC, 120, "tar", "2026-11-29T09:39:37Z"},
		"nas:backup/vzdump-qemu-214-2026_11_29-11_47_07.vma.zst":  {guest.QEMU, 214, "vma.zst", "2026-11-29T09:47:07Z"},
		"nas:backup/vzdump-lxc-100-2020_01_01-00_00_00.tgz":       {guest.LXC, 100, "tgz", "2019-12-31T22:00:00Z"},
		"pbs-main:backup/ct/5320/2026-05-06T01:00:00Z":            {guest.LXC, 5320, "pbs-ct", "2026-05-06T01:00:00Z"},
		"pbs-main:backup/vm/201/2026-11-29T01:30:01Z":             {guest.QEMU, 201, "pbs-vm", "2026-11-29T01:30:01Z"},
	} {
		a, err := vzdump.ParseArchive(text)
		got := facts{a.Kind, a.VMID, a.Format, a.Created(zone).UTC().Format(time.RFC3339)}
		if err != nil || got != want || a.Volume.String() != text {
			t.Errorf("ParseArchive(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "local:backup/foo.tar", "local:backup/vzdump-lxc-99-2026_11_29-11_39_37.tar", "local:iso/x.iso",
		"local:backup/vzdump-lxc-120-2026_13_29-11_39_37.tar", "local:backup/vzdump-qemu-before-upgrade.vma.zst",
		"pbs:backup/host/web/2026-05-06T01:00:00Z", "/var/lib/vz/dump/vzdump-lxc-120-2026_11_29-11_39_37.tar",
	} {
		_, err := vzdump.ParseArchive(text)
		var refused *vzdump.ArchiveError
		if !errors.As(err, &refused) || refused.Text != text {
			t.Errorf("ParseArchive(%q) = %v, want an ArchiveError", text, err)
		}
	}
}

func FuzzParseArchive(f *testing.F) {
	f.Add("local:backup/vzdump-lxc-120-2026_11_29-11_39_37.tar.zst")
	f.Add("pbs-main:backup/ct/5320/2026-05-06T01:00:00Z")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := vzdump.ParseArchive(text)
		if err == nil && (!a.VMID.Valid() || a.Volume.String() != text || a.Kind != guest.LXC && a.Kind != guest.QEMU) {
			t.Errorf("ParseArchive(%q) = %+v", text, a)
		}
	})
}

// Report 29: two hosts, one store, one number.
func TestAttribute(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(2026, 1, d, 2, 0, 0, 0, time.UTC) }
	mail := vzdump.Owner{Kind: guest.LXC, VMID: 5290, Name: "mail", Created: day(20)}
	unborn := vzdump.Owner{Kind: guest.LXC, VMID: 5290, Name: "mail"}
	for name, tc := range map[string]struct {
		taken vzdump.Taken
		owner vzdump.Owner
		want  vzdump.Attribution
	}{
		"another number":                             {vzdump.Taken{Kind: guest.LXC, VMID: 5291, Created: day(30)}, mail, vzdump.OfOther},
		"another kind":                               {vzdump.Taken{Kind: guest.QEMU, VMID: 5290, Created: day(30)}, mail, vzdump.OfOther},
		"taken after the guest was created":          {vzdump.Taken{Kind: guest.LXC, VMID: 5290, Created: day(30)}, mail, vzdump.OfGuest},
		"taken before the guest was created":         {vzdump.Taken{Kind: guest.LXC, VMID: 5290, Created: day(1), Notes: "mail"}, mail, vzdump.UnknownOwner},
		"the notes name another guest":               {vzdump.Taken{Kind: guest.LXC, VMID: 5290, Created: day(30), Notes: "dns"}, mail, vzdump.UnknownOwner},
		"the notes name the guest":                   {vzdump.Taken{Kind: guest.LXC, VMID: 5290, Notes: "mail on pve1, 5290"}, unborn, vzdump.OfGuest},
		"the notes name a guest with a longer name":  {vzdump.Taken{Kind: guest.LXC, VMID: 5290, Notes: "mail-2 on pve1"}, unborn, vzdump.UnknownOwner},
		"the guest does not say when it was created": {vzdump.Taken{Kind: guest.LXC, VMID: 5290, Created: day(30)}, unborn, vzdump.UnknownOwner},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := vzdump.Attribute(tc.taken, tc.owner); got != tc.want {
				t.Errorf("Attribute = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestSelects(t *testing.T) {
	t.Parallel()
	g := vzdump.Candidate{VMID: 101, Node: "pve1", Pool: "web"}
	for name, tc := range map[string]struct {
		selection vzdump.Selection
		want      bool
	}{
		"listed":                     {vzdump.Selection{VMIDs: []guest.VMID{100, 101}}, true},
		"not listed":                 {vzdump.Selection{VMIDs: []guest.VMID{100}}, false},
		"nothing selected":           {vzdump.Selection{}, false},
		"all":                        {vzdump.Selection{All: true}, true},
		"all but this":               {vzdump.Selection{All: true, Exclude: []guest.VMID{101}}, false},
		"its pool":                   {vzdump.Selection{Pool: "web"}, true},
		"another pool":               {vzdump.Selection{Pool: "db"}, false},
		"all of another node":        {vzdump.Selection{All: true, Node: "pve2"}, false},
		"listed, but another node":   {vzdump.Selection{VMIDs: []guest.VMID{101}, Node: "pve2"}, false},
		"all of the guest's node":    {vzdump.Selection{All: true, Node: "pve1"}, true},
		"its pool, but excluded too": {vzdump.Selection{Pool: "web", Exclude: []guest.VMID{101}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.selection.Selects(g); got != tc.want {
				t.Errorf("Selects = %t", got)
			}
		})
	}
}

func TestVMIDs(t *testing.T) {
	t.Parallel()
	ids, err := vzdump.ParseVMIDs("103, 101;102\x00101")
	if err != nil || vzdump.FormatVMIDs(ids) != "101,102,103" {
		t.Errorf("ParseVMIDs = %v, %v", ids, err)
	}
	if _, err := vzdump.ParseVMIDs("101,99"); message(err) != `"99" is not a VMID: a VMID is a number from 100 to 999999999 without leading zeros` {
		t.Errorf("ParseVMIDs = %v", err)
	}
}
