// Package calendar reads calendar events, the schedules of backup jobs, and
// tells when they happen next. It knows no job and no clock.
//
// Source: pve-docs calendar-events.adoc.
package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Event is a calendar event that has been read.
type Event struct {
	weekdays             [7]bool // none: every day
	years, months, days  field
	hours, minutes, secs field
}

// field is a part of a date or time: the values that match, nil for all.
type field []span

type span struct{ from, to, step int }

func (f field) matches(n int) bool {
	return f == nil || slices.ContainsFunc(f, func(s span) bool {
		return n >= s.from && n <= s.to && (n-s.from)%max(s.step, 1) == 0
	})
}

var shorthands = map[string]string{
	"minutely": "*:*:00", "hourly": "*:00:00", "daily": "*-*-* 00:00:00", "weekly": "mon *-*-* 00:00:00",
	"monthly": "*-*-01 00:00:00", "yearly": "*-01-01 00:00:00", "annually": "*-01-01 00:00:00",
	"quarterly": "*-01,04,07,10-01 00:00:00", "semiannually": "*-01,07-01 00:00:00", "semi-annually": "*-01,07-01 00:00:00",
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// Parse reads a calendar event.
func Parse(text string) (*Event, error) {
	fail := func(reason string) error {
		return fmt.Errorf("invalid calendar event '%s' - unable to parse calendar event at '%s' - %s", text, text, reason)
	}
	spec := strings.TrimSpace(text)
	if full, ok := shorthands[strings.ToLower(spec)]; ok {
		spec = full
	}
	parts := strings.Fields(spec)
	if len(parts) == 0 {
		return nil, fail("no input")
	}
	e := &Event{}
	if c := parts[0][0] | 0x20; c >= 'a' && c <= 'z' {
		if err := e.readWeekdays(parts[0]); err != nil {
			return nil, fail(err.Error())
		}
		parts = parts[1:]
	}
	if len(parts) > 0 && strings.Contains(parts[0], "-") {
		if err := e.readDate(parts[0]); err != nil {
			return nil, fail(err.Error())
		}
		parts = parts[1:]
	}
	clock := "00:00:00"
	if len(parts) > 0 {
		clock, parts = parts[0], parts[1:]
	}
	if err := e.readTime(clock); err != nil {
		return nil, fail(err.Error())
	}
	if len(parts) > 0 {
		return nil, fail("unexpected trailing data '" + parts[0] + "'")
	}
	return e, nil
}

func (e *Event) readWeekdays(text string) error {
	for _, item := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(item, "..")
		from, err := weekday(first)
		if err != nil {
			return err
		}
		to := from
		if isRange {
			if to, err = weekday(last); err != nil {
				return err
			}
		}
		for d := from; ; d = (d + 1) % 7 {
			e.weekdays[d] = true
			if d == to {
				break
			}
		}
	}
	return nil
}

func weekday(text string) (int, error) {
	lower := strings.ToLower(text)
	for i, name := range weekdays {
		if lower == name || lower == strings.ToLower(time.Weekday(i).String()) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unable to parse weekday '%s'", text)
}

func (e *Event) readDate(text string) (err error) {
	parts := strings.Split(text, "-")
	if len(parts) == 2 {
		parts = append([]string{"*"}, parts...)
	}
	if len(parts) != 3 {
		return fmt.Errorf("unable to parse date '%s'", text)
	}
	if e.years, err = readField(parts[0], 1970, 9999); err != nil {
		return err
	}
	if e.months, err = readField(parts[1], 1, 12); err != nil {
		return err
	}
	e.days, err = readField(parts[2], 1, 31)
	return err
}

func (e *Event) readTime(text string) (err error) {
	parts := strings.Split(text, ":")
	if len(parts) == 1 {
		parts = []string{"*", parts[0]} // a number alone is minutes
	}
	if len(parts) == 2 {
		parts = append(parts, "0")
	}
	if len(parts) != 3 {
		return fmt.Errorf("unable to parse time '%s'", text)
	}
	if e.hours, err = readField(parts[0], 0, 23); err != nil {
		return err
	}
	if e.minutes, err = readField(parts[1], 0, 59); err != nil {
		return err
	}
	e.secs, err = readField(parts[2], 0, 59)
	return err
}

func readField(text string, low, high int) (field, error) {
	var out field
	for _, item := range strings.Split(text, ",") {
		value, step, repeated := strings.Cut(item, "/")
		s := span{from: low, to: high, step: 1}
		var err error
		if value != "*" {
			first, last, isRange := strings.Cut(value, "..")
			if s.from, err = number(first, low, high); err != nil {
				return nil, err
			}
			if isRange {
				if s.to, err = number(last, low, high); err != nil {
					return nil, err
				}
			} else if !repeated {
				s.to = s.from
			}
		}
		if repeated {
			if s.step, err = number(step, 1, high); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

func number(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("unable to parse number '%s'", text)
	case n < low || n > high:
		return 0, fmt.Errorf("value '%s' is out of range", text)
	}
	return n, nil
}

// Next is the first time after t at which the event happens; ok is false if it
// never does within ten years.
func (e *Event) Next(t time.Time) (next time.Time, ok bool) {
	t = t.Truncate(time.Second).Add(time.Second)
	for day := 0; day < 3660; day++ {
		date := time.Date(t.Year(), t.Month(), t.Day()+day, 0, 0, 0, 0, t.Location())
		if !e.onDay(date) {
			continue
		}
		from := 0
		if day == 0 {
			from = t.Hour()*3600 + t.Minute()*60 + t.Second()
		}
		for s := from; s < 86400; s++ {
			if !e.hours.matches(s / 3600) {
				s += 3599 - s%3600
				continue
			}
			if !e.minutes.matches(s / 60 % 60) {
				s += 59 - s%60
				continue
			}
			if e.secs.matches(s % 60) {
				return date.Add(time.Duration(s) * time.Second), true
			}
		}
	}
	return time.Time{}, false
}

func (e *Event) onDay(d time.Time) bool {
	return (e.weekdays == [7]bool{} || e.weekdays[d.Weekday()]) &&
		e.years.matches(d.Year()) && e.months.matches(int(d.Month())) && e.days.matches(d.Day())
}
