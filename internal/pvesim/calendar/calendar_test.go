package calendar_test

import (
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/calendar"
)

func TestNext(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) // a Sunday
	for event, want := range map[string]string{
		"02:30":            "2026-11-30 02:30:00",
		"2:00":             "2026-11-30 02:00:00",
		"12:00":            "2026-11-30 12:00:00",
		"*/15":             "2026-11-29 12:15:00",
		"sat 18:15":        "2026-12-05 18:15:00",
		"mon..fri 21:00":   "2026-11-30 21:00:00",
		"fri..mon 11:00":   "2026-11-30 11:00:00",
		"*-01 22:00":       "2026-12-01 22:00:00",
		"*-*-01 22:00":     "2026-12-01 22:00:00",
		"12-24 18:00":      "2026-12-24 18:00:00",
		"daily":            "2026-11-30 00:00:00",
		"weekly":           "2026-11-30 00:00:00",
		"quarterly":        "2027-01-01 00:00:00",
		"8..17/3:30":       "2026-11-29 14:30:00",
		"2026-02-30 00:00": "never",
		"mon,Wednesday":    "2026-11-30 00:00:00",
		"*:*:0/20":         "2026-11-29 12:00:20",
	} {
		e, err := calendar.Parse(event)
		if err != nil {
			t.Errorf("Parse(%q) = %v", event, err)
			continue
		}
		got := "never"
		if next, ok := e.Next(now); ok {
			got = next.Format(time.DateTime)
		}
		if got != want {
			t.Errorf("%q happens next %s, want %s", event, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for event, want := range map[string]string{
		"bogus":     "invalid calendar event 'bogus' - unable to parse calendar event at 'bogus' - unable to parse weekday 'bogus'",
		"25:00":     "invalid calendar event '25:00' - unable to parse calendar event at '25:00' - value '25' is out of range",
		"0 2 * * *": "invalid calendar event '0 2 * * *' - unable to parse calendar event at '0 2 * * *' - unexpected trailing data '2'",
		"":          "invalid calendar event '' - unable to parse calendar event at '' - no input",
	} {
		if _, err := calendar.Parse(event); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) = %v, want %s", event, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("mon..fri 8..17/2:*/15")
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := calendar.Parse(text)
		if err != nil {
			return
		}
		if next, ok := e.Next(now); ok && !next.After(now) {
			t.Errorf("%q happens next %s", text, next)
		}
	})
}
