package pvesim

import (
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

type kind = conf.Kind

const (
	kindLXC  = conf.LXC
	kindQEMU = conf.QEMU
)

// apiName is the word of a kind in paths and rows: lxc or qemu.
func apiName(k kind) string {
	if k == kindQEMU {
		return "qemu"
	}
	return "lxc"
}

// short is the word of a kind in messages: CT or VM.
func short(k kind) string {
	if k == kindQEMU {
		return "VM"
	}
	return "CT"
}

// guest is a guest's configuration as it stands in its file.
type guest struct {
	node string
	kind kind
	vmid int
	*conf.Guest
}

func (g *guest) path() string { return guestPath(g.node, g.kind, g.vmid) }

func guestPath(node string, k kind, vmid int) string {
	return fmt.Sprintf("nodes/%s/%s/%d.conf", node, k, vmid)
}

func vmPath(vmid int) string { return "/vms/" + strconv.Itoa(vmid) }

// guest reads the guest of a kind on a node.
func (s *Server) guest(k kind, node string, vmid int) (*guest, error) {
	file := guestPath(node, k, vmid)
	text, ok := s.files[file]
	if !ok {
		return nil, die("Configuration file '%s' does not exist", file)
	}
	return &guest{node, k, vmid, conf.ParseGuest(k, text, s.checker(k))}, nil
}

// container is the container that a call names, vm the virtual machine.
func (c *call) container() (*guest, error) { return c.s.guest(kindLXC, c.node.name, c.int("vmid")) }

// vm is the virtual machine that a call names.
func (c *call) vm() (*guest, error) { return c.s.guest(kindQEMU, c.node.name, c.int("vmid")) }

// save writes a guest's file. An unused volume that is in use is left out.
// Source: PVE::LXC::Config write_pct_config, PVE::QemuServer write_vm_config.
func (s *Server) save(g *guest) {
	used := map[string]bool{}
	for key, text := range g.Values {
		if m := s.mount(g.kind, key, text); m != nil && keyNumber(key, "unused") < 0 {
			used[m.volid] = true
		}
	}
	for _, key := range numbered(g.Values, "unused") {
		if used[g.Values[key]] {
			delete(g.Values, key)
		}
	}
	s.write(g.path(), g.Print(g.kind))
}

// reload reads the guest again, as after waiting for a lock.
func (g *guest) reload(s *Server) error {
	again, err := s.guest(g.kind, g.node, g.vmid)
	if err == nil {
		*g = *again
	}
	return err
}

// newGuest is a guest without a file yet.
func (s *Server) newGuest(k kind, node string, vmid int) *guest {
	return &guest{node, k, vmid, conf.ParseGuest(k, "", s.checker(k))}
}

// find returns the guest with a number, of either kind on any node, nil if there is none.
func (s *Server) find(vmid int) *guest {
	for _, n := range s.nodes {
		for _, k := range []kind{kindLXC, kindQEMU} {
			if g, err := s.guest(k, n.name, vmid); err == nil {
				return g
			}
		}
	}
	return nil
}

// guests returns all guests by number.
func (s *Server) guests() []*guest {
	var out []*guest
	for file := range s.files {
		if g := s.guestOf(file); g != nil {
			out = append(out, g)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].vmid < out[j].vmid })
	return out
}

// guestOf reads the guest whose file this is, nil for other files.
func (s *Server) guestOf(file string) *guest {
	part := strings.Split(file, "/")
	if len(part) != 4 || part[0] != "nodes" || path.Ext(file) != ".conf" {
		return nil
	}
	vmid, err := strconv.Atoi(strings.TrimSuffix(part[3], ".conf"))
	if err != nil || part[2] != string(kindLXC) && part[2] != string(kindQEMU) {
		return nil
	}
	g, err := s.guest(kind(part[2]), part[1], vmid)
	if err != nil {
		return nil
	}
	return g
}

// unused refuses a number that is taken. Source: PVE::Cluster check_vmid_unused.
func (s *Server) unused(vmid int) error {
	if g := s.find(vmid); g != nil {
		return die("%s %d already exists on node '%s'", short(g.kind), vmid, g.node)
	}
	return nil
}

// checkLock refuses a guest that carries a lock.
func (g *guest) checkLock() error {
	if lock := g.Values["lock"]; lock != "" {
		return die("%s is locked (%s)", short(g.kind), lock)
	}
	return nil
}

// checkProtection refuses what protection forbids.
func (g *guest) checkProtection(format string, args ...any) error {
	if g.Values["protection"] == "1" {
		return die(format+" - protection mode enabled", args...)
	}
	return nil
}

// checkDigest refuses a change that was planned on another text.
func (g *guest) checkDigest(digest string) error {
	if digest == "" || digest == g.Digest {
		return nil
	}
	if g.kind == kindQEMU {
		return die("checksum mismatch (file change by other user?)")
	}
	return die("detected modified configuration - file changed by other user? Try again.")
}

// template tells whether the guest is a template.
func (g *guest) template() bool { return g.Values["template"] == "1" }

// running tells whether the guest is started.
func (s *Server) isRunning(vmid int) bool { return s.running[vmid] != nil }

// numbered returns the keys PREFIX0, PREFIX1, … of a section, by number.
func numbered(values map[string]string, prefix string) []string {
	var out []string
	for key := range values {
		if keyNumber(key, prefix) >= 0 {
			out = append(out, key)
		}
	}
	sort.Slice(out, func(i, j int) bool { return keyNumber(out[i], prefix) < keyNumber(out[j], prefix) })
	return out
}

// keyNumber is the number of a key PREFIXn, -1 for other keys.
func keyNumber(key, prefix string) int {
	digits, ok := strings.CutPrefix(key, prefix)
	if !ok {
		return -1
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}
