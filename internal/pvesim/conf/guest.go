package conf

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// Kind tells which of the two parsers of Proxmox reads a file.
type Kind string

// The folders of /etc/pve/nodes/NODE/ that hold guests.
const (
	LXC  Kind = "lxc"
	QEMU Kind = "qemu-server"
)

// Section is one block of a guest's file.
type Section struct {
	Values      map[string]string
	Raw         [][2]string // lxc.* lines in their order
	Description string      // with one newline for each line
}

// Guest is a guest's file.
type Guest struct {
	Section
	Pending   *Section // never nil
	Snapshots map[string]*Section
	Special   map[string]*Section // [special:NAME] of virtual machines
	Digest    string              // of the text that was read
}

// Check decides what becomes of the text of a key: the text to keep, and
// whether the key is kept at all.
type Check func(key, value string) (text string, keep bool)

// NewSection returns an empty section.
func NewSection() *Section { return &Section{Values: map[string]string{}} }

var (
	headerLine  = regexp.MustCompile(`(?i)^\[([a-z][a-z0-9_\-]+)\]\s*$`)
	specialLine = regexp.MustCompile(`(?i)^\[special:([a-z0-9_\-]+)\]\s*$`)
	pendingLine = map[Kind]*regexp.Regexp{
		LXC:  regexp.MustCompile(`(?i)^\[pve:pending\]\s*$`),
		QEMU: regexp.MustCompile(`(?i)^\[PENDING\]\s*$`),
	}
	rawLine    = regexp.MustCompile(`^(lxc\.[a-z0-9_\-.]+)(?::|\s*=)\s*(.*?)\s*$`)
	descLine   = regexp.MustCompile(`^description:\s*(.*\S)\s*$`)
	deleteLine = regexp.MustCompile(`^delete:\s*(.*\S)\s*$`)
	stateLine  = regexp.MustCompile(`snapstate:\s*(prepare|delete)\s*$`)
	keyLine    = map[Kind]*regexp.Regexp{
		LXC:  regexp.MustCompile(`^([a-z][a-z_]*\d*):\s*(.+?)\s*$`),
		QEMU: regexp.MustCompile(`^([a-z][a-z_\-]*\d*):\s*(.+?)\s*$`),
	}
)

// ParseGuest reads a guest's file. Lines it does not understand are skipped.
//
// Source: PVE::LXC::Config parse_pct_config, PVE::QemuServer parse_vm_config.
func ParseGuest(kind Kind, text string, check Check) *Guest {
	g := &Guest{
		Section:   Section{Values: map[string]string{}},
		Pending:   NewSection(),
		Snapshots: map[string]*Section{},
		Special:   map[string]*Section{},
		Digest:    Digest(text),
	}
	at := &g.Section
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if next := g.section(kind, line); next != nil {
			at = next
			continue
		}
		checked := check
		if g.special(at) {
			checked = keepAll
		}
		at.read(kind, line, at == g.Pending, checked)
	}
	delete(g.Values, "snapstate")
	return g
}

// keepAll is the check of special sections, whose keys are their own.
func keepAll(_, value string) (string, bool) { return value, true }

func (g *Guest) special(at *Section) bool {
	for _, s := range g.Special {
		if s == at {
			return true
		}
	}
	return false
}

// Digest is what Proxmox tells clients of a file's text.
func Digest(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // the hash Proxmox uses
	return hex.EncodeToString(sum[:])
}

// section returns the section that a header line opens, nil for other lines.
func (g *Guest) section(kind Kind, line string) *Section {
	if pendingLine[kind].MatchString(line) {
		*g.Pending = *NewSection()
		return g.Pending
	}
	if m := specialLine.FindStringSubmatch(line); m != nil && kind == QEMU {
		g.Special[m[1]] = NewSection()
		return g.Special[m[1]]
	}
	if m := headerLine.FindStringSubmatch(line); m != nil {
		g.Snapshots[m[1]] = NewSection()
		return g.Snapshots[m[1]]
	}
	return nil
}

func (s *Section) read(kind Kind, line string, pending bool, check Check) {
	if line[0] == '#' {
		s.Description += decode(strings.TrimSuffix(line[1:], "\r")) + "\n"
		return
	}
	if m := rawLine.FindStringSubmatch(line); m != nil && kind == LXC {
		if m[1] == environment {
			s.addEnvironment(m[2])
			return
		}
		s.Raw = append(s.Raw, [2]string{m[1], m[2]})
		return
	}
	if m := descLine.FindStringSubmatch(line); m != nil {
		s.Description += decode(m[1])
		return
	}
	if m := stateLine.FindStringSubmatch(line); m != nil {
		s.Values["snapstate"] = m[1]
		return
	}
	if m := deleteLine.FindStringSubmatch(line); m != nil {
		if pending {
			s.Values["delete"] = m[1]
		}
		return
	}
	m := keyLine[kind].FindStringSubmatch(line)
	if m == nil {
		return
	}
	if text, keep := check(m[1], m[2]); keep {
		s.Values[m[1]] = text
	}
}

// environment is the raw key that holds the variables of the key env, one a line.
const environment = "lxc.environment.runtime"

func (s *Section) addEnvironment(pair string) {
	if old, ok := s.Values["env"]; ok {
		pair = old + "\x00" + pair
	}
	s.Values["env"] = pair
}

// Print writes the file: keys sorted, the description first as comment.
func (g *Guest) Print(kind Kind) string {
	var b strings.Builder
	g.Section.print(&b)
	if len(g.Pending.Values) > 0 || g.Pending.Description != "" {
		b.WriteString(map[Kind]string{LXC: "\n[pve:pending]\n", QEMU: "\n[PENDING]\n"}[kind])
		g.Pending.print(&b)
	}
	for _, name := range sorted(g.Special) {
		fmt.Fprintf(&b, "\n[special:%s]\n", name)
		g.Special[name].print(&b)
	}
	for _, name := range sorted(g.Snapshots) {
		fmt.Fprintf(&b, "\n[%s]\n", name)
		g.Snapshots[name].print(&b)
	}
	return b.String()
}

func (s *Section) print(b *strings.Builder) {
	if s.Description != "" {
		for line := range strings.SplitSeq(strings.TrimRight(s.Description, "\n"), "\n") {
			b.WriteString("#" + encode(line) + "\n")
		}
	}
	for _, key := range sorted(s.Values) {
		if key != "env" {
			b.WriteString(key + ": " + s.Values[key] + "\n")
		}
	}
	if env, ok := s.Values["env"]; ok {
		for pair := range strings.SplitSeq(env, "\x00") {
			b.WriteString(environment + ": " + pair + "\n")
		}
	}
	for _, kv := range s.Raw {
		b.WriteString(kv[0] + ": " + kv[1] + "\n")
	}
}

// Clone copies a section.
func (s *Section) Clone() *Section {
	out := &Section{Values: map[string]string{}, Raw: append([][2]string(nil), s.Raw...), Description: s.Description}
	for k, v := range s.Values {
		out.Values[k] = v
	}
	return out
}

// decode undoes encode; a percent sign that escapes nothing stays.
func decode(s string) string {
	text := escape.ReplaceAllStringFunc(s, func(hex string) string {
		n, _ := strconv.ParseUint(hex[1:], 16, 8) // the pattern has two hex digits
		return string([]byte{byte(n)})
	})
	return strings.ToValidUTF8(text, "\uFFFD")
}

var escape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// encode escapes what a comment line can not hold: control characters, the
// colon, the percent sign and everything beyond ASCII.
// Source: PVE::Tools encode_text.
func encode(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == ':' || c == '%' || c > 0x7e {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
