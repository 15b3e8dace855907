package pvesim

import (
	"net/netip"
	"strconv"
	"strings"
)

func init() {
	base := "/nodes/{node}/qemu/{vmid}/agent"
	r := map[string]handler{
		"GET " + base: parts("name", "exec exec-status file-read file-write fsfreeze-freeze fsfreeze-status fsfreeze-thaw fstrim get-fsinfo "+
			"get-host-name get-memory-block-info get-memory-blocks get-osinfo get-time get-timezone get-users get-vcpus info "+
			"network-get-interfaces ping set-user-password shutdown suspend-disk suspend-hybrid suspend-ram"),
		"GET " + base + "/network-get-interfaces": agentCall(func(s *Server, g *guest) any { return s.agentInterfaces(g) }),
		"GET " + base + "/get-host-name":          agentCall(func(_ *Server, g *guest) any { return object{"host-name": g.Values["name"]} }),
		"GET " + base + "/get-osinfo": agentCall(func(*Server, *guest) any {
			return object{"id": "debian", "name": "Debian GNU/Linux", "version-id": "12", "machine": "x86_64"}
		}),
		"GET " + base + "/info": agentCall(func(*Server, *guest) any {
			return object{"version": qemuVersion, "supported_commands": []object{}}
		}),
		"POST " + base: agentCall(func(*Server, *guest) any { return object{} }),
	}
	for _, verb := range words("ping fsfreeze-freeze fsfreeze-status fsfreeze-thaw fstrim") {
		r["POST "+base+"/"+verb] = agentCall(func(*Server, *guest) any { return object{} })
	}
	routes(r)
}

// agentCall is a command to the guest agent. Its failures inside of the guest
// are results. Source: PVE::QemuServer::Agent assert_agent_available, agent_cmd.
func agentCall(answer func(*Server, *guest) any) handler {
	return func(c *call) (any, error) {
		g, err := c.vm()
		if err != nil {
			return nil, err
		}
		if !g.isSet("agent") {
			return nil, die("No QEMU guest agent configured")
		}
		if !c.s.isRunning(g.vmid) {
			return nil, die("VM %d is not running", g.vmid)
		}
		agent := c.s.vms.agents[g.vmid]
		if agent != nil && agent.Absent > 0 {
			agent.Absent--
			agent = nil
		}
		if agent == nil || !c.s.agentEnabled(g) {
			return nil, die("QEMU guest agent is not running")
		}
		if agent.Failure != "" {
			return object{"result": object{"error": object{"class": "GenericError", "desc": agent.Failure}}}, nil
		}
		return object{"result": answer(c.s, g)}, nil
	}
}

// agentInterfaces are the network interfaces as the guest sees them.
func (s *Server) agentInterfaces(g *guest) []object {
	list := s.vms.agents[g.vmid].Interfaces
	if list == nil {
		list = s.likelyInterfaces(g)
	}
	out := []object{}
	for _, i := range list {
		row := object{"name": i.Name, "hardware-address": strings.ToLower(i.MAC)}
		if len(i.Addresses) > 0 {
			row["ip-addresses"] = agentAddresses(i.Addresses)
		}
		out = append(out, row)
	}
	return out
}

func agentAddresses(list []string) []object {
	out := []object{}
	for _, text := range list {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			continue
		}
		kind := "ipv4"
		if p.Addr().Is6() {
			kind = "ipv6"
		}
		out = append(out, object{"ip-address": p.Addr().String(), "ip-address-type": kind, "prefix": p.Bits()})
	}
	return out
}

// likelyInterfaces are the loopback and an interface for each netN, with the
// address of its ipconfigN or one that follows from the number of the guest.
func (s *Server) likelyInterfaces(g *guest) []AgentInterface {
	out := []AgentInterface{{Name: "lo", MAC: "00:00:00:00:00:00", Addresses: []string{"127.0.0.1/8", "::1/128"}}}
	for _, key := range numbered(g.Values, "net") {
		net, err := s.table.Parse("qemu.net", g.Values[key], key)
		if err != nil {
			continue
		}
		n := strconv.Itoa(keyNumber(key, "net"))
		i := AgentInterface{Name: "eth" + n, MAC: net["macaddr"]}
		ip, err := s.table.Parse("pve-qm-ipconfig", g.Values["ipconfig"+n], "")
		if err != nil || ip["ip"] == "" {
			ip = map[string]string{"ip": "dhcp", "ip6": ip["ip6"]}
		}
		for _, text := range []string{s.leased(g, ip["ip"]), ip["ip6"]} {
			if _, err := netip.ParsePrefix(text); err == nil {
				i.Addresses = append(i.Addresses, text)
			}
		}
		i.Addresses = append(i.Addresses, linkLocal(net["macaddr"]))
		out = append(out, i)
	}
	return out
}

// linkLocal is the address that follows from a MAC (RFC 4291, appendix A).
func linkLocal(mac string) string {
	var b []byte
	for part := range strings.SplitSeq(mac, ":") {
		n, _ := strconv.ParseUint(part, 16, 8)
		b = append(b, byte(n))
	}
	if len(b) != 6 {
		return ""
	}
	a := netip.AddrFrom16([16]byte{0xfe, 0x80, 8: b[0] ^ 2, 9: b[1], 10: b[2], 11: 0xff, 12: 0xfe, 13: b[3], 14: b[4], 15: b[5]})
	return a.String() + "/64"
}
