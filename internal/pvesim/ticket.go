package pvesim

import "strings"

func init() {
	routes(map[string]handler{
		"GET /access/ticket":  func(*call) (any, error) { return nil, nil },
		"POST /access/ticket": login,
	})
}

// login makes a ticket for a user and password.
// Source: PVE::API2::AccessControl create_ticket.
func login(c *call) (any, error) {
	user := c.str("username")
	if c.has("realm") && !strings.Contains(user, "@") {
		user += "@" + c.str("realm")
	}
	valid := c.s.passwordValid(user, c.str("password"))
	if old, ok := c.s.ticketUser(c.str("password")); ok && old == user {
		valid = true // a ticket that is still good may be renewed with itself
	}
	if !valid {
		return nil, &apiError{status: 401, message: "authentication failure\n"}
	}
	return object{
		"username": user, "ticket": c.s.ticket(user), "CSRFPreventionToken": c.s.csrf(user),
		"cap": c.s.capabilities(identity{user}),
	}, nil
}

// capabilities are what the web interface wants to know of a user's rights.
// Source: PVE::RPCEnvironment compute_api_permission.
func (s *Server) capabilities(who identity) object {
	u := s.users()
	// The group of a privilege is its first word; two words count elsewhere.
	groups := map[string]string{
		"vms": "VM", "storage": "Datastore", "access": "User Group Realm Permissions",
		"nodes": "Sys", "dc": "Sys.Audit SDN", "sdn": "SDN", "mapping": "Mapping",
	}
	paths := map[string]string{
		"vms": "/vms", "storage": "/storage", "access": "/access", "nodes": "/nodes", "dc": "/", "sdn": "/sdn", "mapping": "/mapping",
	}
	out := object{}
	for area, prefixes := range groups {
		have := object{}
		for p := range privileges(u, who, paths[area]) {
			for _, prefix := range strings.Fields(prefixes) {
				if p == prefix || strings.HasPrefix(p, prefix+".") {
					have[p] = 1
				}
			}
		}
		if area == "access" {
			delete(have, "Realm.AllocateUser")
		}
		out[area] = have
	}
	return out
}
