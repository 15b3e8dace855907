package pvesim

import (
	"strconv"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// haManaged tells whether the manager of high availability acts for a guest.
// Source: PVE::HA::Config vm_is_ha_managed.
func (s *Server) haManaged(g *guest) bool {
	e := s.haEntry(g)
	return e != nil && e.Values["state"] != "ignored"
}

// haSet changes the state that is asked for in ha/resources.cfg.
func (s *Server) haSet(g *guest, state string) {
	entries := conf.ParseSections(s.files[haFile])
	for _, e := range entries {
		if e.Type == haType(g.kind) && e.ID == strconv.Itoa(g.vmid) {
			e.Set("state", state)
		}
	}
	s.write(haFile, conf.PrintSections(entries))
}
