package pvesim

import (
	"strconv"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

const haFile = "ha/resources.cfg"

// haType is the type of a guest in ha/resources.cfg: ct or vm.
func haType(k kind) string {
	if k == kindQEMU {
		return "vm"
	}
	return "ct"
}

// haEntry is a guest's section in ha/resources.cfg, nil if it is not managed.
func (s *Server) haEntry(g *guest) *conf.Entry {
	for _, e := range conf.ParseSections(s.files[haFile]) {
		if e.Type == haType(g.kind) && e.ID == strconv.Itoa(g.vmid) {
			return e
		}
	}
	return nil
}

// haState is what the status of a guest says of high availability. Without a
// manager the state is null.
func (s *Server) haState(g *guest) object {
	e := s.haEntry(g)
	switch {
	case e == nil:
		return object{"managed": 0}
	case !s.haRuns():
		return object{"managed": 1, "state": nil}
	}
	return object{"managed": 1, "state": wantedState(e)}
}

// haRemove takes a guest out of ha/resources.cfg; it reports whether it was there.
func (s *Server) haRemove(g *guest) bool {
	entries := conf.ParseSections(s.files[haFile])
	var kept []*conf.Entry
	for _, e := range entries {
		if e.Type != haType(g.kind) || e.ID != strconv.Itoa(g.vmid) {
			kept = append(kept, e)
		}
	}
	if len(kept) == len(entries) {
		return false
	}
	s.write(haFile, conf.PrintSections(kept))
	return true
}

// haAdd puts a guest into ha/resources.cfg.
func (s *Server) haAdd(g *guest) {
	entries := conf.ParseSections(s.files[haFile])
	e := conf.NewEntry(haType(g.kind), strconv.Itoa(g.vmid))
	e.Set("state", "started")
	s.write(haFile, conf.PrintSections(append(entries, e)))
}
