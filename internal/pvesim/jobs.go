package pvesim

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/calendar"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

const jobsFile = "jobs.cfg"

// jobSchema are the keys of a backup job in its file.
// Source: PVE::VZDump::JobBase, PVE::Jobs::VZDump.
func (s *Server) jobSchema() schema.Object {
	keys := schema.Object{}
	for name, prop := range s.table.Group("vzdump") {
		keys[name] = prop
	}
	create := s.table.Method("POST", "/cluster/backup").Props
	for _, name := range []string{"schedule", "enabled", "comment", "repeat-missed"} {
		keys[name] = create[name]
	}
	delete(keys, "maxfiles")
	return keys
}

// jobs are the backup jobs of the cluster as its parser sees them: keys that
// are unknown or wrong are dropped, a job without schedule is skipped.
func (s *Server) jobs() []*conf.Entry {
	var out []*conf.Entry
	keys := s.jobSchema()
	for _, e := range conf.ParseSections(s.files[jobsFile]) {
		if e.Type != "vzdump" {
			continue
		}
		kept := conf.NewEntry(e.Type, e.ID)
		for _, key := range e.Keys {
			if value, ok := s.jobValue(keys[key], key, e.Values[key]); ok {
				kept.Set(key, value)
			}
		}
		if kept.Values["schedule"] != "" {
			out = append(out, kept)
		}
	}
	return out
}

func (s *Server) jobValue(p *schema.Prop, key, value string) (string, bool) {
	switch {
	case p == nil:
		return "", false
	case p.Type == "boolean":
		return schema.ParseBool(value)
	case p.Type == "integer":
		_, err := strconv.Atoi(value)
		return value, err == nil
	case p.Format != "" && s.table.CheckFormat(p.Format, value, key) != nil:
		return "", false
	case p.Enum != nil:
		return value, slices.Contains(p.Enum, value)
	}
	return value, true
}

// job finds a backup job, nil if there is none.
func (s *Server) job(id string) *conf.Entry {
	for _, e := range s.jobs() {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// saveJobs writes the backup jobs; sections of other types stay.
func (s *Server) saveJobs(jobs []*conf.Entry) {
	var all []*conf.Entry
	for _, e := range conf.ParseSections(s.files[jobsFile]) {
		if e.Type != "vzdump" {
			all = append(all, e)
		}
	}
	for _, e := range jobs {
		sort.Slice(e.Keys, func(i, k int) bool {
			// What has to be there comes first. Source: PVE::SectionConfig format_config.
			if first := e.Keys[i] == "schedule"; first || e.Keys[k] == "schedule" {
				return first
			}
			return e.Keys[i] < e.Keys[k]
		})
		all = append(all, e)
	}
	s.write(jobsFile, conf.PrintSections(all))
}

// jobObjects are the keys that a read returns as objects.
// Source: PVE::VZDump::JobBase decode_value.
var jobObjects = map[string]string{
	"prune-backups": "prune-backups", "fleecing": "backup-fleecing", "performance": "backup-performance",
}

// jobJSON is a job as a read returns it.
func (s *Server) jobJSON(e *conf.Entry) object {
	keys := s.jobSchema()
	out := object{"id": e.ID, "type": e.Type}
	for key, value := range e.Values {
		p := keys[key]
		switch {
		case jobObjects[key] != "":
			out[key] = s.jobObject(jobObjects[key], value)
		case p.Type == "array":
			out[key] = strings.Split(value, "\n")
		case p.Type == "boolean" || p.Type == "integer":
			n, _ := strconv.Atoi(value) // jobValue has checked it
			out[key] = n
		default:
			out[key] = value
		}
	}
	return out
}

// jobObject is a property string as an object: booleans are numbers, integers
// stay text. Source: PVE::JSONSchema parse_property_string.
func (s *Server) jobObject(format, text string) object {
	out := object{}
	keys, err := s.table.Parse(format, text, "")
	if err != nil {
		return out
	}
	for key, value := range keys {
		if s.table.Format(format)[key].Type == "boolean" {
			out[key] = number(value, 0)
			continue
		}
		out[key] = value
	}
	return out
}

// nextRun is when a job that is enabled runs next, in seconds; 0 if never.
func (s *Server) nextRun(e *conf.Entry) int64 {
	event, err := calendar.Parse(e.Values["schedule"])
	if err != nil || e.Values["enabled"] == "0" {
		return 0
	}
	next, ok := event.Next(s.now().UTC())
	if !ok {
		return 0
	}
	return next.Unix()
}

// selected are the guests a job or a vzdump call names, by number; a number
// that no guest has is listed as missing.
//
// Source: PVE::VZDump get_included_guests.
func (s *Server) selected(values map[string]string) (found []*guest, missing []int) {
	exclude := splitList(values["exclude"])
	take := func(g *guest) bool {
		return (values["node"] == "" || values["node"] == g.node) && !slices.Contains(exclude, strconv.Itoa(g.vmid))
	}
	var ids []string
	switch {
	case values["pool"] != "":
		if pool := s.users().Pools[values["pool"]]; pool != nil {
			ids = slices.Clone(pool.VMs)
		}
	case values["vmid"] != "":
		ids = splitList(values["vmid"])
	default:
		for _, g := range s.guests() {
			if take(g) {
				found = append(found, g)
			}
		}
		return found, nil
	}
	for _, id := range ids {
		n := number(id, 0)
		g := s.find(n)
		switch {
		case g != nil && take(g):
			found = append(found, g)
		case g == nil && values["vmid"] != "":
			missing = append(missing, n)
		}
	}
	sort.Slice(found, func(i, k int) bool { return found[i].vmid < found[k].vmid })
	slices.Sort(missing)
	return found, missing
}
