package pvesim

func init() {
	routes(map[string]handler{
		"GET /nodes":                        nodeIndex,
		"GET /nodes/{node}":                 nodeParts,
		"GET /nodes/{node}/status":          nodeStatus,
		"GET /nodes/{node}/version":         version,
		"GET /nodes/{node}/network":         nodeNetwork,
		"GET /nodes/{node}/network/{iface}": nodeInterface,
		"GET /cluster":                      parts("name", "acme backup backup-info bulk-action ceph config firewall ha jobs log mapping metrics notifications nextid options qemu replication resources status tasks sdn"),
	})
}

// Each node has this hardware.
const (
	nodeCPUs   = 2
	nodeMemory = 16 * gib
	nodeDisk   = 64 * gib
)

// parts answers an index of what lies below a path.
func parts(key, names string) handler {
	return func(*call) (any, error) {
		out := []object{}
		for _, n := range words(names) {
			out = append(out, object{key: n})
		}
		return out, nil
	}
}

func nodeIndex(c *call) (any, error) {
	out := []object{}
	for _, n := range c.s.nodes {
		out = append(out, c.nodeRow(n))
	}
	return out, nil
}

// nodeRow is a node with its figures, if the caller may see them.
func (c *call) nodeRow(n *node) object {
	row := object{"id": "node/" + n.name, "node": n.name, "type": "node", "status": "online"}
	if n.down {
		row["status"] = "offline"
	}
	if !n.down && c.may("/nodes/"+n.name, "Sys.Audit") {
		row["maxcpu"], row["cpu"] = nodeCPUs, 0.01
		row["maxmem"], row["mem"] = nodeMemory, 2*gib
		row["maxdisk"], row["disk"] = nodeDisk, 8*gib
	}
	return row
}

var nodeParts = parts("name", "aplinfo apt capabilities ceph certificates config disks dns firewall hardware hosts journal lxc migrateall netstat network qemu query-oci-repo-tags query-url-metadata replication report rrd rrddata scan sdn services spiceshell startall status stopall storage subscription suspendall syslog tasks termproxy time version vncshell vzdump wakeonlan")

func nodeStatus(c *call) (any, error) {
	return object{
		"pveversion": "pve-manager/" + pveManager + "/" + repoID, "uptime": int64(c.s.now().Sub(c.node.since).Seconds()) + 1,
		"kversion": "Linux 6.17.2-1-pve #1 SMP PREEMPT_DYNAMIC", "cpu": 0.01, "wait": 0, "idle": 0,
		"cpuinfo": object{"cpus": nodeCPUs, "cores": nodeCPUs, "sockets": 1, "model": "Simulated CPU", "mhz": "2000.000", "hvm": "1", "user_hz": 100},
		"memory":  object{"total": nodeMemory, "used": 2 * gib, "free": nodeMemory - 2*gib, "available": nodeMemory - 2*gib},
		"swap":    object{"total": 0, "used": 0, "free": 0},
		"rootfs":  object{"total": nodeDisk, "used": 8 * gib, "free": nodeDisk - 8*gib, "avail": nodeDisk - 8*gib},
		"loadavg": []string{"0.01", "0.02", "0.00"}, "ksm": object{"shared": 0},
	}, nil
}

// bridge is what each node has to attach guests to.
const bridge = "vmbr0"

func bridgeRow(name string) object {
	return object{
		"iface": name, "type": "bridge", "active": 1, "autostart": 1, "exists": 1, "method": "static", "method6": "manual",
		"families": []string{"inet"}, "priority": 3, "bridge_ports": "eno1", "bridge_stp": "off", "bridge_fd": "0",
	}
}

func nodeNetwork(c *call) (any, error) {
	if c.has("type") && c.str("type") != "bridge" && c.str("type") != "any_bridge" && c.str("type") != "any_local_bridge" && c.str("type") != "include_sdn" {
		return []object{}, nil
	}
	out := []object{bridgeRow(bridge)}
	for _, name := range c.s.opts.Bridges {
		out = append(out, bridgeRow(name))
	}
	return out, nil
}

func nodeInterface(c *call) (any, error) {
	if !c.s.hasBridge(c.str("iface")) {
		return nil, wrong("iface", "interface does not exist")
	}
	row := bridgeRow(c.str("iface"))
	delete(row, "iface")
	return row, nil
}
