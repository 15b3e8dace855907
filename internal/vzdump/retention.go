package vzdump

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Retention says which archives of a guest a prune keeps. Zero means that the
// rule is not set. The zero value sets nothing and is not a retention: Proxmox
// reads it as "keep all".
type Retention struct {
	All                                          bool
	Last, Hourly, Daily, Weekly, Monthly, Yearly int
}

// A RetentionError says why a retention cannot be used.
type RetentionError struct {
	Key    string // the key at fault, empty when it is the whole
	Text   string // its value as written
	Reason string
}

// Error names the key, its value and the reason.
func (e *RetentionError) Error() string {
	switch {
	case e.Key == "":
		return "a retention " + e.Reason
	case e.Text == "":
		return e.Key + " " + e.Reason
	default:
		return fmt.Sprintf("%s=%s %s", e.Key, e.Text, e.Reason)
	}
}

// rules lists the counting rules by Proxmox's key, sorted as Proxmox prints
// them. Source: PVE::Storage::Plugin prune-backups-format.
func (r *Retention) rules() []struct {
	key   string
	count *int
} {
	return []struct {
		key   string
		count *int
	}{
		{"keep-daily", &r.Daily}, {"keep-hourly", &r.Hourly}, {"keep-last", &r.Last},
		{"keep-monthly", &r.Monthly}, {"keep-weekly", &r.Weekly}, {"keep-yearly", &r.Yearly},
	}
}

// KeepsAll reports whether a prune removes nothing.
func (r Retention) KeepsAll() bool {
	if r.All {
		return true
	}
	for _, rule := range r.rules() {
		if *rule.count > 0 {
			return false
		}
	}
	return true
}

// String is the property string that Proxmox would print: "keep-all=1" when
// nothing is ever removed.
func (r Retention) String() string {
	if r.KeepsAll() {
		return "keep-all=1"
	}
	var parts []string
	for _, rule := range r.rules() {
		if *rule.count > 0 {
			parts = append(parts, rule.key+"="+strconv.Itoa(*rule.count))
		}
	}
	return strings.Join(parts, ",")
}

// Check refuses a retention that says two things at once. The error is a
// *RetentionError. Source: PVE::Storage::Plugin validate_prune_backups.
func (r Retention) Check() error {
	set := false
	for _, rule := range r.rules() {
		if *rule.count < 0 {
			return &RetentionError{Key: rule.key, Text: strconv.Itoa(*rule.count), Reason: "is negative"}
		}
		if *rule.count == 0 {
			continue
		}
		if r.All {
			return &RetentionError{Key: rule.key, Text: strconv.Itoa(*rule.count), Reason: "cannot be set together with keep-all"}
		}
		set = true
	}
	if !set && !r.All {
		return &RetentionError{Reason: "has to set at least one rule, or keep-all"}
	}
	return nil
}

// ParseRetention reads the property string. A retention whose rules are all
// zero keeps all, as with Proxmox. The error is a *RetentionError.
func ParseRetention(text string) (Retention, error) {
	object := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		key, value, pair := strings.Cut(part, "=")
		if !pair {
			return Retention{}, &RetentionError{Key: part, Reason: "has no value"}
		}
		if _, twice := object[key]; twice {
			return Retention{}, &RetentionError{Key: key, Text: value, Reason: "is given twice"}
		}
		object[key] = value
	}
	return RetentionOf(object)
}

// RetentionOf reads the object that a job's read returns for the string that
// its write takes. The error is a *RetentionError.
func RetentionOf(object map[string]string) (Retention, error) {
	var r Retention
	counts := map[string]*int{}
	for _, rule := range r.rules() {
		counts[rule.key] = rule.count
	}
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		value := object[key]
		if key == "keep-all" {
			all, ok := boolWord(value)
			if !ok {
				return Retention{}, &RetentionError{Key: key, Text: value, Reason: "is not a yes or no"}
			}
			r.All = all
			continue
		}
		count, known := counts[key]
		if !known {
			return Retention{}, &RetentionError{Key: key, Text: value, Reason: "is not a rule of a retention"}
		}
		n, err := strconv.ParseUint(value, 10, 31)
		if err != nil {
			return Retention{}, &RetentionError{Key: key, Text: value, Reason: "is not a number"}
		}
		*count = int(n)
	}
	if !r.All && r.KeepsAll() {
		return Retention{All: true}, nil
	}
	if err := r.Check(); err != nil {
		return Retention{}, err
	}
	return r, nil
}

// boolWord reads a boolean inside a property string. Source: PVE::JSONSchema
// parse_boolean.
func boolWord(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "1", "on", "yes", "true":
		return true, true
	case "0", "off", "no", "false":
		return false, true
	default:
		return false, false
	}
}
