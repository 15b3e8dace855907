package pvesim

import (
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	base := "/cluster/ha/resources"
	routes(map[string]handler{
		"GET /cluster/ha":                       parts("id", "status resources groups rules"),
		"GET " + base:                           haIndex,
		"POST " + base:                          haCreate,
		"GET " + base + "/{sid}":                haRead,
		"PUT " + base + "/{sid}":                haUpdate,
		"DELETE " + base + "/{sid}":             haDelete,
		"POST " + base + "/{sid}/migrate":       haMigrate,
		"POST " + base + "/{sid}/relocate":      haMigrate,
		"GET /cluster/ha/status":                parts("name", "current manager_status"),
		"GET /cluster/ha/status/current":        haCurrent,
		"GET /cluster/ha/status/manager_status": haManagerStatus,
	})
}

// haManagerFile is written by the manager of high availability; where it is
// missing, none runs, and what is asked for is only noted.
const haManagerFile = "ha/manager_status"

func (s *Server) haRuns() bool { return s.files[haManagerFile] != "" }

func (s *Server) haEntries() []*conf.Entry { return conf.ParseSections(s.files[haFile]) }

// haSid is the type and number of what a call names: ct:100, vm:200 or only
// the number. Source: PVE::HA::Config parse_sid.
func (c *call) haSid() (kind, id string, err error) {
	kind, id, found := strings.Cut(c.str("sid"), ":")
	if found {
		return kind, id, nil
	}
	g := c.s.find(c.int("sid"))
	if g == nil {
		return "", "", die("resource '%s' does not exist in cluster", kind)
	}
	return haType(g.kind), kind, nil
}

func (c *call) haFind() (*conf.Entry, string, error) {
	kind, id, err := c.haSid()
	if err != nil {
		return nil, c.str("sid"), err
	}
	for _, e := range c.s.haEntries() {
		if e.Type == kind && e.ID == id {
			return e, kind + ":" + id, nil
		}
	}
	return nil, kind + ":" + id, nil
}

// haJSON is a resource as answers show it.
func (s *Server) haJSON(e *conf.Entry) object {
	out := object{"sid": e.Type + ":" + e.ID, "type": e.Type, "digest": digestOf(s.files[haFile])}
	for _, key := range e.Keys {
		out[key] = e.Values[key]
		if n, err := strconv.Atoi(e.Values[key]); err == nil && key != "comment" {
			out[key] = n
		}
	}
	return out
}

func haIndex(c *call) (any, error) {
	out := []object{}
	for _, e := range c.s.haEntries() {
		if !c.has("type") || c.str("type") == e.Type {
			out = append(out, c.s.haJSON(e))
		}
	}
	return out, nil
}

func haRead(c *call) (any, error) {
	e, sid, err := c.haFind()
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, die("no such resource '%s'", sid)
	}
	return c.s.haJSON(e), nil
}

var errGroups = die("invalid parameter 'group': ha groups have been migrated to rules")

// haCreate puts a guest under management. Source: PVE::API2::HA::Resources create.
func haCreate(c *call) (any, error) {
	if c.has("group") {
		return nil, errGroups
	}
	kind, id, err := c.haSid()
	if err != nil {
		return nil, err
	}
	if kind != "ct" && kind != "vm" {
		return nil, die("unknown section type '%s'", kind)
	}
	sid := kind + ":" + id
	g := c.s.find(number(id, 0))
	switch {
	case g == nil:
		return nil, die("resource '%s' does not exist in cluster", sid)
	case haType(g.kind) != kind:
		return nil, die("resource '%s' - guest with ID %s is not a %s", sid, id, strings.ToUpper(kind))
	case c.s.haEntry(g) != nil:
		return nil, die("create resource failed: resource ID '%s' already defined", sid)
	}
	e := conf.NewEntry(kind, id)
	c.haSetKeys(e)
	c.s.write(haFile, conf.PrintSections(append(c.s.haEntries(), e)))
	c.s.haAct(g, e.Values["state"])
	return nil, nil
}

