package pvesim

import (
	"fmt"
	"maps"
	"net/netip"
	"strconv"
	"strings"
)

// bridgeMTU is that of all bridges of the nodes.
const bridgeMTU = 1500

// printNet stores a network interface: with a MAC, a type and its keys in
// order. Source: PVE::LXC::Config parse_lxc_network, print_lxc_network.
func (s *Server) printNet(key, text string) (string, error) {
	net, err := s.table.Parse("lxc.net", text, key)
	if err != nil {
		return "", die("%s", err)
	}
	if mtu := number(net["mtu"], 0); mtu > bridgeMTU {
		return "", die("%s: MTU size '%d' is bigger than bridge MTU '%d'", key, mtu, bridgeMTU)
	}
	net = maps.Clone(net)
	net["type"] = "veth"
	if net["hwaddr"] == "" {
		net["hwaddr"] = s.randomMAC()
	}
	return s.table.Print("lxc.net", net), nil
}

// lxcRunnable refuses a configuration that LXC's own file can not be made of.
// Source: PVE::LXC update_lxc_config.
func (s *Server) lxcRunnable(g *guest) error {
	if g.Values["arch"] == "" {
		return die("missing 'arch' - internal error at /usr/share/perl5/PVE/LXC.pm line 729.")
	}
	for _, key := range numbered(g.Values, "net") {
		net, err := s.table.Parse("lxc.net", g.Values[key], key)
		if err == nil && net["bridge"] != bridge && !s.hasBridge(net["bridge"]) {
			return die("bridge '%s' does not exist", net["bridge"])
		}
	}
	return nil
}

// hasBridge tells whether the nodes have a bridge beside vmbr0.
func (s *Server) hasBridge(name string) bool {
	for _, b := range s.opts.Bridges {
		if b == name {
			return true
		}
	}
	return name == bridge
}

// interfaces are the addresses of a started container: the loopback and one
// per network interface with a fixed address, or a made-up one for dhcp.
// Source: PVE::LXC get_interfaces.
func (s *Server) interfaces(g *guest) []object {
	address := func(kind, ip, prefix string) object {
		return object{"ip-address": ip, "ip-address-type": kind, "prefix": prefix}
	}
	out := []object{{
		"name": "lo", "hwaddr": "00:00:00:00:00:00", "hardware-address": "00:00:00:00:00:00", "inet": "127.0.0.1/8", "inet6": "::1/128",
		"ip-addresses": []object{address("inet", "127.0.0.1", "8"), address("inet6", "::1", "128")},
	}}
	for _, key := range numbered(g.Values, "net") {
		net, err := s.table.Parse("lxc.net", g.Values[key], key)
		if err != nil {
			continue
		}
		mac := strings.ToLower(net["hwaddr"]) // as the kernel writes it
		row := object{"name": net["name"], "hwaddr": mac, "hardware-address": mac}
		addresses := []object{}
		for kind, text := range map[string]string{"inet": s.leased(g, net["ip"]), "inet6": net["ip6"]} {
			if ip, prefix, ok := cutPrefixLength(text); ok {
				row[kind] = text
				addresses = append(addresses, address(kind, ip, prefix))
			}
		}
		row["ip-addresses"] = addresses
		out = append(out, row)
	}
	return out
}

// leased is the address that a container got, which for dhcp follows from
// its number.
func (s *Server) leased(g *guest, ip string) string {
	if ip != "dhcp" {
		return ip
	}
	return fmt.Sprintf("192.0.2.%d/24", g.vmid%250+2)
}

func cutPrefixLength(text string) (ip, length string, ok bool) {
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return "", "", false
	}
	return p.Addr().String(), strconv.Itoa(p.Bits()), true
}
