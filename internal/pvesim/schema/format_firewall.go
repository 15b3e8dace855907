package schema

import (
	"errors"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// protocols are names of /etc/protocols; numbers are known too.
var protocols = strings.Fields("tcp udp icmp igmp ipv6-icmp icmpv6 ggp ipencap st egp igp pup hmp xns-idp rdp iso-tp4 dccp xtp ddp " +
	"idpr-cmtp ipv6 ipv6-route ipv6-frag idrp rsvp gre esp ah skip ipv6-nonxt ipv6-opts vmtp eigrp ospf ax.25 ipip etherip encap pim " +
	"ipcomp vrrp l2tp isis sctp fc udplite mpls-in-ip hip shim6 wesp rohc")

var (
	fwName = regexp.MustCompile(`^(?:dc/|guest/)?[A-Za-z][A-Za-z0-9\-_]+$`)
	fwSet  = regexp.MustCompile(`^\+(?:dc/|guest/|sdn/)?[A-Za-z][A-Za-z0-9\-_]+$`)
	fwPort = regexp.MustCompile(`^(?:\d+(?::\d+)?|[a-z][a-z0-9\-]*)$`)
)

func isNetwork(s string) bool {
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	_, err := netip.ParsePrefix(s)
	return err == nil
}

// Source: PVE::Firewall pve_fw_verify_*.
func init() {
	network := func(alias bool) func(string) error {
		return func(s string) error {
			if isNetwork(s) || alias && fwName.MatchString(s) {
				return nil
			}
			return errors.New("value does not look like a valid IP address or CIDR network")
		}
	}
	register("IPorCIDR", network(false))
	register("IPorCIDRorAlias", network(true))
	register("pve-fw-addr-spec", verifyAddresses)
	register("pve-fw-protocol-spec", func(s string) error {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 && n <= 255 || slices.Contains(protocols, s) {
			return nil
		}
		return errors.New("unknown protocol '" + s + "'")
	})
	register("pve-fw-dport-spec", verifyPorts)
	register("pve-fw-sport-spec", verifyPorts)
}

func verifyAddresses(s string) error {
	if fwSet.MatchString(s) || fwName.MatchString(s) {
		return nil
	}
	for item := range strings.SplitSeq(s, ",") {
		from, to, span := strings.Cut(strings.TrimSpace(item), "-")
		switch {
		case span && isNetwork(from) && isNetwork(to), !span && isNetwork(from):
		case strings.Trim(item, "0123456789abcdefABCDEF.:/-") != "":
			return errors.New("invalid IP address: Invalid chars in IP " + item)
		default:
			return errors.New("invalid IP address: Cannot determine IP version for " + item)
		}
	}
	return nil
}

func verifyPorts(s string) error {
	for item := range strings.SplitSeq(s, ",") {
		if !fwPort.MatchString(strings.TrimSpace(item)) {
			return errors.New("invalid port '" + item + "'")
		}
		for part := range strings.SplitSeq(item, ":") {
			if n, err := strconv.Atoi(part); err == nil && n > 65535 {
				return errors.New("invalid port '" + part + "'")
			}
		}
	}
	return nil
}
