package pve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Resource is one row of the cluster's overview. Name, status and sizes lag by
// about ten seconds; the number, the node, the lock and the tags do not.
// Source: PVE::API2Tools extract_vm_stats.
type Resource struct {
	ID       string `json:"id"`   // lxc/100, storage/pve1/local, node/pve1, /pool/p
	Type     string `json:"type"` // lxc, qemu, storage, node, pool, …
	Node     string `json:"node"`
	VMID     Int    `json:"vmid"`
	Name     string `json:"name"`
	Status   string `json:"status"`
	Template Bool   `json:"template"`
	Lock     string `json:"lock"`
	Tags     string `json:"tags"`
	Pool     string `json:"pool"`
	HAState  string `json:"hastate"`
	MaxCPU   Float  `json:"maxcpu"`
	MaxMem   Int    `json:"maxmem"`  // bytes
	MaxDisk  Int    `json:"maxdisk"` // bytes
	Uptime   Int    `json:"uptime"`  // seconds
	Storage  string `json:"storage"`
	Plugin   string `json:"plugintype"`
	Content  string `json:"content"`
	Shared   Bool   `json:"shared"`
}

// Guest returns the guest that the row stands for; ok is false for other rows.
func (r Resource) Guest() (ref guest.Ref, ok bool) {
	kind := guest.Kind(r.Type)
	if kind != guest.LXC && kind != guest.QEMU {
		return guest.Ref{}, false
	}
	return guest.Ref{Node: r.Node, Kind: kind, VMID: guest.VMID(r.VMID)}, true
}

// ContentTypes is the content of a storage row as a sorted list: Proxmox prints it
// in no stable order.
func (r Resource) ContentTypes() []string { return contentTypes(r.Content) }

// Resources reads the overview of the whole cluster in one request. Rows that the
// identity may not see are missing without a word, so a missing row proves nothing.
func (c *Client) Resources(ctx context.Context) ([]Resource, error) {
	return call[[]Resource](ctx, c, get(nil, "cluster", "resources"))
}

// VMIDTaken asks whether a number is taken by a guest of either kind on any node.
// It needs no privilege, so it tells "gone" from "may not see".
func (c *Client) VMIDTaken(ctx context.Context, id guest.VMID) (bool, error) {
	reply, err := call[Text](ctx, c, get(Params{"vmid": id.String()}, "cluster", "nextid"))
	switch {
	case errors.Is(err, ErrExists):
		return true, nil
	case err != nil:
		return false, err
	case string(reply) != id.String():
		return false, &Error{Method: "GET", Path: "/cluster/nextid", Status: 200,
			Message: fmt.Sprintf("asked whether %s is free, the answer is %q", id, reply), causes: []error{ErrProtocol}}
	}
	return false, nil
}

// ClusterStatus is the cluster's name and its nodes.
type ClusterStatus struct {
	Name    string // empty for a node that is in no cluster
	Quorate bool
	Nodes   []ClusterNode
}

// ClusterNode is a node as the cluster sees it.
type ClusterNode struct {
	Name   string
	Online bool
	Local  bool // it gave this answer
}

// ClusterStatus reads the name of the cluster and the state of its nodes. Needs
// Sys.Audit on /.
func (c *Client) ClusterStatus(ctx context.Context) (ClusterStatus, error) {
	type row struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		Online  Bool   `json:"online"`
		Local   Bool   `json:"local"`
		Quorate Bool   `json:"quorate"`
	}
	rows, err := call[[]row](ctx, c, get(nil, "cluster", "status"))
	status := ClusterStatus{Quorate: true} // a single node has no quorum to lose
	for _, r := range rows {
		switch r.Type {
		case "cluster":
			status.Name, status.Quorate = r.Name, bool(r.Quorate)
		case "node":
			status.Nodes = append(status.Nodes, ClusterNode{Name: r.Name, Online: bool(r.Online), Local: bool(r.Local)})
		}
	}
	slices.SortFunc(status.Nodes, func(a, b ClusterNode) int { return strings.Compare(a.Name, b.Name) })
	return status, err
}

// contentTypes splits and sorts a list such as "rootdir,images".
func contentTypes(list string) []string {
	types := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
	slices.Sort(types)
	return types
}
