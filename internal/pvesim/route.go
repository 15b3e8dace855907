package pvesim

import (
	"net/http"
	"sort"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

// call is a request on its way to a handler.
type call struct {
	s      *Server
	req    *http.Request
	path   string // below /api2/json
	user   identity
	method *schema.Method
	params schema.Values // with those of the path
	sent   schema.Values // without them
	node   *node         // that answers
}

// handler answers a call that is allowed and whose parameters are right. It
// holds the mutex of the server. The result becomes "data".
type handler func(c *call) (any, error)

// handlers are the calls that are simulated, by "VERB /path/{template}".
var handlers = map[string]handler{}

// routes adds calls; each file of an area has its own in an init function.
func routes(r map[string]handler) {
	for k, h := range r {
		if _, twice := handlers[k]; twice {
			panic("pvesim: two handlers for " + k)
		}
		handlers[k] = h
	}
}

// has tells whether a parameter was given.
func (c *call) has(name string) bool { _, ok := c.params[name]; return ok }

// str is a parameter's text, empty if it was not given.
func (c *call) str(name string) string { return c.params[name].Text }

// int is a parameter as a number, 0 if it was not given.
func (c *call) int(name string) int {
	n, _ := strconv.Atoi(c.str(name)) // the schema has checked it
	return n
}

// flag is a boolean parameter, false if it was not given.
func (c *call) flag(name string) bool { return c.str(name) == "1" }

// list is a parameter of type array.
func (c *call) list(name string) []string {
	v, ok := c.params[name]
	if ok && v.List == nil {
		return []string{v.Text}
	}
	return v.List
}

// dispatch finds the call, then checks who asks, privileges, node and
// parameters in the order of Proxmox.
//
// Source: PVE::HTTPServer auth_handler, rest_handler.
func (s *Server) dispatch(c *call) (any, error) {
	template, uri := s.match(c.req.Method, c.path)
	c.method = s.table.Method(c.req.Method, template)
	if err := s.authenticate(c); err != nil {
		return nil, err
	}
	h := handlers[c.req.Method+" "+template]
	if c.method == nil || h == nil {
		return nil, notImplemented(c.req.Method, c.path)
	}
	for name, value := range uri {
		if given, ok := c.params[name]; ok && given.Text != value {
			return nil, wrong(name, "duplicate parameter (already defined in URI) with conflicting values!")
		}
		c.params[name] = schema.Text(value)
	}
	if err := s.allowed(c); err != nil {
		return nil, err
	}
	if err := s.proxy(c); err != nil {
		return nil, err
	}
	if errs := s.table.Check(c.method, c.params); len(errs) > 0 {
		return nil, wrongParams(errs)
	}
	return h(c)
}

// proxy finds the node that answers.
func (s *Server) proxy(c *call) error {
	c.node = s.entry()
	if !c.method.Node || c.str("node") == "localhost" {
		return nil
	}
	n := s.node(c.str("node"))
	if n == nil {
		if bad := s.table.CheckFormat("pve-node", c.str("node"), "node"); bad != nil {
			return nil //nolint:nilerr // the parameter check has its say
		}
		return die("hostname lookup '%s' failed - failed to get address info for: %s: Temporary failure in name resolution", c.str("node"), c.str("node"))
	}
	if n.down {
		return &apiError{status: 595, message: "No route to host", silent: true}
	}
	c.node = n
	return nil
}

// entry is the node that clients talk to: the first that is up.
func (s *Server) entry() *node {
	for _, n := range s.nodes {
		if !n.down {
			return n
		}
	}
	return s.nodes[0]
}

// greedy are the parameters at the end of a path that may hold slashes.
var greedy = map[string]bool{"{volume}": true, "{cidr}": true, "{poolid}": true}

// match finds the path template with the most literal parts.
func (s *Server) match(verb, path string) (string, map[string]string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	best, bestScore, bestURI := "", -1, map[string]string(nil)
	for _, template := range s.table.Templates() {
		uri, score := matchTemplate(template, parts)
		if score <= bestScore {
			continue
		}
		if joined := "/" + strings.Join(template, "/"); s.table.Method(verb, joined) != nil {
			best, bestScore, bestURI = joined, score, uri
		}
	}
	return best, bestURI
}

// matchTemplate returns the parameters and the number of literal parts, -1 if it does not match.
func matchTemplate(template, parts []string) (map[string]string, int) {
	if len(template) > len(parts) || template[0] != parts[0] {
		return nil, -1
	}
	uri, score := map[string]string{}, 0
	for i, t := range template {
		switch {
		case i >= len(parts):
			return nil, -1
		case t == parts[i]:
			score++
		case t[0] != '{' || parts[i] == "":
			return nil, -1
		case greedy[t] && i == len(template)-1:
			uri[strings.Trim(t, "{}")] = strings.Join(parts[i:], "/")
			return uri, score
		default:
			uri[strings.Trim(t, "{}")] = parts[i]
		}
	}
	if len(template) != len(parts) {
		return nil, -1
	}
	return uri, score
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
