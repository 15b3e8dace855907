package pvesim

import (
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// Privileges by group. Source: PVE::AccessControl $privgroups.
var (
	vmUser = words("VM.Audit VM.Backup VM.Config.CDROM VM.Config.Cloudinit VM.Console VM.PowerMgmt " +
		"VM.GuestAgent.Audit VM.GuestAgent.FileRead VM.GuestAgent.FileWrite VM.GuestAgent.FileSystemMgmt")
	vmAdmin = words("VM.Allocate VM.Clone VM.Config.Disk VM.Config.CPU VM.Config.Memory VM.Config.Network " +
		"VM.Config.HWType VM.Config.Options VM.Migrate VM.Replicate VM.Snapshot VM.Snapshot.Rollback VM.GuestAgent.Unrestricted")
	dsUser   = words("Datastore.AllocateSpace Datastore.Audit")
	dsAdmin  = words("Datastore.Allocate Datastore.AllocateTemplate")
	sdnUser  = words("SDN.Use SDN.Audit")
	mapUser  = words("Mapping.Use Mapping.Audit")
	sysAdmin = words("Sys.Console Sys.Syslog Sys.Audit")
	rest     = words("Group.Allocate Pool.Allocate Pool.Audit Realm.AllocateUser SDN.Allocate User.Modify")
	topOnly  = words("Sys.Modify Sys.AccessNetwork Sys.PowerMgmt Sys.Incoming Permissions.Modify Mapping.Modify Realm.Allocate")
)

// builtin are the roles that always exist. Source: PVE::AccessControl create_roles.
var builtin = map[string][]string{
	"NoAccess":          {},
	"Administrator":     slices.Concat(vmUser, vmAdmin, dsUser, dsAdmin, sdnUser, mapUser, sysAdmin, rest, topOnly),
	"PVEAdmin":          slices.Concat(vmUser, vmAdmin, dsUser, dsAdmin, sdnUser, mapUser, sysAdmin, rest),
	"PVEVMAdmin":        slices.Concat(vmUser, vmAdmin),
	"PVEVMUser":         vmUser,
	"PVETemplateUser":   words("VM.Audit VM.Clone"),
	"PVEDatastoreAdmin": slices.Concat(dsUser, dsAdmin),
	"PVEDatastoreUser":  dsUser,
	"PVESDNAdmin":       slices.Concat(sdnUser, words("SDN.Allocate")),
	"PVESDNUser":        sdnUser,
	"PVEPoolAdmin":      words("Pool.Allocate Pool.Audit"),
	"PVEPoolUser":       words("Pool.Audit"),
	"PVEMappingAdmin":   slices.Concat(mapUser, words("Mapping.Modify")),
	"PVEMappingUser":    mapUser,
	"PVEMappingAuditor": words("Mapping.Audit"),
	"PVESysAdmin":       sysAdmin,
	"PVEUserAdmin":      words("Group.Allocate Realm.AllocateUser User.Modify"),
	"PVEAuditor":        words("Datastore.Audit Mapping.Audit Pool.Audit SDN.Audit Sys.Audit VM.Audit VM.GuestAgent.Audit"),
}

func words(s string) []string { return strings.Fields(s) }

// rolePrivs returns the privileges of a role.
func rolePrivs(users *conf.Users, role string) []string {
	if r := users.Roles[role]; r != nil {
		return r.Privs
	}
	return builtin[role]
}

// access is user.cfg for reading only; it is parsed once for each text.
func (s *Server) access() *conf.Users {
	if text := s.files["user.cfg"]; s.parsedUsers == nil || s.parsedText != text {
		s.parsedUsers, s.parsedText = s.users(), text
	}
	return s.parsedUsers
}

// users is user.cfg; change it with setUsers.
func (s *Server) users() *conf.Users {
	u := conf.ParseUsers(s.files["user.cfg"])
	if u.Users["root@pam"] == nil {
		u.Users["root@pam"] = &conf.User{ID: "root@pam", Enable: "1", Expire: "0"}
	}
	return u
}

func (s *Server) setUsers(u *conf.Users) { s.write("user.cfg", u.Print()) }

// roles returns the roles of a user or token on a path, each with whether it
// goes on below. A deeper entry replaces what is inherited; at one path an
// entry of the user or token wins over those of groups.
//
// Source: PVE::AccessControl roles.
func roles(u *conf.Users, who identity, path string) map[string]bool {
	if who.root() {
		return map[string]bool{"Administrator": true}
	}
	if who.token() != "" {
		token := u.Tokens[who.name]
		if token == nil {
			return nil
		}
		if token.Privsep != "1" {
			return roles(u, identity{who.user()}, path)
		}
	}
	var found map[string]bool
	for _, at := range prefixes(path) {
		own, groups := map[string]bool{}, map[string]bool{}
		for _, a := range u.ACL {
			if a.Path != at || at != path && !a.Propagate {
				continue
			}
			if a.Who == who.name {
				own[a.Role] = a.Propagate
			}
			if g := u.Groups[strings.TrimPrefix(a.Who, "@")]; a.Who[0] == '@' && g != nil && slices.Contains(g.Users, who.name) {
				groups[a.Role] = a.Propagate
			}
		}
		if len(own) > 0 {
			found = own
		} else if len(groups) > 0 {
			found = groups
		}
	}
	if _, none := found["NoAccess"]; none {
		return map[string]bool{"NoAccess": found["NoAccess"]}
	}
	return found
}

// prefixes are "/" and all parents of a path, then the path.
func prefixes(path string) []string {
	out := []string{"/"}
	at := ""
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if part != "" {
			at += "/" + part
			out = append(out, at)
		}
	}
	return out
}

