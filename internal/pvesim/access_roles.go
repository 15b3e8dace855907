package pvesim

import (
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{
		"GET /access/roles":               roleIndex,
		"POST /access/roles":              roleCreate,
		"GET /access/roles/{roleid}":      roleRead,
		"PUT /access/roles/{roleid}":      roleUpdate,
		"DELETE /access/roles/{roleid}":   roleDelete,
		"GET /access/groups":              groupIndex,
		"POST /access/groups":             groupCreate,
		"GET /access/groups/{groupid}":    groupRead,
		"PUT /access/groups/{groupid}":    groupUpdate,
		"DELETE /access/groups/{groupid}": groupDelete,
	})
}

func roleIndex(c *call) (any, error) {
	out := []object{}
	for _, id := range sortedKeys(builtin) {
		out = append(out, object{"roleid": id, "special": 1, "privs": strings.Join(builtin[id], ",")})
	}
	users := c.s.users()
	for _, id := range sortedKeys(users.Roles) {
		out = append(out, object{"roleid": id, "privs": strings.Join(users.Roles[id].Privs, ",")})
	}
	return out, nil
}

func roleExists(u *conf.Users, id string) bool {
	_, special := builtin[id]
	return special || u.Roles[id] != nil
}

func noRole(id string) error { return die("role '%s' does not exist", id) }

func roleRead(c *call) (any, error) {
	users := c.s.users()
	if !roleExists(users, c.str("roleid")) {
		return nil, noRole(c.str("roleid"))
	}
	out := object{}
	for _, p := range rolePrivs(users, c.str("roleid")) {
		out[p] = 1
	}
	return out, nil
}

// knownPrivs refuses a privilege that does not exist.
func knownPrivs(text string) error {
	for _, p := range splitList(text) {
		if !slices.Contains(builtin["Administrator"], p) {
			return wrong("privs", "invalid format - invalid privilege '%s'\n", p)
		}
	}
	return nil
}

func roleCreate(c *call) (any, error) {
	users, id := c.s.users(), c.str("roleid")
	if err := knownPrivs(c.str("privs")); err != nil {
		return nil, err
	}
	if roleExists(users, id) {
		return nil, die("create role failed: role '%s' already exists", id)
	}
	users.Roles[id] = &conf.Role{ID: id, Privs: splitList(c.str("privs"))}
	c.s.setUsers(users)
	return nil, nil
}

func roleUpdate(c *call) (any, error) {
	users, id := c.s.users(), c.str("roleid")
	if err := knownPrivs(c.str("privs")); err != nil {
		return nil, err
	}
	if _, special := builtin[id]; special {
		return nil, die("auto-generated role '%s' cannot be modified", id)
	}
	r := users.Roles[id]
	if r == nil {
		return nil, noRole(id)
	}
	if c.flag("append") {
		r.Privs = append(r.Privs, splitList(c.str("privs"))...)
	} else {
		r.Privs = splitList(c.str("privs"))
	}
	c.s.setUsers(users)
	return nil, nil
}

func roleDelete(c *call) (any, error) {
	users, id := c.s.users(), c.str("roleid")
	if _, special := builtin[id]; special {
		return nil, die("auto-generated role '%s' cannot be deleted", id)
	}
	if users.Roles[id] == nil {
		return nil, noRole(id)
	}
	delete(users.Roles, id)
	users.ACL = slices.DeleteFunc(users.ACL, func(a conf.ACL) bool { return a.Role == id })
	c.s.setUsers(users)
	return nil, nil
}

func groupIndex(c *call) (any, error) {
	users := c.s.users()
	out := []object{}
	for _, id := range sortedKeys(users.Groups) {
		if !c.may("/access/groups/"+id, "User.Modify", "Sys.Audit", "Group.Allocate") {
			continue
		}
		row := object{"groupid": id, "users": strings.Join(users.Groups[id].Users, ",")}
		if text := users.Groups[id].Comment; text != "" {
			row["comment"] = text
		}
		out = append(out, row)
	}
	return out, nil
}

func noGroup(id string) error { return die("group '%s' does not exist", id) }

func groupCreate(c *call) (any, error) {
	users, id := c.s.users(), c.str("groupid")
	if users.Groups[id] != nil {
		return nil, die("create group failed: group '%s' already exists", id)
	}
	users.Groups[id] = &conf.Group{ID: id, Comment: c.str("comment")}
	c.s.setUsers(users)
	return nil, nil
}

func groupRead(c *call) (any, error) {
	g := c.s.users().Groups[c.str("groupid")]
	if g == nil {
		return nil, noGroup(c.str("groupid"))
	}
	row := object{"members": append([]string{}, g.Users...)}
	if g.Comment != "" {
		row["comment"] = g.Comment
	}
	return row, nil
}

func groupUpdate(c *call) (any, error) {
	users := c.s.users()
	g := users.Groups[c.str("groupid")]
	if g == nil {
		return nil, noGroup(c.str("groupid"))
	}
	if c.has("comment") {
		g.Comment = c.str("comment")
	}
	c.s.setUsers(users)
	return nil, nil
}

func groupDelete(c *call) (any, error) {
	users, id := c.s.users(), c.str("groupid")
	if users.Groups[id] == nil {
		return nil, noGroup(id)
	}
	delete(users.Groups, id)
	users.ACL = slices.DeleteFunc(users.ACL, func(a conf.ACL) bool { return a.Who == "@"+id })
	c.s.setUsers(users)
	return nil, nil
}
