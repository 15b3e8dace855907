package pvesim

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	base := "/nodes/{node}/qemu/{vmid}/cloudinit"
	routes(map[string]handler{
		"GET " + base:           vmCloudinit,
		"PUT " + base:           vmCloudinitUpdate,
		"GET " + base + "/dump": vmCloudinitDump,
	})
}

// cloudinitDone notes that what cloud-init reads was made anew.
func (g *guest) cloudinitDone() { delete(g.Special, "cloudinit") }

// isNoted tells whether a change of a key is remembered until the drive of
// cloud-init is made anew.
func isNoted(key string) bool {
	return isCloudinitKey(key) || key == "name" || keyNumber(key, "net") >= 0
}

// noteCloudinit remembers, for a running machine with a drive for cloud-init,
// the values with which the drive was made. A machine with the hotplug
// feature cloudinit gets a new drive instead.
// Source: PVE::QemuServer::Cloudinit, section [special:cloudinit].
func (g *guest) noteCloudinit(s *Server, before *conf.Section) {
	if s.cloudinitDrive(&g.Section) == nil {
		return
	}
	changed := false
	note := func(key, old string) {
		if g.Special["cloudinit"] == nil {
			g.Special["cloudinit"] = conf.NewSection()
		}
		changed = true
		noted := g.Special["cloudinit"].Values
		if _, known := noted[key]; known || slices.Contains(splitList(noted["added"]), key) {
			return
		}
		if old == "" {
			noted["added"] = strings.TrimPrefix(noted["added"]+","+key, ",")
			return
		}
		noted[key] = old
	}
	for _, key := range sortedKeys(g.Values) {
		if isNoted(key) && g.Values[key] != before.Values[key] {
			note(key, before.Values[key])
		}
	}
	for _, key := range sortedKeys(before.Values) {
		if _, still := g.Values[key]; isNoted(key) && !still {
			note(key, before.Values[key])
		}
	}
	if changed && g.hotplugs("cloudinit") {
		g.cloudinitDone()
	}
}

// vmCloudinit lists the keys that cloud-init reads beside those with which
// its drive was made.
func vmCloudinit(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	noted := map[string]string{}
	if sec := g.Special["cloudinit"]; sec != nil {
		noted = sec.Values
	}
	added := splitList(noted["added"])
	out := []object{}
	row := func(key string, o object) {
		for at := range o {
			if key == "cipassword" && at != "key" && at != "delete" {
				o[at] = maskedPassword
			}
		}
		out = append(out, o)
	}
	for _, key := range slices.Sorted(slices.Values(cloudinitKeys)) {
		now, old := g.Values[key], noted[key]
		switch {
		case slices.Contains(added, key) && now != "":
			row(key, object{"key": key, "pending": now})
		case old != "" && now == "":
			row(key, object{"key": key, "value": old, "delete": 1})
		case old != "" && old != now:
			row(key, object{"key": key, "value": old, "pending": now})
		case now != "" && now != "0":
			row(key, object{"key": key, "value": now})
		}
	}
	for _, key := range sortedKeys(noted) { // changed ones of these are not shown
		if _, still := g.Values[key]; !slices.Contains(cloudinitKeys, key) && key != "added" && !still {
			row(key, object{"key": key, "value": noted[key], "delete": 1})
		}
	}
	for _, key := range added {
		if !slices.Contains(cloudinitKeys, key) && g.isSet(key) {
			row(key, object{"key": key, "pending": g.Values[key]})
		}
	}
	return out, nil
}

// vmCloudinitUpdate makes the drive of cloud-init anew.
func vmCloudinitUpdate(c *call) (any, error) {
	return nil, c.s.lockGuest(kindQEMU, c.int("vmid"), func() error {
		g, err := c.vm()
		if err != nil {
			return err
		}
		if err := g.checkLock(); err != nil {
			return err
		}
		g.cloudinitDone()
		c.s.save(g)
		return nil
	})
}

func vmCloudinitDump(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	sec := g.merged()
	if sec.Values["cipassword"] != "" && !c.may(vmPath(g.vmid), "VM.Config.Cloudinit") {
		sec.Values["cipassword"] = maskedPassword
	}
	switch c.str("type") {
	case "user":
		return c.s.userData(g.vmid, sec.Values), nil
	case "network":
		return c.s.networkData(sec.Values)
	}
	network, err := c.s.networkData(sec.Values)
	if err != nil {
		return nil, err
	}
	sum := sha1.Sum([]byte(c.s.userData(g.vmid, sec.Values) + network)) //nolint:gosec // the hash Proxmox uses
	return "instance-id: " + hex.EncodeToString(sum[:]) + "\n", nil
}

