package pvesim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// removeAccess takes a guest out of its pool and drops the entries of the
// access list on it. Source: PVE::AccessControl remove_vm_access.
func (s *Server) removeAccess(vmid int) {
	u := s.users()
	id := strconv.Itoa(vmid)
	u.ACL = slices.DeleteFunc(u.ACL, func(a conf.ACL) bool {
		return a.Path == vmPath(vmid) || strings.HasPrefix(a.Path, vmPath(vmid)+"/")
	})
	for _, p := range u.Pools {
		p.VMs = slices.DeleteFunc(p.VMs, func(v string) bool { return v == id })
	}
	s.setUsers(u)
}

// addToPool puts a guest into a pool.
func (s *Server) addToPool(vmid int, pool string) {
	u := s.users()
	if p := u.Pools[pool]; p != nil && !slices.Contains(p.VMs, strconv.Itoa(vmid)) {
		p.VMs = append(p.VMs, strconv.Itoa(vmid))
		s.setUsers(u)
	}
}

// needPool refuses a pool that does not exist.
// Source: PVE::RPCEnvironment check_pool_exist.
func (s *Server) needPool(pool string) error {
	if pool != "" && s.users().Pools[pool] == nil {
		return denied("pool '%s' does not exist", pool)
	}
	return nil
}

// removeFirewall removes the firewall file of a guest.
func (s *Server) removeFirewall(vmid int) {
	s.remove("firewall/" + strconv.Itoa(vmid) + ".fw")
}

// purgeJobs takes a guest out of the backup jobs; a job that is left without
// guests goes too. Source: PVE::VZDump::Plugin remove_vmid_from_backup_jobs.
func (s *Server) purgeJobs(vmid int) {
	entries := conf.ParseSections(s.files["jobs.cfg"])
	var kept []*conf.Entry
	for _, e := range entries {
		vmids := splitList(e.Values["vmid"])
		if e.Type == "vzdump" && slices.Contains(vmids, strconv.Itoa(vmid)) {
			vmids = slices.DeleteFunc(vmids, func(v string) bool { return v == strconv.Itoa(vmid) })
			if len(vmids) == 0 {
				continue
			}
			e.Set("vmid", strings.Join(vmids, ","))
		}
		kept = append(kept, e)
	}
	if len(entries) > 0 {
		s.write("jobs.cfg", conf.PrintSections(kept))
	}
}

// purge is what the parameter of that name does when a guest is destroyed.
func (t *task) purge(g *guest) {
	t.log("purging %s %d from related configurations..", short(g.kind), g.vmid)
	t.s.purgeJobs(g.vmid)
	if t.s.haRemove(g) {
		t.log("NOTE: removed %s %d from HA resource configuration.", short(g.kind), g.vmid)
	}
}
