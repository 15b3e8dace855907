package conf

import (
	"regexp"
	"strings"
)

// Firewall is a firewall file: of a guest, a node or the cluster.
type Firewall struct {
	Options map[string]string
	Aliases []*Alias
	Sets    []*AddressSet
	Rules   []Rule
	Groups  []*RuleGroup // of the cluster only
}

// Alias is a name for a network.
type Alias struct{ Name, CIDR, Comment string }

// AddressSet is a named set of networks.
type AddressSet struct {
	Name, Comment string
	Entries       []*AddressEntry
}

// AddressEntry is a network of a set, or with NoMatch an exception.
type AddressEntry struct {
	CIDR, Comment string
	NoMatch       bool
}

// RuleGroup is a named list of rules.
type RuleGroup struct {
	Name, Comment string
	Rules         []Rule
}

// Rule is a rule by the names of the API; enable is "0" or "1".
type Rule map[string]string

var (
	fwSection = regexp.MustCompile(`^\[(\w+)(?:\s+([^\s\]]+))?\]\s*(?:#\s*(.*?)\s*)?$`)
	fwOption  = regexp.MustCompile(`^([a-z_]+):\s*(.*\S)\s*$`)
	fwType    = regexp.MustCompile(`^(?:in|out|forward|group)$`)
	fwMacro   = regexp.MustCompile(`^(\w+)\((\w+)\)$`)
)

// ruleOptions are the options of a rule in the order in which they are written.
var ruleOptions = [][2]string{
	{"iface", "-i"}, {"source", "-source"}, {"dest", "-dest"}, {"proto", "-p"}, {"dport", "-dport"},
	{"sport", "-sport"}, {"log", "-log"}, {"icmp-type", "-icmp-type"},
}

// ParseFirewall reads a firewall file. Source: PVE::Firewall generic_fw_config_parser.
func ParseFirewall(text string) *Firewall {
	f := &Firewall{Options: map[string]string{}}
	section, group := "", (*RuleGroup)(nil)
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if m := fwSection.FindStringSubmatch(line); m != nil {
			section = strings.ToLower(m[1])
			named := section == "ipset" || section == "group"
			switch {
			case named != (m[2] != ""):
				section = ""
			case section == "ipset":
				f.Sets = append(f.Sets, &AddressSet{Name: m[2], Comment: m[3]})
			case section == "group":
				group = &RuleGroup{Name: m[2], Comment: m[3]}
				f.Groups = append(f.Groups, group)
			}
			continue
		}
		f.readLine(section, group, line)
	}
	return f
}

func (f *Firewall) readLine(section string, group *RuleGroup, line string) {
	body, comment, _ := strings.Cut(line, "#")
	body, comment = strings.TrimSpace(body), strings.TrimSpace(comment)
	switch section {
	case "options":
		if m := fwOption.FindStringSubmatch(line); m != nil {
			f.Options[m[1]] = m[2]
		}
	case "aliases":
		if part := strings.Fields(body); len(part) == 2 {
			f.Aliases = append(f.Aliases, &Alias{part[0], part[1], comment})
		}
	case "ipset":
		cidr, not := strings.CutPrefix(body, "!")
		if len(strings.Fields(cidr)) != 1 {
			return
		}
		set := f.Sets[len(f.Sets)-1]
		set.Entries = append(set.Entries, &AddressEntry{strings.TrimSpace(cidr), comment, not})
	case "rules":
		if r := parseRule(body, comment); r != nil {
			f.Rules = append(f.Rules, r)
		}
	case "group":
		if r := parseRule(body, comment); r != nil {
			group.Rules = append(group.Rules, r)
		}
	}
}

// parseRule reads a rule; nil means that the line is none.
func parseRule(body, comment string) Rule {
	r := Rule{"enable": "1"}
	if rest, off := strings.CutPrefix(body, "|"); off {
		r["enable"], body = "0", rest
	}
	if comment != "" {
		r["comment"] = comment
	}
	part := strings.Fields(body)
	if len(part) < 2 {
		return nil
	}
	r["type"], r["action"] = strings.ToLower(part[0]), part[1]
	if !fwType.MatchString(r["type"]) {
		return nil
	}
	if m := fwMacro.FindStringSubmatch(part[1]); m != nil {
		r["macro"], r["action"] = m[1], m[2]
	}
	for i := 2; i+1 < len(part); i += 2 {
		for _, o := range ruleOptions {
			if o[1] == part[i] {
				r[o[0]] = part[i+1]
			}
		}
	}
	return r
}

func (r Rule) print() string {
	action := r["action"]
	if r["macro"] != "" {
		action = r["macro"] + "(" + action + ")"
	}
	out := strings.ToUpper(r["type"]) + " " + action
	if r["enable"] != "1" {
		out = "|" + out
	}
	for _, o := range ruleOptions {
		if v := r[o[0]]; v != "" {
			out += " " + o[1] + " " + v
		}
	}
	return out + note(r["comment"]) + "\n"
}

func note(comment string) string {
	if comment == "" {
		return ""
	}
	return " # " + comment
}

// Print writes the file; what is empty is left out.
func (f *Firewall) Print() string {
	var b strings.Builder
	if len(f.Options) > 0 {
		b.WriteString("[OPTIONS]\n\n")
		for _, key := range sorted(f.Options) {
			b.WriteString(key + ": " + f.Options[key] + "\n")
		}
		b.WriteString("\n")
	}
	if len(f.Aliases) > 0 {
		b.WriteString("[ALIASES]\n\n")
		for _, a := range f.Aliases {
			b.WriteString(a.Name + " " + a.CIDR + note(a.Comment) + "\n")
		}
		b.WriteString("\n")
	}
	for _, s := range f.Sets {
		b.WriteString("[IPSET " + s.Name + "]" + note(s.Comment) + "\n\n")
		for _, e := range s.Entries {
			if e.NoMatch {
				b.WriteString("!")
			}
			b.WriteString(e.CIDR + note(e.Comment) + "\n")
		}
		b.WriteString("\n")
	}
	if len(f.Rules) > 0 {
		b.WriteString("[RULES]\n\n")
		for _, r := range f.Rules {
			b.WriteString(r.print())
		}
		b.WriteString("\n")
	}
	for _, g := range f.Groups {
		b.WriteString("[group " + g.Name + "]" + note(g.Comment) + "\n\n")
		for _, r := range g.Rules {
			b.WriteString(r.print())
		}
		b.WriteString("\n")
	}
	return b.String()
}
