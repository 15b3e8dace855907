package pvesim

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/lxc":                       lxcIndex,
		"GET /nodes/{node}/lxc/{vmid}":                lxcParts,
		"GET /nodes/{node}/lxc/{vmid}/config":         lxcConfig,
		"GET /nodes/{node}/lxc/{vmid}/pending":        lxcPending,
		"GET /nodes/{node}/lxc/{vmid}/status":         parts("subdir", "current start stop shutdown reboot migrate"),
		"GET /nodes/{node}/lxc/{vmid}/status/current": lxcCurrent,
		"GET /nodes/{node}/lxc/{vmid}/interfaces":     lxcInterfaces,
	})
}

func lxcIndex(c *call) (any, error) {
	out := []object{}
	for _, g := range c.s.guests() {
		if g.kind == kindLXC && g.node == c.node.name && c.may(vmPath(g.vmid), "VM.Audit") {
			out = append(out, c.s.status(g))
		}
	}
	return out, nil
}

func lxcParts(c *call) (any, error) {
	if _, err := c.container(); err != nil {
		return nil, err
	}
	return parts("subdir", "config pending status vncproxy termproxy vncwebsocket spiceproxy migrate clone rrd rrddata firewall snapshot resize interfaces")(c)
}

func lxcConfig(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	out, err := c.s.config(g, c.flag("current"), c.str("snapshot"))
	if err == nil && !c.may(vmPath(g.vmid), "VM.Config.Options") {
		delete(out, "env")
	}
	return out, err
}

func lxcPending(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	return c.s.pendingRows(g), nil
}

func lxcCurrent(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	out := c.s.status(g)
	out["ha"] = c.s.haState(g)
	return out, nil
}

// status is a guest's row of figures. Those of a started guest are made up.
// Source: PVE::LXC vmstatus.
func (s *Server) status(g *guest) object {
	if g.kind == kindQEMU {
		return s.vmStatus(g)
	}
	memory := int64(number(g.Values["memory"], 512)) * mib
	swap := int64(number(g.Values["swap"], 0)) * mib
	out := object{
		"vmid": g.vmid, "type": "lxc", "status": "stopped", "name": g.Values["hostname"], "cpus": containerCPUs(g),
		"cpu": 0, "mem": 0, "maxmem": memory, "swap": 0, "maxswap": swap, "disk": 0, "maxdisk": rootSize(s, g),
		"uptime": 0, "netin": 0, "netout": 0, "diskread": 0, "diskwrite": 0,
	}
	if g.Values["hostname"] == "" {
		out["name"] = "CT" + vmPath(g.vmid)[len("/vms/"):]
	}
	for _, key := range []string{"lock", "tags"} {
		if v := g.Values[key]; v != "" {
			out[key] = v
		}
	}
	if g.template() {
		out["template"] = 1
	}
	if p := s.running[g.vmid]; p != nil {
		out["status"], out["pid"] = "running", p.pid
		out["uptime"] = int64(s.now().Sub(p.since).Seconds())
		out["mem"], out["disk"] = memory/8, 2154496
		out["maxdisk"] = fileSystem(rootSize(s, g))
	}
	return out
}

// containerCPUs are the cores, else the limit, else all of the node.
func containerCPUs(g *guest) any {
	limit := g.Values["cpulimit"]
	if g.Values["cores"] == "" && limit != "" && limit != "0" {
		return limit
	}
	return number(g.Values["cores"], nodeCPUs)
}

func rootSize(s *Server, g *guest) int64 {
	if m := s.mount(kindLXC, "rootfs", g.Values["rootfs"]); m != nil && m.size > 0 {
		return m.size
	}
	return 4 * gib
}

// fileSystem is what the file system in a volume of this size has room for,
// which is what a started container shows: about 5 % less.
func fileSystem(size int64) int64 { return size / 4096 * 9506 / 10000 * 4096 }

// lxcInterfaces are the addresses a started container has; a stopped one, or
// none at all, answers null.
func lxcInterfaces(c *call) (any, error) {
	g, err := c.container()
	if err != nil || !c.s.isRunning(g.vmid) {
		return nil, nil //nolint:nilerr // a missing container answers null too
	}
	return c.s.interfaces(g), nil
}
