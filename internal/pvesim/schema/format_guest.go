package schema

import (
	"errors"
	"net/netip"
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // the zones must be known on every machine
)

var digits = regexp.MustCompile(`^\d+$`)

var startup = regexp.MustCompile(`^(order=)?\d+$`)

// illegalPath finds /./ and /../ in the path of a mount point.
var illegalPath = regexp.MustCompile(`(^|/)\.{1,2}(/|$)`)

// Source: PVE::LXC::Config, PVE::JSONSchema (addresses, startup).
func init() {
	ip := func(s string) error {
		if _, err := netip.ParseAddr(s); err != nil || strings.Contains(s, "%") {
			return errors.New("value does not look like a valid IP address")
		}
		return nil
	}
	register("ip", ip)
	register("ipv4", func(s string) error {
		if a, err := netip.ParseAddr(s); err != nil || !a.Is4() {
			return errors.New("value does not look like a valid IPv4 address")
		}
		return nil
	})
	register("ipv6", func(s string) error {
		if a, err := netip.ParseAddr(s); err != nil || a.Is4() {
			return errors.New("value does not look like a valid IPv6 address")
		}
		return nil
	})
	register("lxc-ip-with-ll-iface", func(s string) error {
		if a, err := netip.ParseAddr(s); err == nil && a.Zone() != "" && a.IsLinkLocalUnicast() {
			return nil
		}
		return ip(s)
	})
	register("pve-ipv4-config", func(s string) error {
		if p, err := netip.ParsePrefix(s); s == "dhcp" || s == "manual" || err == nil && p.Addr().Is4() {
			return nil
		}
		return errors.New("value does not look like a valid ipv4 network configuration")
	})
	register("pve-ipv6-config", func(s string) error {
		if p, err := netip.ParsePrefix(s); s == "dhcp" || s == "manual" || s == "auto" || err == nil && p.Addr().Is6() {
			return nil
		}
		return errors.New("value does not look like a valid ipv6 network configuration")
	})
	cidr := func(want func(netip.Addr) bool, text string) func(string) error {
		return func(s string) error {
			if p, err := netip.ParsePrefix(s); err == nil && want(p.Addr()) {
				return nil
			}
			return errors.New(text)
		}
	}
	register("CIDRv4", cidr(netip.Addr.Is4, "value does not look like a valid IPv4 network"))
	register("CIDRv6", cidr(netip.Addr.Is6, "value does not look like a valid IPv6 network"))
	register("CIDR", cidr(netip.Addr.IsValid, "value does not look like a valid CIDR network"))
	register("address", func(s string) error {
		if ip(s) == nil || formats["dns-name"](s) == nil {
			return nil
		}
		return errors.New("value does not look like a valid address: " + s)
	})
	register("pve-startup-order", func(s string) error {
		for _, part := range strings.Split(s, ",") {
			key, value, _ := strings.Cut(part, "=")
			timed := (key == "up" || key == "down") && digits.MatchString(value)
			if !timed && !startup.MatchString(part) {
				return errors.New("unable to parse startup options")
			}
		}
		return nil
	})
	register("pve-ct-timezone", func(s string) error {
		if s == "host" {
			return nil
		}
		if _, err := time.LoadLocation(s); err != nil || !strings.Contains(s, "/") && s != "UTC" {
			return errors.New("invalid time zone '" + s + "'")
		}
		return nil
	})
	register("pve-lxc-mp-string", func(s string) error {
		if illegalPath.MatchString(s) {
			return errors.New(s + " contains illegal character sequences")
		}
		return nil
	})
	register("pve-lxc-dev-string", func(s string) error {
		if !strings.HasPrefix(s, "/dev/") || illegalPath.MatchString(s) {
			return errors.New(s + " is not a valid path to a device")
		}
		return nil
	})
}
