package pvesim

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	notesEscape   = regexp.MustCompile(`\\(.)`)
	notesVariable = regexp.MustCompile(`\{\{([^\s{}]+)\}\}`)
)

// verifyNotes is what is wrong with a notes template, empty if nothing is.
// Source: PVE::VZDump verify_notes_template.
func verifyNotes(template string) string {
	if strings.Contains(template, "\n") {
		return "contains a line feed"
	}
	var unknown []string
	for _, m := range notesEscape.FindAllStringSubmatchIndex(template, -1) {
		if c := template[m[2]:m[3]]; c != "n" && c != `\` {
			unknown = append(unknown, fmt.Sprintf("escape sequence '\\%s' at char %d", c, m[1]))
		}
	}
	for _, m := range notesVariable.FindAllStringSubmatchIndex(template, -1) {
		switch name := template[m[2]:m[3]]; name {
		case "cluster", "guestname", "node", "vmid":
		default:
			unknown = append(unknown, fmt.Sprintf("variable '%s' at char %d", name, m[1]-len(name)))
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	return "found unknown: " + strings.Join(unknown, ", ")
}

// notes fills in a notes template. Source: PVE::VZDump generate_notes.
func (s *Server) notes(template string, g *guest) string {
	return strings.NewReplacer(
		`\n`, "\n", `\\`, `\`,
		"{{cluster}}", "standalone node", "{{guestname}}", g.displayName(), "{{node}}", g.node, "{{vmid}}", fmt.Sprint(g.vmid),
	).Replace(template)
}
