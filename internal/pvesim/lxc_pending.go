package pvesim

import (
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

// fastPlug are keys that a running container takes at once, for they do not
// concern it. Source: PVE::LXC::Config $LXC_FASTPLUG_OPTIONS.
var fastPlug = map[string]bool{
	"description": true, "onboot": true, "startup": true, "protection": true, "hostname": true,
	"hookscript": true, "cores": true, "tags": true, "lock": true,
}

// hotPlug tells whether a running container takes a change of a key.
func (g *guest) hotPlug(key string, del bool) bool {
	switch {
	case fastPlug[key], key == "swap", key == "cpulimit", key == "cpuunits":
		return true
	case key == "memory":
		return !del
	case keyNumber(key, "unused") >= 0:
		return del
	case keyNumber(key, "net") >= 0:
		return !del || keyNumber(key, "net") < 10 // one digit is all that is looked at
	case keyNumber(key, "mp") >= 0, keyNumber(key, "dev") >= 0:
		return !del && !g.isSet(key)
	}
	return false
}

// applyPending moves pending changes into the main section: those of only if
// it is not nil, and of a running container those that it takes.
// Source: PVE::LXC::Config vmconfig_apply_pending, vmconfig_hotplug_pending.
func (s *Server) applyPending(g *guest, only map[string]bool, running bool) schema.Errors {
	errs := schema.Errors{}
	skip := func(key string, del bool) bool {
		return only != nil && !only[key] || running && !g.hotPlug(key, del)
	}
	deleted := g.pendingDelete()
	for _, key := range sortedKeys(deleted) {
		if skip(key, true) {
			continue
		}
		if err := s.applyDelete(g, key); err != nil {
			errs[key] = "unable to apply pending change " + key + " : " + err.Error() + "\n"
			continue
		}
		delete(deleted, key)
	}
	g.setPendingDelete(deleted)
	for _, key := range sortedKeys(g.Pending.Values) {
		if key == "delete" || skip(key, false) {
			continue
		}
		if err := s.applyChange(g, key); err != nil {
			errs[key] = err.Error() + "\n"
			if strings.HasPrefix(key, "mp") && running {
				errs[key] = "unable to hotplug " + key + ": " + errs[key]
			}
		}
	}
	if len(errs) == 0 {
		g.cleanPending()
	}
	return errs
}

// cleanPending drops changes that would change nothing.
// Source: PVE::AbstractConfig cleanup_pending.
func (g *guest) cleanPending() {
	for key, text := range g.Pending.Values {
		if key != "delete" && g.Values[key] == text && g.isSet(key) {
			delete(g.Pending.Values, key)
		}
	}
}

func (s *Server) applyDelete(g *guest, key string) error {
	text := g.Values[key]
	switch {
	case key == "description":
		g.Description = ""
	case keyNumber(key, "mp") >= 0:
		if m := s.mount(kindLXC, key, text); m != nil && m.kind == mountVolume && !s.inUse(g, m.volid, key) {
			delete(g.Values, key)
			s.addUnused(g, m.volid)
		}
	case keyNumber(key, "unused") >= 0:
		if m := s.mount(kindLXC, key, text); m != nil && !s.inUse(g, m.volid, key) && s.owner(m.volid) == g.vmid {
			if err := s.free(g.node, m.volid); err != nil {
				return err
			}
		}
	}
	delete(g.Values, key)
	return nil
}

func (s *Server) applyChange(g *guest, key string) error {
	text := g.Pending.Values[key]
	switch {
	case key == "description":
		g.Description = withNewline(text)
		g.Pending.Description = ""
		delete(g.Pending.Values, key)
		return nil
	case keyNumber(key, "net") >= 0:
		net, err := s.printNet(key, text)
		if err != nil {
			return err
		}
		text = net
	case keyNumber(key, "mp") >= 0:
		return s.applyMount(g, key, text)
	}
	g.Values[key] = text
	delete(g.Pending.Values, key)
	return nil
}

// applyMount puts a mount point into use: a new volume is made, one that is
// there gets its real size noted, and the one before becomes unused.
// Source: PVE::LXC::Config apply_pending_mountpoint.
func (s *Server) applyMount(g *guest, key, text string) error {
	keys, err := s.table.Parse("lxc.mp", text, key)
	if err != nil {
		return die("%s", err)
	}
	before := s.mount(kindLXC, key, g.Values[key])
	if newDisk.MatchString(keys["volume"]) {
		text, _, err = s.createDisk(g.node, g.vmid, key, text, nil)
		if err != nil {
			return err
		}
	} else {
		if v := s.vol(g.node, keys["volume"]); v != nil {
			keys["size"] = formatSize(v.Size)
		}
		text = s.table.Print("lxc.mp", keys)
	}
	g.Values[key] = text
	delete(g.Pending.Values, key)
	if before != nil && before.kind == mountVolume && !s.inUse(g, before.volid, "") {
		s.addUnused(g, before.volid)
	}
	return nil
}
