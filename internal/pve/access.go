package pve

import (
	"context"
	"slices"
)

// Permissions are the privileges of the identity, path by path. A privilege that is
// listed is held; the value says whether it reaches below the path.
type Permissions map[string]map[string]Bool

// Has reports whether a privilege is held on a path that was asked for.
func (p Permissions) Has(path, privilege string) bool {
	_, held := p[path][privilege]
	return held
}

// Permissions reads the identity's own privileges on one path; no privilege is
// needed. An empty path reads those on every path that has rules.
func (c *Client) Permissions(ctx context.Context, path string) (Permissions, error) {
	p := Params{}
	if path != "" {
		p["path"] = path
	}
	return call[Permissions](ctx, c, get(p, "access", "permissions"))
}

// ACL is one access rule.
type ACL struct {
	Path      string `json:"path"`
	Type      string `json:"type"` // user, group or token
	ID        string `json:"ugid"`
	Role      string `json:"roleid"`
	Propagate Bool   `json:"propagate"`
}

// ACLs lists the access rules on one path that the identity may see; destroying a
// guest removes those on its own path.
func (c *Client) ACLs(ctx context.Context, path string) ([]ACL, error) {
	rows, err := call[[]ACL](ctx, c, get(nil, "access", "acl"))
	return slices.DeleteFunc(rows, func(a ACL) bool { return a.Path != path }), err
}
