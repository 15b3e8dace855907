package pvesim

import (
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{
		"GET /access/users/{userid}/token":              tokenIndex,
		"GET /access/users/{userid}/token/{tokenid}":    tokenRead,
		"POST /access/users/{userid}/token/{tokenid}":   tokenCreate,
		"PUT /access/users/{userid}/token/{tokenid}":    tokenUpdate,
		"DELETE /access/users/{userid}/token/{tokenid}": tokenDelete,
	})
}

func tokenRow(t *conf.Token) object {
	row := object{"expire": number(t.Expire, 0), "privsep": number(t.Privsep, 1)}
	if t.Comment != "" {
		row["comment"] = t.Comment
	}
	return row
}

func tokenRows(u *conf.Users, userid string) []object {
	out := []object{}
	for _, name := range sortedKeys(u.Tokens) {
		if short, ok := strings.CutPrefix(name, userid+"!"); ok {
			row := tokenRow(u.Tokens[name])
			row["tokenid"] = short
			out = append(out, row)
		}
	}
	return out
}

func tokenIndex(c *call) (any, error) {
	return tokenRows(c.s.users(), c.str("userid")), nil
}

// findToken is the token that a call names.
func (c *call) findToken(u *conf.Users) (*conf.Token, error) {
	if u.Users[c.str("userid")] == nil {
		return nil, noUser(c.str("userid"))
	}
	if t := u.Tokens[c.str("userid")+"!"+c.str("tokenid")]; t != nil {
		return t, nil
	}
	return nil, die("no such token '%s' for user '%s'", c.str("tokenid"), c.str("userid"))
}

func tokenRead(c *call) (any, error) {
	t, err := c.findToken(c.s.users())
	if err != nil {
		return nil, err
	}
	return tokenRow(t), nil
}

func tokenCreate(c *call) (any, error) {
	users := c.s.users()
	if users.Users[c.str("userid")] == nil {
		return nil, noUser(c.str("userid"))
	}
	id := c.str("userid") + "!" + c.str("tokenid")
	if users.Tokens[id] != nil {
		return nil, wrong("tokenid", "Token already exists.")
	}
	t := &conf.Token{ID: id, Expire: "0", Privsep: "1", Comment: c.str("comment")}
	info := object{"privsep": "1"}
	for key, at := range map[string]*string{"expire": &t.Expire, "privsep": &t.Privsep} {
		if c.has(key) {
			*at = c.str(key)
			info[key] = c.str(key)
		}
	}
	if t.Comment != "" {
		info["comment"] = t.Comment
	}
	users.Tokens[id] = t
	secret := uuid()
	c.s.setUsers(users)
	c.s.setSecret(id, secret)
	return object{"full-tokenid": id, "value": secret, "info": info}, nil
}

func tokenUpdate(c *call) (any, error) {
	users := c.s.users()
	t, err := c.findToken(users)
	if err != nil {
		return nil, err
	}
	for key, at := range map[string]*string{"expire": &t.Expire, "privsep": &t.Privsep, "comment": &t.Comment} {
		if c.has(key) {
			*at = c.str(key)
		}
	}
	c.s.setUsers(users)
	return tokenRow(t), nil
}

func tokenDelete(c *call) (any, error) {
	users := c.s.users()
	t, err := c.findToken(users)
	if err != nil {
		return nil, err
	}
	delete(users.Tokens, t.ID)
	users.ACL = slices.DeleteFunc(users.ACL, func(a conf.ACL) bool { return a.Who == t.ID })
	c.s.setUsers(users)
	c.s.setSecret(t.ID, "")
	return nil, nil
}