// userData is the user part. Source: PVE::QemuServer::Cloudinit cloudinit_userdata.
func (s *Server) userData(vmid int, values map[string]string) string {
	name := values["name"]
	if name == "" {
		name = "VM" + strconv.Itoa(vmid)
	}
	host, _, _ := strings.Cut(name, ".")
	domain := values["searchdomain"]
	fqdn := name
	if domain != "" && host == name {
		fqdn = name + "." + domain
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#cloud-config\nhostname: %s\nmanage_etc_hosts: true\nfqdn: %s\n", host, fqdn)
	if user := values["ciuser"]; user != "" {
		b.WriteString("user: " + user + "\n")
	} else {
		b.WriteString("user: root\n")
	}
	if password := values["cipassword"]; password != "" {
		b.WriteString("password: " + password + "\n")
	}
	if keys, err := url.PathUnescape(values["sshkeys"]); err == nil && keys != "" {
		b.WriteString("ssh_authorized_keys:\n")
		for line := range strings.SplitSeq(keys, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				b.WriteString("  - " + line + "\n")
			}
		}
	}
	b.WriteString("chpasswd:\n  expire: False\n")
	if values["ciuser"] != "root" {
		b.WriteString("users:\n  - default\n")
	}
	if values["ciupgrade"] != "0" {
		b.WriteString("package_upgrade: true\n")
	}
	return b.String()
}

// hostDomain and hostResolver stand for what the node itself is set to.
const (
	hostDomain   = "example.test"
	hostResolver = "192.0.2.53"
)

// networkData is the network part for nocloud. Only interfaces with an
// ipconfig are in it. Source: PVE::QemuServer::Cloudinit nocloud_network.
func (s *Server) networkData(values map[string]string) (string, error) {
	var b strings.Builder
	b.WriteString("version: 1\nconfig:\n")
	for _, key := range numbered(values, "ipconfig") {
		n := keyNumber(key, "ipconfig")
		net, err := s.table.Parse("qemu.net", values["net"+strconv.Itoa(n)], "net")
		if err != nil {
			continue
		}
		fmt.Fprintf(&b, "    - type: physical\n      name: eth%d\n      mac_address: '%s'\n      subnets:\n", n, strings.ToLower(net["macaddr"]))
		ip, err := s.table.Parse("pve-qm-ipconfig", values[key], key)
		if err != nil {
			return "", die("%s", err)
		}
		if err := writeSubnets(&b, ip); err != nil {
			return "", err
		}
	}
	servers, domain := splitList(values["nameserver"]), values["searchdomain"]
	if len(servers) == 0 {
		servers = []string{hostResolver}
	}
	if domain == "" {
		domain = hostDomain
	}
	b.WriteString("    - type: nameserver\n      address:\n")
	for _, server := range servers {
		b.WriteString("      - '" + server + "'\n")
	}
	b.WriteString("      search:\n      - '" + domain + "'\n")
	return b.String(), nil
}

func writeSubnets(b *strings.Builder, ip map[string]string) error {
	if ip["ip"] == "" && ip["ip6"] == "" {
		b.WriteString("      - type: dhcp4\n      - type: dhcp6\n")
		return nil
	}
	switch v4 := ip["ip"]; v4 {
	case "":
	case "dhcp":
		b.WriteString("      - type: dhcp4\n")
	default:
		p, err := netip.ParsePrefix(v4)
		if err != nil {
			return die("not a CIDR: %s", v4)
		}
		mask := uint32(0xffffffff) << (32 - p.Bits())
		fmt.Fprintf(b, "      - type: static\n        address: '%s'\n        netmask: '%d.%d.%d.%d'\n", p.Addr(), mask>>24, mask>>16&255, mask>>8&255, mask&255)
		if ip["gw"] != "" {
			fmt.Fprintf(b, "        gateway: '%s'\n", ip["gw"])
		}
	}
	switch v6 := ip["ip6"]; v6 {
	case "":
	case "dhcp":
		b.WriteString("      - type: dhcp6\n")
	case "auto":
		b.WriteString("      - type: ipv6_slaac\n")
	default:
		if _, err := netip.ParsePrefix(v6); err != nil {
			return die("not a CIDR: %s", v6)
		}
		fmt.Fprintf(b, "      - type: static6\n        address: '%s'\n", v6)
		if ip["gw6"] != "" {
			fmt.Fprintf(b, "        gateway: '%s'\n", ip["gw6"])
		}
	}
	return nil
}
