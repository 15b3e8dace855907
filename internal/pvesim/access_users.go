package pvesim

import (
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/crypt"
)

func init() {
	routes(map[string]handler{
		"GET /access/users":             userIndex,
		"POST /access/users":            userCreate,
		"GET /access/users/{userid}":    userRead,
		"PUT /access/users/{userid}":    userUpdate,
		"DELETE /access/users/{userid}": userDelete,
		"PUT /access/password":          passwordChange,
	})
}

// realms are the types of realms by name.
var realms = map[string]string{"pam": "pam", "pve": "pve"}

// userRow is a user with what is set.
func userRow(u *conf.User) object {
	row := object{"enable": number(u.Enable, 1), "expire": number(u.Expire, 0)}
	for key, v := range map[string]string{"comment": u.Comment, "email": u.Email, "firstname": u.First, "lastname": u.Last, "keys": u.Keys} {
		if v != "" {
			row[key] = v
		}
	}
	return row
}

func userIndex(c *call) (any, error) {
	users := c.s.users()
	out := []object{}
	for _, id := range sortedKeys(users.Users) {
		if id != c.user.user() && !c.may("/access/groups", "User.Modify", "Sys.Audit") {
			continue
		}
		row := userRow(users.Users[id])
		row["userid"] = id
		if _, realm, _ := strings.Cut(id, "@"); realms[realm] != "" {
			row["realm-type"] = realms[realm]
		}
		if c.has("enabled") && row["enable"] != number(c.str("enabled"), 0) {
			continue
		}
		if c.flag("full") {
			row["groups"] = strings.Join(groupsOf(users, id), ",")
			row["tokens"] = tokenRows(users, id)
		}
		out = append(out, row)
	}
	return out, nil
}

func groupsOf(u *conf.Users, userid string) []string {
	out := []string{}
	for _, id := range sortedKeys(u.Groups) {
		if slices.Contains(u.Groups[id].Users, userid) {
			out = append(out, id)
		}
	}
	return out
}

func noUser(id string) error { return die("no such user ('%s')", id) }

func userRead(c *call) (any, error) {
	users, id := c.s.users(), c.str("userid")
	u := users.Users[id]
	if u == nil {
		return nil, noUser(id)
	}
	row := userRow(u)
	row["groups"], row["tokens"] = groupsOf(users, id), nil
	tokens := object{}
	for _, t := range tokenRows(users, id) {
		name, _ := t["tokenid"].(string)
		delete(t, "tokenid")
		tokens[name] = t
	}
	if len(tokens) > 0 {
		row["tokens"] = tokens
	}
	return row, nil
}

func userCreate(c *call) (any, error) {
	users, id := c.s.users(), c.str("userid")
	if users.Users[id] != nil {
		return nil, die("create user failed: user '%s' already exists", id)
	}
	u := &conf.User{ID: id, Enable: "1", Expire: "0"}
	users.Users[id] = u
	c.setUser(users, u)
	if c.has("password") {
		c.s.setPassword(id, c.str("password"))
	}
	return nil, nil
}

// setUser takes over the parameters that describe a user.
func (c *call) setUser(users *conf.Users, u *conf.User) {
	for key, at := range map[string]*string{
		"enable": &u.Enable, "expire": &u.Expire, "comment": &u.Comment, "email": &u.Email,
		"firstname": &u.First, "lastname": &u.Last, "keys": &u.Keys,
	} {
		if c.has(key) {
			*at = c.str(key)
		}
	}
	if c.has("groups") {
		for name, g := range users.Groups {
			member := slices.Contains(splitList(c.str("groups")), name)
			if !c.flag("append") || member {
				g.Users = slices.DeleteFunc(g.Users, func(s string) bool { return s == u.ID })
			}
			if member {
				g.Users = append(g.Users, u.ID)
			}
		}
	}
	c.s.setUsers(users)
}

func userUpdate(c *call) (any, error) {
	users, id := c.s.users(), c.str("userid")
	u := users.Users[id]
	if u == nil {
		return nil, noUser(id)
	}
	c.setUser(users, u)
	return nil, nil
}

func userDelete(c *call) (any, error) {
	users, id := c.s.users(), c.str("userid")
	if users.Users[id] == nil {
		return nil, noUser(id)
	}
	delete(users.Users, id)
	for name := range users.Tokens {
		if strings.HasPrefix(name, id+"!") {
			delete(users.Tokens, name)
			c.s.setSecret(name, "")
		}
	}
	for _, g := range users.Groups {
		g.Users = slices.DeleteFunc(g.Users, func(s string) bool { return s == id })
	}
	users.ACL = slices.DeleteFunc(users.ACL, func(a conf.ACL) bool { return a.Who == id || strings.HasPrefix(a.Who, id+"!") })
	c.s.setUsers(users)
	return nil, nil
}

func passwordChange(c *call) (any, error) {
	if c.s.users().Users[c.str("userid")] == nil {
		return nil, noUser(c.str("userid"))
	}
	c.s.setPassword(c.str("userid"), c.str("password"))
	return nil, nil
}

// setPassword stores the password of a user of the realm pve.
func (s *Server) setPassword(userid, password string) {
	name, ok := strings.CutSuffix(userid, "@pve")
	if !ok {
		return
	}
	var b strings.Builder
	for line := range strings.Lines(s.files["priv/shadow.cfg"]) {
		if !strings.HasPrefix(line, name+":") {
			b.WriteString(line)
		}
	}
	b.WriteString(name + ":" + crypt.Make(password, uuid()[:8]) + ":\n")
	s.write("priv/shadow.cfg", b.String())
}