// privileges returns what a user or token may on a path, each privilege with
// whether it goes on below. Roles on a pool count for its members.
//
// Source: PVE::RPCEnvironment permissions.
func privileges(u *conf.Users, who identity, path string) map[string]bool {
	out := map[string]bool{}
	add := func(on string, keep bool) {
		for role, propagate := range roles(u, who, on) {
			for _, p := range rolePrivs(u, role) {
				out[p] = out[p] || propagate && keep
			}
		}
	}
	add(path, true)
	if pool := poolOf(u, path); pool != "" {
		add("/pool/"+pool, false)
	}
	if t := u.Tokens[who.name]; t != nil && t.Privsep == "1" {
		limit := privileges(u, identity{who.user()}, path)
		for p := range out {
			if _, ok := limit[p]; !ok {
				delete(out, p)
			}
		}
	}
	return out
}

// poolOf returns the pool that the guest or storage of a path is in.
func poolOf(u *conf.Users, path string) string {
	part := strings.Split(strings.Trim(path, "/"), "/")
	if len(part) != 2 {
		return ""
	}
	for _, id := range sortedKeys(u.Pools) {
		p := u.Pools[id]
		if part[0] == "vms" && slices.Contains(p.VMs, part[1]) || part[0] == "storage" && slices.Contains(p.Storages, part[1]) {
			return id
		}
	}
	return ""
}

// may tells whether the caller has any of the privileges on the path.
func (c *call) may(path string, privs ...string) bool {
	have := privileges(c.s.access(), c.user, path)
	return slices.ContainsFunc(privs, func(p string) bool { _, ok := have[p]; return ok })
}

// need refuses a caller that lacks one of the privileges on the path.
func (c *call) need(path string, privs ...string) error {
	for _, p := range privs {
		if !c.may(path, p) {
			return denied("%s, %s", path, p)
		}
	}
	return nil
}

// needAny refuses a caller that has none of the privileges on the path.
func (c *call) needAny(path string, privs ...string) error {
	if c.may(path, privs...) {
		return nil
	}
	return denied("%s, %s", path, strings.Join(privs, "|"))
}

// needOwn refuses a caller that may neither do priv on the guest nor, while
// it is put into a pool, on the pool.
func (c *call) needOwn(vmid int, pool, priv string) error {
	if pool != "" && c.may("/pool/"+pool, priv) {
		return nil
	}
	return c.need(vmPath(vmid), priv)
}
