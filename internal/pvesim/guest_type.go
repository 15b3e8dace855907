package pvesim

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

// extra are keys of files that no call accepts.
var extra = map[string]*schema.Prop{
	"parent":           {Type: "string"},
	"snaptime":         {Type: "integer"},
	"snapstate":        {Type: "string"},
	"vmstate":          {Type: "string"},
	"runningmachine":   {Type: "string"},
	"runningcpu":       {Type: "string"},
	"meta":             {Type: "string"},
	"lock":             {Type: "string"},
	"fleecing-images":  {Type: "string"},
	"running-nets-mtu": {Type: "string"},
}

// prop is the schema of a key of a guest's file.
func (s *Server) prop(k kind, key string) *schema.Prop {
	if p := s.table.Group(apiName(k) + "-config")[key]; p != nil {
		return p
	}
	return extra[key]
}

var quoted = regexp.MustCompile(`^"(.*)"$`)

// checker decides about the values of a guest's file: the container parser
// keeps what it can not parse, that of virtual machines drops it.
//
// Source: PVE::LXC::Config check_type, PVE::QemuServer check_type.
func (s *Server) checker(k kind) conf.Check {
	return func(key, value string) (string, bool) {
		if k == kindQEMU && key == "cdrom" {
			key = "ide2"
		}
		p := s.prop(k, key)
		if p == nil {
			return value, k == kindLXC
		}
		ok := true
		switch p.Type {
		case "boolean":
			value, ok = schema.ParseBool(value)
		case "integer":
			_, err := strconv.ParseUint(value, 10, 63)
			ok = err == nil
		case "number":
			_, err := strconv.ParseFloat(value, 64)
			ok = err == nil
		default:
			if key == "cpu" && (strings.HasPrefix(value, "custom-") || strings.Contains(value, "reported-model=")) {
				ok = false // there are no custom models here, and only those may report another
			} else if p.Format != "" {
				ok = s.table.CheckFormat(p.Format, value, key) == nil
			} else if m := quoted.FindStringSubmatch(value); m != nil && k == kindQEMU {
				value = m[1]
			}
		}
		return value, ok || k == kindLXC
	}
}

// typed is a value as JSON shows it: numbers and booleans of the schema as
// numbers, everything else as text.
func (s *Server) typed(k kind, key, value string) any {
	p := s.prop(k, key)
	if p == nil || p.Type != "boolean" && p.Type != "integer" {
		return value
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return n
	}
	return value
}

// section is a part of a guest's file as JSON shows it.
func (s *Server) section(k kind, sec *conf.Section) object {
	out := object{}
	for key, value := range sec.Values {
		out[key] = s.typed(k, key, value)
	}
	if sec.Description != "" {
		out["description"] = description(k, sec.Description)
	}
	if len(sec.Raw) > 0 {
		out["lxc"] = sec.Raw
	}
	return out
}

// description ends with a newline for containers, without for virtual machines.
func description(k kind, text string) string {
	if k == kindQEMU {
		return strings.TrimRight(text, " \t\r\n")
	}
	return text
}

// merged is the main section with the pending changes in it.
// Source: PVE::GuestHelpers, PVE::AbstractConfig load_current_config.
func (g *guest) merged() *conf.Section {
	out := g.Section.Clone()
	for key, value := range g.Pending.Values {
		if key != "delete" {
			out.Values[key] = value
		}
	}
	if g.Pending.Description != "" {
		out.Description = g.Pending.Description
	}
	for key := range g.pendingDelete() {
		delete(out.Values, key)
	}
	return out
}

// pendingDelete are the keys to be deleted, with true for those by force.
func (g *guest) pendingDelete() map[string]bool {
	out := map[string]bool{}
	for key := range strings.SplitSeq(g.Pending.Values["delete"], ",") {
		if key == "" {
			continue
		}
		name, force := strings.CutPrefix(key, "!")
		out[name] = force
	}
	return out
}

// setPendingDelete writes the keys to be deleted.
func (g *guest) setPendingDelete(keys map[string]bool) {
	var out []string
	for _, key := range sortedKeys(keys) {
		if keys[key] {
			key = "!" + key
		}
		out = append(out, key)
	}
	if len(out) == 0 {
		delete(g.Pending.Values, "delete")
		return
	}
	g.Pending.Values["delete"] = strings.Join(out, ",")
}

// config answers GET …/config of either kind.
func (s *Server) config(g *guest, current bool, snapshot string) (object, error) {
	sec := g.merged()
	switch {
	case snapshot != "" && current:
		return nil, wrongParams(schema.Errors{
			"snapshot": "cannot use 'snapshot' parameter with 'current'",
			"current":  "cannot use 'snapshot' parameter with 'current'",
		})
	case snapshot != "":
		if sec = g.Snapshots[snapshot]; sec == nil {
			return nil, die("snapshot '%s' does not exist", snapshot)
		}
	case current:
		sec = &g.Section
	}
	out := s.section(g.kind, sec)
	out["digest"] = g.Digest
	return out, nil
}

// pendingRows answers GET …/pending of either kind.
// Source: PVE::GuestHelpers config_with_pending_array.
func (s *Server) pendingRows(g *guest) []object {
	out := []object{}
	main := s.section(g.kind, &g.Section)
	waiting := s.section(g.kind, g.Pending)
	deleted := g.pendingDelete()
	delete(waiting, "delete")
	for _, key := range sortedKeys(main) {
		row := object{"key": key, "value": main[key]}
		if v, ok := waiting[key]; ok {
			row["pending"] = v
		}
		if force, ok := deleted[key]; ok {
			row["delete"] = map[bool]int{false: 1, true: 2}[force]
		}
		out = append(out, row)
	}
	for _, key := range sortedKeys(waiting) {
		if _, known := main[key]; !known {
			out = append(out, object{"key": key, "pending": waiting[key]})
		}
	}
	out = append(out, object{"key": "digest", "value": g.Digest})
	return out
}

func splitList(s string) []string { return schema.SplitList(s) }
