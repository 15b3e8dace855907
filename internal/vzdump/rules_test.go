package vzdump_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

func TestParseCompress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "", "gzip": "", "lzo": "", "zstd": "",
		"none":  `"none" is not a value of compress: Proxmox knows "0", "gzip", "lzo", "zstd"; write "0"`,
		"1":     `"1" is not a value of compress: Proxmox knows "0", "gzip", "lzo", "zstd"; write "lzo"`,
		"bogus": `"bogus" is not a value of compress: Proxmox knows "0", "gzip", "lzo", "zstd"`,
	} {
		got, err := vzdump.ParseCompress(text)
		if message(err) != want || err == nil && string(got) != text {
			t.Errorf("ParseCompress(%q) = %q, %v, want error %q", text, got, err, want)
		}
	}
}

func TestParseMode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"snapshot": "", "suspend": "", "stop": "",
		"": `"" is not a value of mode: Proxmox knows "snapshot", "suspend", "stop"`,
	} {
		if got, err := vzdump.ParseMode(text); message(err) != want || err == nil && string(got) != text {
			t.Errorf("ParseMode(%q) = %q, %v, want error %q", text, got, err, want)
		}
	}
}

func TestRetention(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"keep-last=3,keep-daily=7":                  "keep-daily=7,keep-last=3",
		"keep-daily=7,keep-monthly=3,keep-weekly=4": "keep-daily=7,keep-monthly=3,keep-weekly=4",
		"keep-all=1":              "keep-all=1",
		"keep-all=yes":            "keep-all=1",
		"keep-last=0":             "keep-all=1",
		"keep-all=0,keep-last=2":  "keep-last=2",
		"":                        "keep-all=1",
		"keep-all=1,keep-last=2":  "error: keep-last=2 cannot be set together with keep-all",
		"keep-foo=1":              "error: keep-foo=1 is not a rule of a retention",
		"keep-last":               "error: keep-last has no value",
		"keep-last=-1":            "error: keep-last=-1 is not a number",
		"keep-last=1,keep-last=2": "error: keep-last=2 is given twice",
		"keep-all=maybe":          "error: keep-all=maybe is not a yes or no",
		"keep-hourly=1,keep-yearly=2,keep-monthly=0": "keep-hourly=1,keep-yearly=2",
	} {
		r, err := vzdump.ParseRetention(text)
		got := r.String()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("ParseRetention(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestRetentionOfNothingIsRefused(t *testing.T) {
	t.Parallel()
	var refused *vzdump.RetentionError
	if err := (vzdump.Retention{}).Check(); !errors.As(err, &refused) || err.Error() != "a retention has to set at least one rule, or keep-all" {
		t.Errorf("Check = %v", err)
	}
	if err := (vzdump.Retention{Daily: -1}).Check(); message(err) != "keep-daily=-1 is negative" {
		t.Errorf("Check = %v", err)
	}
}

func TestRetentionRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := func() int { return max(0, random.IntN(20)-8) }
		r := vzdump.Retention{Last: n(), Hourly: n(), Daily: n(), Weekly: n(), Monthly: n(), Yearly: n()}
		if r.KeepsAll() {
			r = vzdump.Retention{All: true}
		}
		got, err := vzdump.ParseRetention(r.String())
		if err != nil || got != r {
			t.Fatalf("ParseRetention(%q) = %+v, %v, want %+v", r, got, err, r)
		}
	}
}

