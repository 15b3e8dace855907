package pvesim

import (
	"slices"
)

func init() {
	routes(map[string]handler{
		"GET /access":             parts("subdir", "users groups roles acl domains openid tfa ticket password"),
		"GET /access/permissions": permissions,
		"GET /access/domains":     domains,
	})
}

// permissions are the effective privileges of the caller, or for those who
// may look at them those of another user or token.
// Source: PVE::API2::AccessControl permissions.
func permissions(c *call) (any, error) {
	who := c.user
	if c.has("userid") && c.str("userid") != c.user.name {
		if err := c.need("/access", "Sys.Audit"); err != nil {
			return nil, err
		}
		who = identity{c.str("userid")}
	}
	users := c.s.users()
	if users.Users[who.user()] == nil {
		return object{}, nil
	}
	if c.has("path") {
		return object{c.str("path"): privilegeFlags(privileges(users, who, c.str("path")))}, nil
	}
	paths := words("/ /access /access/groups /nodes /pool /sdn /storage /vms")
	for _, a := range users.ACL {
		paths = append(paths, a.Path)
	}
	slices.Sort(paths)
	out := object{}
	for _, path := range slices.Compact(paths) {
		if have := privileges(users, who, path); len(have) > 0 {
			out[path] = privilegeFlags(have)
		}
	}
	return out, nil
}

// privilegeFlags has 1 for a privilege that goes on below the path.
func privilegeFlags(have map[string]bool) object {
	out := object{}
	for p, propagate := range have {
		out[p] = flagValue(propagate)
	}
	return out
}

func domains(*call) (any, error) {
	return []object{
		{"realm": "pam", "type": "pam", "comment": "Linux PAM standard authentication"},
		{"realm": "pve", "type": "pve", "comment": "Proxmox VE authentication server"},
	}, nil
}
