package conf

import (
	"regexp"
	"strings"
)

// Entry is one section of a section file: a type, an identifier and keys.
type Entry struct {
	Type, ID string
	Keys     []string // in the order of the file
	Values   map[string]string
}

// Set puts a key, at the end if it is new.
func (e *Entry) Set(key, value string) {
	if _, ok := e.Values[key]; !ok {
		e.Keys = append(e.Keys, key)
	}
	e.Values[key] = value
}

// Delete removes a key.
func (e *Entry) Delete(key string) {
	delete(e.Values, key)
	kept := e.Keys[:0]
	for _, k := range e.Keys {
		if k != key {
			kept = append(kept, k)
		}
	}
	e.Keys = kept
}

// NewEntry returns an entry without keys.
func NewEntry(kind, id string) *Entry {
	return &Entry{Type: kind, ID: id, Values: map[string]string{}}
}

var (
	entryHeader = regexp.MustCompile(`^(\S+):\s*(\S+)\s*$`)
	entryKey    = regexp.MustCompile(`^\s+(\S+)(?:\s+(.*\S))?\s*$`)
)

// ParseSections reads a section file such as storage.cfg, jobs.cfg or
// ha/resources.cfg. A key without value stands for 1; the values of a key that
// is repeated are joined by line feeds.
//
// Source: PVE::SectionConfig parse_config.
func ParseSections(text string) []*Entry {
	var out []*Entry
	var at *Entry
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "":
			at = nil
		case strings.HasPrefix(strings.TrimSpace(line), "#"):
		case at == nil:
			if m := entryHeader.FindStringSubmatch(line); m != nil {
				at = NewEntry(m[1], m[2])
				out = append(out, at)
			}
		default:
			if m := entryKey.FindStringSubmatch(line); m != nil {
				if m[2] == "" {
					m[2] = "1"
				}
				if before, again := at.Values[m[1]]; again {
					m[2] = before + "\n" + m[2]
				}
				at.Set(m[1], m[2])
			}
		}
	}
	return out
}

// PrintSections writes a section file.
func PrintSections(entries []*Entry) string {
	var b strings.Builder
	for i, e := range entries {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(e.Type + ": " + e.ID + "\n")
		for _, k := range e.Keys {
			for value := range strings.SplitSeq(e.Values[k], "\n") {
				b.WriteString("\t" + k + " " + value + "\n")
			}
		}
	}
	return b.String()
}
