package pvesim

import (
	"net/url"
	"strconv"
	"strings"
)

// checkSSHKeys refuses keys for cloud-init that are none.
func checkSSHKeys(encoded string) error {
	if encoded == "" {
		return nil
	}
	text, err := url.PathUnescape(encoded)
	if err != nil {
		return die("SSH public key validation error")
	}
	return checkKeys(text)
}

// normaliseVM rewrites keys that are stored in another form than they are sent.
func normaliseVM(set map[string]string) {
	if cd, ok := set["cdrom"]; ok {
		delete(set, "cdrom")
		set["ide2"] = cd + ",media=cdrom"
	}
	if n, err := strconv.Atoi(set["cpuunits"]); err == nil && n > 10000 {
		set["cpuunits"] = "10000" // control groups v2 know no more
	}
	if set["smp"] != "" {
		set["sockets"] = set["smp"]
		delete(set, "smp")
		delete(set, "cores")
	}
	if set["vmgenid"] == "1" {
		set["vmgenid"] = uuid()
	}
}

// checkVMValues holds what the values of keys must fulfil together: all is
// the configuration as it will be.
func (s *Server) checkVMValues(set, all map[string]string) error {
	_, memory := set["memory"]
	balloon, hasBalloon := set["balloon"]
	if !hasBalloon {
		balloon = all["balloon"]
	}
	if n, err := strconv.Atoi(balloon); err == nil && (memory || hasBalloon) && int64(n) > s.vmMemory(all) {
		return die("balloon value too large (must be smaller than assigned memory)")
	}
	if vga, err := s.table.Parse("qemu.vga", set["vga"], "vga"); err == nil && vga["clipboard"] == "vnc" {
		if vga["type"] == "none" || strings.HasPrefix(vga["type"], "serial") {
			return die("vga type %s is not compatible with VNC clipboard", vga["type"])
		}
	}
	if machine, err := s.table.Parse("qemu.machine", set["machine"], "machine"); err == nil {
		if machine["viommu"] == "intel" && !strings.Contains(machine["type"], "q35") {
			return die("to use Intel vIOMMU please set the machine type to q35")
		}
		if machine["aw-bits"] != "" && machine["viommu"] == "" {
			return die("cannot set aw-bits if no vIOMMU is configured")
		}
	}
	return nil
}

// printVMNet stores a network interface: with a MAC, its keys in order.
// Source: PVE::QemuServer::Network parse_net, print_net.
func (s *Server) printVMNet(key, text string) (string, error) {
	net, err := s.table.Parse("qemu.net", text, key)
	if err != nil {
		return "", die("%s", err)
	}
	return s.printNetKeys(net), nil
}

// printNetKeys makes up the MAC of an interface that has none.
func (s *Server) printNetKeys(net map[string]string) string {
	mac := net["macaddr"]
	if mac == "" {
		mac = s.randomMAC()
	}
	out := net["model"] + "=" + mac
	for _, name := range sortedKeys(net) {
		if name != "model" && name != "macaddr" {
			out += "," + name + "=" + net[name]
		}
	}
	return out
}

// pinWindows gives machines that run Windows a version, which they keep.
func (s *Server) pinWindows(g *guest) error {
	if !g.isSet("machine") && !isWindows(g.Values["ostype"]) {
		return nil
	}
	keys, err := s.table.Parse("qemu.machine", g.Values["machine"], "machine")
	if err != nil {
		return die("%s", err)
	}
	if isWindows(g.Values["ostype"]) {
		keys["type"] = pinMachine(keys["type"])
	}
	g.Values["machine"] = s.table.Print("qemu.machine", keys)
	return nil
}

// oneLine refuses a value that can not stand in a file.
// Source: PVE::QemuServer check_type.
func oneLine(key, text string) error {
	if strings.ContainsAny(text, "\r\n") {
		return die("unable to parse value of '%s' - property contains a line feed", key)
	}
	return nil
}

// vmDescription is a description as it is stored.
func vmDescription(text string) string { return withNewline(strings.TrimRight(text, " \t\r\n")) }
