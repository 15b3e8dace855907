package pvesim

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/qemu":                       vmIndex,
		"GET /nodes/{node}/qemu/{vmid}":                vmParts,
		"GET /nodes/{node}/qemu/{vmid}/config":         vmConfig,
		"GET /nodes/{node}/qemu/{vmid}/pending":        vmPending,
		"GET /nodes/{node}/qemu/{vmid}/status":         parts("subdir", "current start stop reset shutdown suspend reboot"),
		"GET /nodes/{node}/qemu/{vmid}/status/current": vmCurrent,
	})
}

func vmIndex(c *call) (any, error) {
	out := []object{}
	for _, g := range c.s.guests() {
		if g.kind == kindQEMU && g.node == c.node.name && c.may(vmPath(g.vmid), "VM.Audit") {
			row := c.s.vmStatus(g)
			delete(row, "qmpstatus")
			out = append(out, row)
		}
	}
	return out, nil
}

// vmParts does not look for the machine, unlike its sister of containers.
func vmParts(c *call) (any, error) {
	return parts("subdir", "config cloudinit pending status unlink vncproxy termproxy migrate resize move rrd rrddata monitor agent snapshot spiceproxy sendkey firewall mtunnel remote_migrate")(c)
}

// maskedPassword stands for the password of cloud-init in answers.
const maskedPassword = "**********"

func vmConfig(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	out, err := c.s.config(g, c.flag("current"), c.str("snapshot"))
	if err != nil {
		return nil, err
	}
	if _, ok := out["cipassword"]; ok {
		out["cipassword"] = maskedPassword
	}
	return out, nil
}

func vmPending(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	rows := c.s.pendingRows(g)
	for _, row := range rows {
		for _, at := range []string{"value", "pending"} {
			if row["key"] == "cipassword" && row[at] != nil {
				row[at] = maskedPassword
			}
		}
	}
	return rows, nil
}

func vmCurrent(c *call) (any, error) {
	g, err := c.vm()
	if err != nil {
		return nil, err
	}
	out := c.s.vmStatus(g)
	out["ha"] = c.s.haState(g)
	if vga, err := c.s.table.Parse("qemu.vga", g.Values["vga"], "vga"); err == nil && g.isSet("vga") {
		out["clipboard"] = nil
		if vga["clipboard"] != "" {
			out["clipboard"] = vga["clipboard"]
		}
		if strings.HasPrefix(vga["type"], "qxl") {
			out["spice"] = 1
		}
	}
	if c.s.agentEnabled(g) {
		out["agent"] = 1
	}
	return out, nil
}

// agentEnabled tells whether the configuration turns the guest agent on.
func (s *Server) agentEnabled(g *guest) bool {
	agent, err := s.table.Parse("qemu.agent", g.Values["agent"], "agent")
	return err == nil && agent["enabled"] == "1"
}

// vmStatus is a virtual machine's row of figures. Those of a started one are
// made up. Source: PVE::QemuServer vmstatus.
func (s *Server) vmStatus(g *guest) object {
	memory := s.vmMemory(g.Values) * mib
	out := object{
		"vmid": g.vmid, "name": g.Values["name"], "status": "stopped", "qmpstatus": "stopped",
		"cpu": 0, "cpus": s.vmCPUs(g.Values), "mem": 0, "memhost": 0, "maxmem": memory,
		"disk": 0, "maxdisk": s.bootDiskSize(g), "uptime": 0, "netin": 0, "netout": 0, "diskread": 0, "diskwrite": 0,
	}
	if g.Values["name"] == "" {
		out["name"] = "VM " + strconv.Itoa(g.vmid)
	}
	for _, key := range []string{"lock", "tags"} {
		if v := g.Values[key]; v != "" {
			out[key] = v
		}
	}
	if g.template() {
		out["template"] = 1
	}
	if len(numbered(g.Values, "serial")) > 0 {
		out["serial"] = 1
	}
	if balloon := number(g.Values["balloon"], 0); balloon > 0 {
		out["balloon_min"] = int64(balloon) * mib
		out["shares"] = number(g.Values["shares"], 1000)
	}
	p := s.running[g.vmid]
	if p == nil {
		delete(out, "diskread")
		delete(out, "diskwrite")
		return out
	}
	maps.Copy(out, object{
		"status": "running", "qmpstatus": "running", "pid": p.pid, "uptime": int64(s.now().Sub(p.since).Seconds()),
		"mem": memory / 4, "memhost": memory / 4, "running-machine": s.runningMachine(g), "running-qemu": qemuVersion,
	})
	nics := object{}
	for _, key := range numbered(g.Values, "net") {
		nics["tap"+strconv.Itoa(g.vmid)+"i"+strings.TrimPrefix(key, "net")] = object{"netin": 0, "netout": 0}
	}
	out["nics"] = nics
	for _, of := range words("cpu io memory") {
		out["pressure"+of+"some"], out["pressure"+of+"full"] = 0, 0
	}
	if s.vms.paused[g.vmid] {
		out["qmpstatus"] = "paused"
	}
	return out
}

// qemuVersion is the version of QEMU that is imitated.
const qemuVersion = "10.1.2"

// runningMachine is the versioned type of a started machine.
func (s *Server) runningMachine(g *guest) string {
	machine, _ := s.table.Parse("qemu.machine", g.Values["machine"], "machine")
	return pinMachine(machine["type"]) + "+pve0"
}

// vmMemory is the memory of a machine in MiB.
func (s *Server) vmMemory(values map[string]string) int64 {
	memory, err := s.table.Parse("qemu.memory", values["memory"], "memory")
	if err != nil {
		return 512
	}
	return int64(number(memory["current"], 512))
}

// vmCPUs is the number of CPUs that a status shows.
func (s *Server) vmCPUs(values map[string]string) int {
	n := number(values["sockets"], 1) * number(values["cores"], 1)
	if v := number(values["vcpus"], 0); v > 0 {
		return v
	}
	return min(n, s.cpus())
}

// cpus is the number of CPUs of each node.
func (s *Server) cpus() int {
	if s.opts.CPUs > 0 {
		return s.opts.CPUs
	}
	return nodeCPUs
}

// bootDiskSize is the size of the first disk that is booted, 0 if none is.
func (s *Server) bootDiskSize(g *guest) int64 {
	order := s.bootOrder(g.Values["boot"])
	if key := g.Values["bootdisk"]; key != "" {
		order = append(order, key)
	}
	for _, key := range order {
		if d := s.parseDrive(key, g.Values[key]); isDrive(key) && d != nil && !d.isCDROM() {
			size := parseSize(d.keys["size"])
			return size
		}
	}
	return 0
}

// windows are the types of guests that run Windows.
var windows = []string{"wxp", "w2k", "w2k3", "w2k8", "wvista", "win7", "win8", "win10", "win11"}

func isWindows(ostype string) bool { return slices.Contains(windows, ostype) }

// machineVersion is the newest machine of the QEMU that is imitated.
const machineVersion = "10.1"

// pinMachine adds the version to a machine type that has none.
// Source: PVE::QemuServer::Machine windows_get_pinned_machine_version.
func pinMachine(machine string) string {
	switch machine {
	case "", "pc":
		return "pc-i440fx-" + machineVersion
	case "q35":
		return "pc-q35-" + machineVersion
	case "virt":
		return "virt-" + machineVersion
	}
	return machine
}
