package pvesim

import (
	"slices"
	"strconv"
)

func init() {
	routes(map[string]handler{
		"GET /version":         version,
		"GET /cluster/nextid":  nextID,
		"GET /cluster/options": clusterOptions,
		"PUT /cluster/options": setClusterOptions,
		"GET /cluster/status":  clusterStatus,
	})
}

// The release that is imitated.
const (
	release    = "9.2"
	pveManager = "9.2.11"
	repoID     = "14a22df3aabbccdd"
)

func version(*call) (any, error) {
	return object{"release": release, "repoid": repoID, "version": pveManager}, nil
}

// nextID answers a free number, or whether one is free.
// Source: PVE::API2::Cluster nextid.
func nextID(c *call) (any, error) {
	if c.has("vmid") {
		if c.s.find(c.int("vmid")) != nil {
			return nil, wrong("vmid", "VM %d already exists", c.int("vmid"))
		}
		return c.str("vmid"), nil
	}
	lower, upper := 100, 1000000
	if text := c.s.datacenter()["next-id"]; text != "" {
		keys, err := c.s.table.Parse("cluster.next-id", text, "next-id")
		if err == nil {
			lower, upper = number(keys["lower"], lower), number(keys["upper"], upper)
		}
	}
	var taken []int
	for _, g := range c.s.guests() {
		taken = append(taken, g.vmid)
	}
	for id := lower; id < upper; id++ {
		if !slices.Contains(taken, id) {
			return strconv.Itoa(id), nil
		}
	}
	return nil, die("unable to get any free VMID in range [%d, %d]", lower, upper)
}

func number(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// clusterStatus lists the cluster and its nodes.
func clusterStatus(c *call) (any, error) {
	out := []object{}
	if len(c.s.nodes) > 1 {
		online := 0
		for _, n := range c.s.nodes {
			if !n.down {
				online++
			}
		}
		out = append(out, object{
			"type": "cluster", "id": "cluster", "name": "pvesim", "nodes": len(c.s.nodes), "version": len(c.s.nodes),
			"quorate": flagValue(online*2 > len(c.s.nodes)),
		})
	}
	for i, n := range c.s.nodes {
		out = append(out, object{
			"type": "node", "id": "node/" + n.name, "name": n.name, "nodeid": i + 1, "level": "", "ip": "192.0.2." + strconv.Itoa(i+1),
			"online": flagValue(!n.down), "local": flagValue(n == c.node),
		})
	}
	return out, nil
}

func flagValue(b bool) int {
	if b {
		return 1
	}
	return 0
}
