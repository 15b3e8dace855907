package pve

import (
	"context"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// CreateContainer starts the creation of a container; p has Proxmox's own
// parameters, vmid and ostemplate among them. The number is reserved when it
// returns. ErrExists: a guest of either kind has the number, on whatever node.
// Needs VM.Allocate on /vms/{vmid} or on the pool.
func (c *Client) CreateContainer(ctx context.Context, node string, p Params) (UPID, error) {
	return task(ctx, c, post(p, "nodes", node, "lxc"))
}

// ContainerInterface is a network interface as it is inside a running container.
type ContainerInterface struct {
	Name      string
	MAC       string
	Addresses []Address
}

// Address is an IP address of a guest.
type Address struct {
	IP     string
	Prefix int
	V6     bool
}

// Interfaces lists the interfaces inside a running container, the loopback one too;
// none of a container that is stopped. Needs VM.Audit.
func (c *Client) Interfaces(ctx context.Context, ref guest.Ref) ([]ContainerInterface, error) {
	type row struct {
		Name string `json:"name"`
		MAC  string `json:"hwaddr"`
		IPs  []struct {
			IP     string `json:"ip-address"`
			Type   string `json:"ip-address-type"`
			Prefix Int    `json:"prefix"`
		} `json:"ip-addresses"`
	}
	rows, err := call[[]row](ctx, c, get(nil, guestPath(ref, "interfaces")...))
	interfaces := make([]ContainerInterface, 0, len(rows))
	for _, r := range rows {
		i := ContainerInterface{Name: r.Name, MAC: r.MAC}
		for _, ip := range r.IPs {
			i.Addresses = append(i.Addresses, Address{IP: ip.IP, Prefix: int(ip.Prefix), V6: ip.Type == "inet6"})
		}
		interfaces = append(interfaces, i)
	}
	return interfaces, err
}