func TestCheckNotesTemplate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "{{guestname}}": "", `{{cluster}}-{{node}}\n{{vmid}} \\ done`: "", "{one brace}": "", "{{guestname": "",
		"{{bogus}}":               `"{{bogus}}" at character 1 of the notes template is not a variable: there are {{cluster}}, {{guestname}}, {{node}}, {{vmid}}`,
		"für {{name}}":            `"{{name}}" at character 5 of the notes template is not a variable: there are {{cluster}}, {{guestname}}, {{node}}, {{vmid}}`,
		`a\t`:                     `"\\t" at character 2 of the notes template is not an escape: there are \n and \\`,
		`a\`:                      `"\\" at character 2 of the notes template is not an escape: there are \n and \\`,
		"two\nlines":              `the notes template has a line break: it has to be one line, write \n for a new line`,
		strings.Repeat("ü", 1025): "the notes template has 1025 characters, more than 1024",
		strings.Repeat("ü", 1024): "",
	} {
		if err := vzdump.CheckNotesTemplate(text); message(err) != want {
			t.Errorf("CheckNotesTemplate(%q) = %v, want %q", text, err, want)
		}
	}
}

func TestCheckCalendarEvent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		// Accepted by Proxmox, or not for us to judge.
		"02:30": "", "2:00": "", "sat 18:15": "", "mon..fri 21:00": "", "*/15": "", "*-01 22:00": "", "daily": "",
		"mon,tue 03:00": "", "sun 01:00": "", "Mon..Fri 8..17/2:00": "", "*:0/15": "", "2026-12-24 18:00:30": "",
		"monthly": "", "semi-annually": "", "02:30 UTC": "", "sat *-1..7 18:00": "", "15": "", "*-*~3 04:00": "",
		// Refused.
		"":                       `"" is not a calendar event: it is empty, write for example "02:30" or "sat 18:15"`,
		"0 2 * * *":              `"0 2 * * *" is not a calendar event: it is a line of cron, and the two have nothing in common; write "02:00"`,
		"30 1 * * 6":             `"30 1 * * 6" is not a calendar event: it is a line of cron, and the two have nothing in common; write "sat 01:30"`,
		"0 3 * * 0":              `"0 3 * * 0" is not a calendar event: it is a line of cron, and the two have nothing in common; write "sun 03:00"`,
		"*/5 * * * *":            `"*/5 * * * *" is not a calendar event: it is a line of cron, and the two have nothing in common`,
		"bogus":                  `"bogus" is not a calendar event: "bogus" is not a weekday (mon to sun)`,
		"mon..xyz 02:00":         `"mon..xyz 02:00" is not a calendar event: "xyz" is not a weekday (mon to sun)`,
		"24:00":                  `"24:00" is not a calendar event: "24:00" has the hour 24, and the last one is 23`,
		"02:60":                  `"02:60" is not a calendar event: "02:60" has the minute 60, and the last one is 59`,
		"*-13-01 02:00":          `"*-13-01 02:00" is not a calendar event: "*-13-01" has the month 13, and the last one is 12`,
		"61":                     `"61" is not a calendar event: "61" has the minute 61, and the last one is 59`,
		strings.Repeat("1", 129): `"` + strings.Repeat("1", 129) + `" is not a calendar event: it has more than 128 characters`,
	} {
		if err := vzdump.CheckCalendarEvent(text); message(err) != want {
			t.Errorf("CheckCalendarEvent(%q)\n got %v\nwant %s", text, err, want)
		}
	}
}

// Report 23: the root file system carries no flag and is always in; no flag is
// invented, and a bind mount stays out even with backup=1.
func TestContentsOfAContainer(t *testing.T) {
	t.Parallel()
	got := vzdump.Contents(guest.LXC, map[string]string{
		"rootfs":  "ceph-a:vm-5230-disk-0,mountoptions=noatime,size=10G",
		"mp0":     "ceph-a:vm-5230-disk-1,mp=/data,size=20G",
		"mp1":     "ceph-a:vm-5230-disk-2,mp=/logs,backup=1,size=5G",
		"mp2":     "/srv/share,mp=/share,backup=1",
		"mp10":    "/dev/sdb,mp=/dev-disk,backup=1",
		"mp11":    "volume=st:vm-5230-disk-9,mp=/word,backup=yes",
		"mp12":    "nonsense,mp=/x",
		"unused0": "ceph-a:vm-5230-disk-7", "net0": "name=eth0", "hostname": "ns-a",
	})
	want := []vzdump.Content{
		{Key: "rootfs", Source: "ceph-a:vm-5230-disk-0", Path: "/", In: true},
		{Key: "mp0", Source: "ceph-a:vm-5230-disk-1", Path: "/data", Reason: vzdump.FlagOff},
		{Key: "mp1", Source: "ceph-a:vm-5230-disk-2", Path: "/logs", In: true},
		{Key: "mp2", Source: "/srv/share", Path: "/share", Reason: vzdump.BindMount},
		{Key: "mp10", Source: "/dev/sdb", Path: "/dev-disk", Reason: vzdump.DeviceNode},
		{Key: "mp11", Source: "st:vm-5230-disk-9", Path: "/word", In: true},
		{Key: "mp12", Source: "nonsense,mp=/x", Reason: vzdump.Unreadable},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var left []string
	for _, c := range vzdump.LeftOut(got) {
		left = append(left, c.Key)
	}
	if diff := cmp.Diff([]string{"mp0", "mp2", "mp10", "mp12"}, left); diff != "" {
		t.Error(diff)
	}
}

func TestContentsOfAVM(t *testing.T) {
	t.Parallel()
	got := vzdump.Contents(guest.QEMU, map[string]string{
		"scsi0":     "local-lvm:vm-201-disk-0,size=32G",
		"scsi1":     "local-lvm:vm-201-disk-1,backup=0,size=8G",
		"scsi2":     "/dev/disk/by-id/ata-x,size=1T",
		"ide2":      "local:iso/x.iso,media=cdrom",
		"ide0":      "none,media=cdrom",
		"efidisk0":  "local-lvm:vm-201-disk-2,size=4M",
		"tpmstate0": "local-lvm:vm-201-disk-3,size=4M,version=v2.0",
		"virtio1":   "local-lvm:vm-201-disk-4,backup=perhaps",
		"unused0":   "local-lvm:vm-201-disk-9", "scsihw": "virtio-scsi-single", "bios": "seabios",
	})
	want := []vzdump.Content{
		{Key: "efidisk0", Source: "local-lvm:vm-201-disk-2", Reason: vzdump.NoOVMF},
		{Key: "scsi0", Source: "local-lvm:vm-201-disk-0", In: true},
		{Key: "scsi1", Source: "local-lvm:vm-201-disk-1", Reason: vzdump.FlagOff},
		{Key: "scsi2", Source: "/dev/disk/by-id/ata-x", In: true},
		{Key: "tpmstate0", Source: "local-lvm:vm-201-disk-3", In: true},
		{Key: "virtio1", Source: "local-lvm:vm-201-disk-4", Reason: vzdump.Unreadable},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzParseRetention(f *testing.F) {
	f.Add("keep-last=3,keep-daily=7")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := vzdump.ParseRetention(text)
		if err != nil {
			return
		}
		again, err := vzdump.ParseRetention(r.String())
		if err != nil || again != r {
			t.Errorf("%q -> %+v -> %q -> %+v, %v", text, r, r, again, err)
		}
	})
}

func FuzzCheckCalendarEvent(f *testing.F) {
	f.Add("mon..fri 02:30")
	f.Add("0 2 * * *")
	f.Fuzz(func(t *testing.T, text string) {
		var refused *vzdump.CalendarError
		if err := vzdump.CheckCalendarEvent(text); errors.As(err, &refused) && refused.Meant != "" {
			if err := vzdump.CheckCalendarEvent(refused.Meant); err != nil {
				t.Errorf("%q is to be written %q, which is refused: %v", text, refused.Meant, err)
			}
		}
	})
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
