package pvesim

import (
	"maps"
	"strings"
)

func init() {
	routes(map[string]handler{"GET /cluster/resources": resources})
}

// resources are the rows of the whole cluster that the caller may see.
//
// Source: PVE::API2::Cluster resources.
func resources(c *call) (any, error) {
	c.s.renewFigures()
	want := func(kind string) bool { return !c.has("type") || c.str("type") == kind }
	out := []object{}
	if !c.has("type") {
		out = append(out, c.poolRows()...)
	}
	if want("vm") {
		for _, g := range c.s.guests() {
			if c.may(vmPath(g.vmid), "VM.Audit") {
				out = append(out, c.s.guestRow(g))
			}
		}
	}
	if want("node") {
		for _, n := range c.s.nodes {
			out = append(out, c.nodeRow(n))
		}
	}
	if want("storage") {
		out = append(out, c.storageRows()...)
	}
	if !c.has("type") && c.may("/sdn/zones/localnetwork", "SDN.Audit") {
		for _, n := range c.s.nodes {
			out = append(out, object{
				"id": "network/" + n.name + "/zone/localnetwork", "type": "network", "network-type": "zone",
				"network": "localnetwork", "node": n.name, "status": "ok",
			})
		}
	}
	return out, nil
}

func (c *call) poolRows() []object {
	var out []object
	users := c.s.users()
	for _, id := range sortedKeys(users.Pools) {
		if c.may("/pool/"+id, "Pool.Audit") {
			out = append(out, object{"id": "/pool/" + id, "pool": id, "type": "pool"})
		}
	}
	return out
}

// figures are what the nodes have last told of a guest: always the newest,
// or with Options.StatusCycle those of the last cycle, in which a guest that
// is newer is unknown. Source: PVE::API2Tools extract_vm_stats.
func (s *Server) figures(g *guest) object {
	if s.opts.StatusCycle <= 0 {
		return s.liveFigures(g)
	}
	if row, ok := s.told[g.vmid]; ok {
		return row
	}
	return object{"status": "unknown"}
}

// renewFigures begins a new cycle if the last is over.
func (s *Server) renewFigures() {
	now := s.now()
	if s.opts.StatusCycle <= 0 || now.Sub(s.toldAt) < s.opts.StatusCycle {
		return
	}
	s.toldAt, s.told = now, map[int]object{}
	for _, g := range s.guests() {
		s.told[g.vmid] = s.liveFigures(g)
	}
}

func (s *Server) liveFigures(g *guest) object {
	row := object{"template": flagValue(g.template())}
	for key, v := range s.status(g) {
		switch key {
		case "uptime":
			if s.isRunning(g.vmid) {
				row[key] = v
			}
		case "status", "name", "maxmem", "mem", "maxdisk", "disk", "cpu", "netin", "netout", "diskread", "diskwrite":
			row[key] = v
		case "cpus":
			row["maxcpu"] = v
		}
	}
	return row
}

// guestRow is a guest in the list of resources.
func (s *Server) guestRow(g *guest) object {
	api := apiName(g.kind)
	row := object{"id": api + "/" + strings.TrimPrefix(vmPath(g.vmid), "/vms/"), "vmid": g.vmid, "node": g.node, "type": api}
	if pool := poolOf(s.access(), vmPath(g.vmid)); pool != "" {
		row["pool"] = pool
	}
	if n := s.node(g.node); n != nil && n.down {
		row["status"] = "unknown"
	} else {
		maps.Copy(row, s.figures(g))
	}
	for _, key := range []string{"lock", "tags"} {
		if v := g.Values[key]; v != "" {
			row[key] = v
		}
	}
	return row
}

func (c *call) storageRows() []object {
	var out []object
	for _, st := range c.s.storages() {
		for _, n := range c.s.nodes {
			if st.disabled() || !st.on(n.name) || !c.may("/storage/"+st.ID, "Datastore.Audit") {
				continue
			}
			row := object{
				"id": "storage/" + n.name + "/" + st.ID, "storage": st.ID, "node": n.name, "type": "storage",
				"plugintype": st.Type, "content": st.contentText(), "shared": flagValue(st.shared()), "status": "unknown",
			}
			if !n.down && !c.s.knobs.offline[st.ID] {
				total, used := c.s.space(st, n.name)
				row["status"], row["maxdisk"], row["disk"] = "available", total, used
			}
			out = append(out, row)
		}
	}
	return out
}
