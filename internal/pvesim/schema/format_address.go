package schema

import (
	"errors"
	"net/netip"
	"strings"
)

// An address format accepts what this accepts.
type addressCheck func(netip.Addr) bool

func plain(a netip.Addr) bool { return a.IsValid() && a.Zone() == "" }

// addresses are the formats of one address, networks those with a length;
// words are accepted beside them. Source: PVE::JSONSchema.
var (
	addresses = []struct {
		name  string
		check addressCheck
		text  string
	}{
		{"ip", plain, "value does not look like a valid IP address"},
		{"ipv4", netip.Addr.Is4, "value does not look like a valid IPv4 address"},
		{"ipv6", func(a netip.Addr) bool { return plain(a) && a.Is6() }, "value does not look like a valid IPv6 address"},
		{
			"lxc-ip-with-ll-iface", func(a netip.Addr) bool { return plain(a) || a.IsLinkLocalUnicast() },
			"value does not look like a valid IP address",
		},
	}
	networks = []struct {
		name, words string
		check       addressCheck
		text        string
	}{
		{"pve-ipv4-config", "dhcp manual", netip.Addr.Is4, "value does not look like a valid ipv4 network configuration"},
		{"pve-ipv6-config", "dhcp manual auto", netip.Addr.Is6, "value does not look like a valid ipv6 network configuration"},
		{"CIDRv4", "", netip.Addr.Is4, "value does not look like a valid IPv4 network"},
		{"CIDRv6", "", netip.Addr.Is6, "value does not look like a valid IPv6 network"},
		{"CIDR", "", netip.Addr.IsValid, "value does not look like a valid CIDR network"},
	}
)

func init() {
	for _, f := range addresses {
		register(f.name, func(s string) error {
			if a, err := netip.ParseAddr(s); err == nil && f.check(a) {
				return nil
			}
			return errors.New(f.text)
		})
	}
	for _, f := range networks {
		register(f.name, func(s string) error {
			if p, err := netip.ParsePrefix(s); err == nil && f.check(p.Addr()) {
				return nil
			}
			for word := range strings.FieldsSeq(f.words) {
				if s == word {
					return nil
				}
			}
			return errors.New(f.text)
		})
	}
	register("address", func(s string) error {
		if formats["ip"](s) == nil || formats["dns-name"](s) == nil {
			return nil
		}
		return errors.New("value does not look like a valid address: " + s)
	})
}
