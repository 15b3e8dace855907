package pvesim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{"GET /access/acl": aclIndex, "PUT /access/acl": aclUpdate})
}

// aclPath are the paths that an entry may be made for.
// Source: PVE::AccessControl check_path.
var aclPath = regexp.MustCompile(`^(/|/access|/access/groups(/[\w.\-]+)?|/access/realm(/[\w.\-]+)?|/nodes(/[\w.\-]+)?|` +
	`/pool(/[\w.\-]+){0,3}|/sdn(/(zones|vnets|controllers|dns|ipams|fabrics)(/[\w.\-]+){0,3})?|/storage(/[\w.\-]+)?|` +
	`/vms(/[1-9][0-9]{2,})?|/mapping(/[\w.\-]+(/[\w.\-]+)?)?)$`)

// kindOfHolder tells whom an entry is for.
func kindOfHolder(who string) string {
	switch {
	case who[0] == '@':
		return "group"
	case strings.Contains(who, "!"):
		return "token"
	}
	return "user"
}

func aclIndex(c *call) (any, error) {
	out := []object{}
	for _, a := range c.s.users().ACL {
		if !c.may("/access", "Sys.Audit", "Permissions.Modify") && !c.may(a.Path, "Permissions.Modify") {
			continue
		}
		out = append(out, object{
			"path": a.Path, "propagate": flagValue(a.Propagate), "roleid": a.Role, "type": kindOfHolder(a.Who), "ugid": strings.TrimPrefix(a.Who, "@"),
		})
	}
	return out, nil
}

// aclUpdate adds, changes or removes entries. Source: PVE::API2::ACL update_acl.
func aclUpdate(c *call) (any, error) {
	path := c.str("path")
	if path != "/" {
		path = strings.TrimRight(path, "/")
	}
	if !aclPath.MatchString(path) {
		return nil, wrong("path", "invalid ACL path '%s'", c.str("path"))
	}
	users := c.s.users()
	holders, err := c.holders(users)
	if err != nil {
		return nil, err
	}
	for _, role := range splitList(c.str("roles")) {
		if !roleExists(users, role) {
			return nil, die("ACL update failed: role '%s' does not exist", role)
		}
		if !c.may(path, "Permissions.Modify") {
			if err := c.need(path, rolePrivs(users, role)...); err != nil {
				return nil, err
			}
		}
		for _, who := range holders {
			users.ACL = slices.DeleteFunc(users.ACL, func(a conf.ACL) bool { return a.Path == path && a.Who == who && a.Role == role })
			if !c.flag("delete") {
				users.ACL = append(users.ACL, conf.ACL{Path: path, Who: who, Role: role, Propagate: !c.has("propagate") || c.flag("propagate")})
			}
		}
	}
	c.s.setUsers(users)
	return nil, nil
}

// holders are those whom an entry is for.
func (c *call) holders(users *conf.Users) ([]string, error) {
	var out []string
	for _, g := range splitList(c.str("groups")) {
		if users.Groups[g] == nil {
			return nil, die("ACL update failed: group '%s' does not exist", g)
		}
		out = append(out, "@"+g)
	}
	for _, u := range splitList(c.str("users")) {
		if users.Users[u] == nil {
			return nil, die("ACL update failed: user '%s' does not exist", u)
		}
		out = append(out, u)
	}
	for _, t := range splitList(c.str("tokens")) {
		if users.Tokens[t] == nil {
			return nil, die("ACL update failed: token '%s' does not exist", t)
		}
		out = append(out, t)
	}
	return out, nil
}