func (c *call) haSetKeys(e *conf.Entry) {
	for _, key := range words("comment failback max_relocate max_restart state") {
		if c.has(key) {
			e.Set(key, c.str(key))
		}
	}
}

// haUpdate changes a resource. Source: PVE::API2::HA::Resources update.
func haUpdate(c *call) (any, error) {
	if c.has("group") {
		return nil, errGroups
	}
	if d := c.str("digest"); d != "" && d != digestOf(c.s.files[haFile]) {
		return nil, die("update resources config failed: detected modified configuration - file changed by other user? Try again.")
	}
	kind, id, err := c.haSid()
	if err != nil {
		return nil, err
	}
	entries := c.s.haEntries()
	for _, e := range entries {
		if e.Type != kind || e.ID != id {
			continue
		}
		for _, key := range splitList(c.str("delete")) {
			e.Delete(key)
		}
		c.haSetKeys(e)
		c.s.write(haFile, conf.PrintSections(entries))
		if g := c.s.find(number(id, 0)); g != nil && c.has("state") {
			c.s.haAct(g, c.str("state"))
		}
		return nil, nil
	}
	return nil, die("update resources config failed: no such resource '%s:%s'", kind, id)
}

func haDelete(c *call) (any, error) {
	kind, id, err := c.haSid()
	if err != nil {
		return nil, err
	}
	if g := c.s.find(number(id, 0)); g != nil && haType(g.kind) == kind && c.s.haRemove(g) {
		return nil, nil
	}
	return nil, die("cannot delete service '%s:%s', not HA managed!", kind, id)
}

// haAct is what the manager does about a state that is asked for.
func (s *Server) haAct(g *guest, state string) {
	if !s.haRuns() {
		return
	}
	switch state {
	case "", "started", "enabled":
		if !s.isRunning(g.vmid) && !g.template() {
			s.setRunning(g.vmid, true)
		}
	case "stopped":
		s.setRunning(g.vmid, false)
	}
}

// haMigrate asks the manager to move a guest.
func haMigrate(c *call) (any, error) {
	e, sid, err := c.haFind()
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, die("no such resource '%s'", sid)
	}
	return object{"sid": sid, "requested-node": c.str("node")}, nil
}

// haCurrent lists quorum, manager and resources.
// Source: PVE::API2::HA::Status status.
func haCurrent(c *call) (any, error) {
	out := []object{{"id": "quorum", "type": "quorum", "node": c.node.name, "status": "OK", "quorate": 1}}
	if c.s.haRuns() {
		out = append(out, object{"id": "master", "type": "master", "node": c.s.entry().name, "status": c.s.entry().name + " (active)"})
	}
	for _, e := range c.s.haEntries() {
		g := c.s.find(number(e.ID, 0))
		if g == nil {
			continue
		}
		sid, state := e.Type+":"+e.ID, "queued"
		if s, ok := c.s.haState(g)["state"].(string); ok {
			state = s
		}
		row := c.s.haJSON(e)
		delete(row, "digest")
		row["id"], row["type"], row["node"], row["status"] = "service:"+sid, "service", g.node, sid+" ("+g.node+", "+state+")"
		row["state"], row["crm_state"], row["request_state"] = state, state, wantedState(e)
		out = append(out, row)
	}
	return out, nil
}

func haManagerStatus(c *call) (any, error) {
	status := object{}
	for _, e := range c.s.haEntries() {
		if g := c.s.find(number(e.ID, 0)); g != nil {
			status[e.Type+":"+e.ID] = object{"node": g.node, "state": c.s.haState(g)["state"]}
		}
	}
	return object{"manager_status": object{"service_status": status}, "quorum": object{"node": c.node.name, "quorate": "1"}, "lrm_status": object{}}, nil
}

// wantedState is the state that is asked for, started unless it is given.
func wantedState(e *conf.Entry) string {
	if s := e.Values["state"]; s != "" && s != "enabled" {
		return s
	}
	return "started"
}
