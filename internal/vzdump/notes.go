package vzdump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxNotesTemplate is the length of a notes template, in characters.
// Source: PVE::VZDump::Common, notes-template maxLength.
const MaxNotesTemplate = 1024

// NotesVariables are the names that may stand between {{ and }}.
// Source: PVE::VZDump generate_notes.
func NotesVariables() []string { return []string{"cluster", "guestname", "node", "vmid"} }

// A NotesTemplateError says where a notes template is wrong.
type NotesTemplateError struct {
	Part   string // the part at fault as written, empty when it is the whole
	At     int    // its place, in characters from 1; 0 when it is the whole
	Reason string
}

// Error names the part, its place and the reason.
func (e *NotesTemplateError) Error() string {
	if e.Part == "" {
		return "the notes template " + e.Reason
	}
	return fmt.Sprintf("%s at character %d of the notes template %s", strconv.Quote(e.Part), e.At, e.Reason)
}

// CheckNotesTemplate refuses what Proxmox refuses: an unknown variable, an
// unknown escape, a line break, too long a text. The error is a
// *NotesTemplateError. Source: PVE::VZDump verify_notes_template.
func CheckNotesTemplate(s string) error {
	if n := utf8.RuneCountInString(s); n > MaxNotesTemplate {
		return &NotesTemplateError{Reason: fmt.Sprintf("has %d characters, more than %d", n, MaxNotesTemplate)}
	}
	if strings.ContainsAny(s, "\n\r") {
		return &NotesTemplateError{Reason: `has a line break: it has to be one line, write \n for a new line`}
	}
	for i := 0; i < len(s); {
		at := utf8.RuneCountInString(s[:i]) + 1
		switch {
		case s[i] == '\\':
			if i+1 == len(s) || (s[i+1] != 'n' && s[i+1] != '\\') {
				return &NotesTemplateError{Part: s[i:min(i+2, len(s))], At: at, Reason: `is not an escape: there are \n and \\`}
			}
			i += 2
		case strings.HasPrefix(s[i:], "{{"):
			name, _, closed := strings.Cut(s[i+2:], "}}")
			if closed && !slices.Contains(NotesVariables(), name) {
				return &NotesTemplateError{Part: "{{" + name + "}}", At: at,
					Reason: "is not a variable: there are {{" + strings.Join(NotesVariables(), "}}, {{") + "}}"}
			}
			i += 2
		default:
			i++
		}
	}
	return nil
}

// LiteralNotes is the notes template that gives exactly the text. A text with
// "{{" has none: CheckLiteralNotes refuses it.
func LiteralNotes(text string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(text)
}

// CheckLiteralNotes refuses a text that a notes template cannot give as it is. The
// error is a *NotesTemplateError.
func CheckLiteralNotes(text string) error {
	if i := strings.Index(text, "{{"); i >= 0 {
		return &NotesTemplateError{Part: "{{", At: utf8.RuneCountInString(text[:i]) + 1, Reason: "begins a variable, and these notes are literal"}
	}
	return CheckNotesTemplate(LiteralNotes(text))
}
