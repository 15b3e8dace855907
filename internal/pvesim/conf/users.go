package conf

import (
	"net/url"
	"sort"
	"strings"
)

// User is a user of user.cfg; Expire is in seconds since 1970, 0 is never.
type User struct {
	ID, Enable, Expire, First, Last, Email, Comment, Keys string
}

// Token is an API token, its ID is USER!NAME.
type Token struct {
	ID, Expire, Privsep, Comment string
}

// Group is a group of users.
type Group struct {
	ID, Comment string
	Users       []string
}

// Pool is a resource pool.
type Pool struct {
	ID, Comment string
	VMs         []string
	Storages    []string
}

// Role is a role that was added to the built-in ones.
type Role struct {
	ID    string
	Privs []string
}

// ACL grants a role on a path. Who is a user, a token or @group.
type ACL struct {
	Path, Who, Role string
	Propagate       bool
}

// Users is user.cfg.
type Users struct {
	Users  map[string]*User
	Tokens map[string]*Token
	Groups map[string]*Group
	Pools  map[string]*Pool
	Roles  map[string]*Role
	ACL    []ACL
}

// ParseUsers reads user.cfg.
//
// Source: PVE::AccessControl parse_user_config.
func ParseUsers(text string) *Users {
	u := &Users{
		Users: map[string]*User{}, Tokens: map[string]*Token{}, Groups: map[string]*Group{},
		Pools: map[string]*Pool{}, Roles: map[string]*Role{},
	}
	for line := range strings.SplitSeq(text, "\n") {
		f := strings.Split(strings.TrimRight(line, "\r"), ":")
		for len(f) < 10 {
			f = append(f, "")
		}
		switch f[0] {
		case "user":
			u.Users[f[1]] = &User{f[1], f[2], f[3], plain(f[4]), plain(f[5]), f[6], plain(f[7]), f[8]}
		case "token":
			u.Tokens[f[1]] = &Token{f[1], f[2], f[3], plain(f[4])}
		case "group":
			u.Groups[f[1]] = &Group{f[1], plain(f[3]), list(f[2])}
		case "role":
			u.Roles[f[1]] = &Role{f[1], list(f[2])}
		case "pool":
			u.Pools[f[1]] = &Pool{f[1], plain(f[2]), list(f[3]), list(f[4])}
		case "acl":
			for _, who := range list(f[3]) {
				for _, role := range list(f[4]) {
					u.ACL = append(u.ACL, ACL{Path: f[2], Who: who, Role: role, Propagate: f[1] == "1"})
				}
			}
		}
	}
	return u
}

// Print writes user.cfg.
func (u *Users) Print() string {
	var b strings.Builder
	line := func(fields ...string) { b.WriteString(strings.Join(fields, ":") + ":\n") }
	for _, id := range sorted(u.Users) {
		x := u.Users[id]
		line("user", x.ID, x.Enable, x.Expire, fold(x.First), fold(x.Last), x.Email, fold(x.Comment), x.Keys)
		for _, tok := range sorted(u.Tokens) {
			if t := u.Tokens[tok]; strings.HasPrefix(tok, id+"!") {
				line("token", t.ID, t.Expire, t.Privsep, fold(t.Comment))
			}
		}
	}
	b.WriteString("\n")
	for _, id := range sorted(u.Groups) {
		line("group", id, strings.Join(u.Groups[id].Users, ","), fold(u.Groups[id].Comment))
	}
	b.WriteString("\n")
	for _, id := range sorted(u.Pools) {
		p := u.Pools[id]
		line("pool", id, fold(p.Comment), strings.Join(p.VMs, ","), strings.Join(p.Storages, ","))
	}
	b.WriteString("\n")
	for _, id := range sorted(u.Roles) {
		line("role", id, strings.Join(u.Roles[id].Privs, ","))
	}
	b.WriteString("\n")
	acl := append([]ACL(nil), u.ACL...)
	sort.SliceStable(acl, func(i, j int) bool { return acl[i].Path < acl[j].Path })
	for _, a := range acl {
		line("acl", map[bool]string{true: "1", false: "0"}[a.Propagate], a.Path, a.Who, a.Role)
	}
	return b.String()
}

// fold makes a text fit between colons; plain undoes it.
func fold(s string) string { return encode(s) }

func plain(s string) string {
	if t, err := url.PathUnescape(s); err == nil {
		return t
	}
	return s
}

func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == ' ' })
}
