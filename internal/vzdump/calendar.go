package vzdump

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// MaxCalendarEvent is the length of a schedule, in characters.
// Source: PVE::API2::Backup, parameter schedule.
const MaxCalendarEvent = 128

// A CalendarError says why a text cannot be a calendar event.
type CalendarError struct {
	Text   string // the whole schedule
	Part   string // the part at fault, empty when it is the whole
	Reason string
	Meant  string // a calendar event that says the same, empty if there is none
}

// Error names the schedule, the part, the reason, and what to write.
func (e *CalendarError) Error() string {
	text := fmt.Sprintf("%q is not a calendar event: ", e.Text)
	if e.Part != "" {
		text += strconv.Quote(e.Part) + " "
	}
	text += e.Reason
	if e.Meant != "" {
		text += fmt.Sprintf("; write %q", e.Meant)
	}
	return text
}

// Source: pve-docs calendar-events.adoc.
var (
	calendarWords = []string{"minutely", "hourly", "daily", "weekly", "monthly", "yearly", "annually",
		"quarterly", "semiannually", "semi-annually"}
	weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
	cronField  = regexp.MustCompile(`^[\d*/,\-]+$`)
	plainCron  = regexp.MustCompile(`^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7])$`)
	wordOnly   = regexp.MustCompile(`^[A-Za-z][A-Za-z.,\-]*$`)
	timeOfDay  = regexp.MustCompile(`^[\d*/,.]+(?::[\d*/,.]+){1,2}$`)
	minuteOnly = regexp.MustCompile(`^[\d*/,.]+$`)
	dateSpec   = regexp.MustCompile(`^[\d*/,.]+(?:-[\d*/,.]+){1,2}$`)
)

// CheckCalendarEvent refuses what cannot be a calendar event: an empty or too
// long text, a cron line, a word that is no weekday, a number that no clock
// shows. What it cannot judge it leaves to the server. The error is a
// *CalendarError.
func CheckCalendarEvent(s string) error {
	text := strings.TrimSpace(s)
	if text == "" {
		return &CalendarError{Text: s, Reason: `it is empty, write for example "02:30" or "sat 18:15"`}
	}
	if len(s) > MaxCalendarEvent {
		return &CalendarError{Text: s, Reason: fmt.Sprintf("it has more than %d characters", MaxCalendarEvent)}
	}
	if slices.Contains(calendarWords, strings.ToLower(text)) {
		return nil
	}
	fields := strings.Fields(text)
	if isCron(fields) {
		return &CalendarError{Text: s, Reason: "it is a line of cron, and the two have nothing in common", Meant: fromCron(strings.Join(fields, " "))}
	}
	for _, field := range fields {
		if err := checkField(s, field); err != nil {
			return err
		}
	}
	return nil
}

func checkField(whole, field string) error {
	switch {
	case strings.EqualFold(field, "utc"):
		return nil
	case wordOnly.MatchString(field):
		return checkWeekdays(whole, field)
	case timeOfDay.MatchString(field):
		return checkNumbers(whole, field, ":", []unit{{"hour", 23}, {"minute", 59}, {"second", 59}})
	case minuteOnly.MatchString(field):
		return checkNumbers(whole, field, ":", []unit{{"minute", 59}})
	case dateSpec.MatchString(field):
		parts := []unit{{"year", 9999}, {"month", 12}, {"day", 31}}
		return checkNumbers(whole, field, "-", parts[3-strings.Count(field, "-")-1:])
	}
	return nil
}

func checkWeekdays(whole, field string) error {
	for _, item := range strings.Split(field, ",") {
		for _, day := range strings.SplitN(item, "..", 2) {
			if !slices.Contains(weekdays, strings.ToLower(day)) {
				return &CalendarError{Text: whole, Part: day, Reason: "is not a weekday (mon to sun)"}
			}
		}
	}
	return nil
}

type unit struct {
	name string
	max  int
}

var digits = regexp.MustCompile(`\d+`)

func checkNumbers(whole, field, sep string, units []unit) error {
	for i, part := range strings.Split(field, sep) {
		// The number after a slash is a step and may be anything.
		for _, item := range strings.Split(part, ",") {
			value, _, _ := strings.Cut(item, "/")
			for _, n := range digits.FindAllString(value, -1) {
				if v, err := strconv.Atoi(n); err != nil || v > units[i].max {
					return &CalendarError{Text: whole, Part: field, Reason: fmt.Sprintf("has the %s %s, and the last one is %d", units[i].name, n, units[i].max)}
				}
			}
		}
	}
	return nil
}

// isCron tells five fields of a crontab from a calendar event, which has at
// most a weekday, a date, a time and a zone.
func isCron(fields []string) bool {
	if len(fields) != 5 {
		return false
	}
	return !slices.ContainsFunc(fields[:4], func(f string) bool { return !cronField.MatchString(f) })
}

// fromCron translates the crons that people have most: a time every day or on
// one day of the week.
func fromCron(line string) string {
	m := plainCron.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	minute, _ := strconv.Atoi(m[1])
	hour, _ := strconv.Atoi(m[2])
	if minute > 59 || hour > 23 {
		return ""
	}
	at := fmt.Sprintf("%02d:%02d", hour, minute)
	if m[3] == "*" {
		return at
	}
	day, _ := strconv.Atoi(m[3])
	return weekdays[(day+6)%7] + " " + at
}
