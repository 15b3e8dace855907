package pve

import "context"

// Node is a row of the list of nodes. Numbers are 0 without Sys.Audit.
type Node struct {
	Name        string `json:"node"`
	Status      string `json:"status"` // online, offline or unknown
	MaxCPU      Int    `json:"maxcpu"`
	MaxMem      Int    `json:"maxmem"` // bytes
	Mem         Int    `json:"mem"`    // bytes
	Uptime      Int    `json:"uptime"` // seconds
	Fingerprint string `json:"ssl_fingerprint"`
}

// Nodes lists the nodes of the cluster; every identity sees all of them.
func (c *Client) Nodes(ctx context.Context) ([]Node, error) {
	return call[[]Node](ctx, c, get(nil, "nodes"))
}

// Bridge is a network device that guests can be attached to.
type Bridge struct {
	Name      string `json:"iface"`
	Type      string `json:"type"` // bridge, OVSBridge or vnet
	Active    Bool   `json:"active"`
	VLANAware Bool   `json:"bridge_vlan_aware"`
	MTU       Int    `json:"mtu"`
}

// Bridges lists bridges of a node and SDN networks. What the identity may not use
// is missing without a word.
func (c *Client) Bridges(ctx context.Context, node string) ([]Bridge, error) {
	return call[[]Bridge](ctx, c, get(Params{"type": "any_bridge"}, "nodes", node, "network"))
}
