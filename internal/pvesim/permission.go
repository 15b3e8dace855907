package pvesim

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// allowed checks the privileges a call asks for in the table: "all", "world",
// "root" or an expression
//
//	(perm PATH PRIV|PRIV [require=PARAM])  any of the privileges
//	(perm PATH PRIV,PRIV)                  all of them
//	(and …) (or …) (userid-param PRIV|self) (userid-group PRIV|PRIV …) (perm-modify PATH)
//
// Source: PVE::RPCEnvironment check_api2_permissions, exec_api2_perm_check.
func (s *Server) allowed(c *call) error {
	switch {
	case c.user.root(), c.method.Perm == "all", c.method.Perm == "world":
		return nil
	case c.method.Perm == "root":
		return denied("user != root@pam")
	}
	expr, _ := parseExpr(tokens(c.method.Perm))
	return c.eval(expr)
}

// expr is a list of words and lists.
type expr struct {
	word string
	list []expr
}

func tokens(s string) []string {
	s = strings.ReplaceAll(s, "(", " ( ")
	return strings.Fields(strings.ReplaceAll(s, ")", " ) "))
}

func parseExpr(tok []string) (expr, []string) {
	if tok[0] != "(" {
		return expr{word: tok[0]}, tok[1:]
	}
	out := expr{}
	for tok = tok[1:]; tok[0] != ")"; {
		var e expr
		e, tok = parseExpr(tok)
		out.list = append(out.list, e)
	}
	return out, tok[1:]
}

func (c *call) eval(e expr) error {
	args := e.list[1:]
	switch e.list[0].word {
	case "and":
		for _, a := range args {
			if err := c.eval(a); err != nil {
				return err
			}
		}
		return nil
	case "or":
		for _, a := range args {
			if c.eval(a) == nil {
				return nil
			}
		}
		return &apiError{status: 403, message: "Permission check failed\n"}
	case "perm":
		return c.evalPerm(args)
	case "userid-param":
		return c.evalUser(args[0].word)
	case "userid-group":
		return c.evalGroups(args)
	case "perm-modify":
		return c.evalModify(c.fill(args[0].word))
	}
	return errors.New("unknown permission " + e.list[0].word)
}

// fill puts parameters into a path; what is missing is left out.
func (c *call) fill(path string) string {
	for name, v := range c.params {
		path = strings.ReplaceAll(path, "{"+name+"}", v.Text)
	}
	return unfilled.ReplaceAllString(path, "")
}

var unfilled = regexp.MustCompile(`\{\w+\}`)

// goodPath is what a path may be made of. Source: PVE::AccessControl normalize_path.
var goodPath = regexp.MustCompile(`^[\w.\-/]+$`)

func (c *call) evalPerm(args []expr) error {
	for _, a := range args[2:] {
		if name, ok := strings.CutPrefix(a.word, "require="); ok && !c.has(name) {
			return &apiError{status: 403, message: "Permission check failed\n"}
		}
	}
	path, privs := c.fill(args[0].word), args[1].word
	if !goodPath.MatchString(path) {
		return denied(", %s", privs) // such a path has no name
	}
	if strings.Contains(privs, ",") {
		return c.need(path, strings.Split(privs, ",")...)
	}
	return c.needAny(path, strings.Split(privs, "|")...)
}

func (c *call) evalUser(what string) error {
	userid := c.str("userid")
	if what == "self" {
		if userid == c.user.name || userid == c.user.user() && c.user.token() == "" {
			return nil
		}
		return &apiError{status: 403, message: "Permission check failed\n"}
	}
	_, realm, ok := strings.Cut(userid, "@")
	if !ok && len(userid) < 3 {
		return die("user name '%s' is too short", userid)
	}
	return c.need("/access/realm/"+realm, what)
}

func (c *call) evalGroups(args []expr) error {
	privs := strings.Split(args[0].word, "|")
	if c.may("/access/groups", privs...) {
		return nil
	}
	if slices.ContainsFunc(args[1:], func(a expr) bool { return a.word == "groups_param" }) && c.has("groups") {
		for _, g := range strings.FieldsFunc(c.str("groups"), func(r rune) bool { return strings.ContainsRune(",; ", r) }) {
			if err := c.needAny("/access/groups/"+g, privs...); err != nil {
				return err
			}
		}
		return nil
	}
	for name, g := range c.s.users().Groups {
		if slices.Contains(g.Users, c.str("userid")) && c.may("/access/groups/"+name, privs...) {
			return nil
		}
	}
	return denied("%s, %s", "/access/groups", strings.Join(privs, "|"))
}

// evalModify allows who may change permissions on a path. Delegation of one's
// own privileges goes by the kind of object.
func (c *call) evalModify(path string) error {
	privs := []string{"Permissions.Modify"}
	switch {
	case strings.HasPrefix(path, "/storage/"):
		privs = append(privs, "Datastore.Allocate")
	case strings.HasPrefix(path, "/vms/"):
		privs = append(privs, "VM.Allocate")
	case strings.HasPrefix(path, "/pool/"):
		privs = append(privs, "Pool.Allocate")
	}
	return c.needAny(path, privs...)
}
