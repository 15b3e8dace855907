package pvesim

import (
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// firewallBases are the paths that have a firewall below them.
var firewallBases = []string{"/cluster/firewall", "/nodes/{node}/firewall", "/nodes/{node}/lxc/{vmid}/firewall", "/nodes/{node}/qemu/{vmid}/firewall"}

func init() {
	for _, base := range firewallBases {
		r := map[string]handler{
			"GET " + base + "/options":        firewallOptions,
			"PUT " + base + "/options":        firewallSetOptions,
			"GET " + base + "/rules":          firewallRules,
			"POST " + base + "/rules":         firewallRuleCreate,
			"GET " + base + "/rules/{pos}":    firewallRule,
			"PUT " + base + "/rules/{pos}":    firewallRuleUpdate,
			"DELETE " + base + "/rules/{pos}": firewallRuleDelete,
		}
		if base == "/nodes/{node}/firewall" {
			r["GET "+base] = parts("name", "rules options log")
		} else {
			r["GET "+base] = parts("name", "rules aliases ipset refs options")
			addSets(r, base)
		}
		if base != "/cluster/firewall" {
			r["GET "+base+"/log"] = func(*call) (any, error) { return listing{data: []object{{"n": 1, "t": "no content"}}, total: 1}, nil }
		}
		routes(r)
	}
}

func addSets(r map[string]handler, base string) {
	r["GET "+base+"/refs"] = firewallRefs
	r["GET "+base+"/ipset"] = ipsets
	r["POST "+base+"/ipset"] = ipsetCreate
	r["GET "+base+"/ipset/{name}"] = ipset
	r["POST "+base+"/ipset/{name}"] = ipsetAdd
	r["DELETE "+base+"/ipset/{name}"] = ipsetDelete
	r["GET "+base+"/ipset/{name}/{cidr}"] = ipsetEntry
	r["PUT "+base+"/ipset/{name}/{cidr}"] = ipsetEntryUpdate
	r["DELETE "+base+"/ipset/{name}/{cidr}"] = ipsetEntryDelete
	r["GET "+base+"/aliases"] = aliases
	r["POST "+base+"/aliases"] = aliasCreate
	r["GET "+base+"/aliases/{name}"] = alias
	r["PUT "+base+"/aliases/{name}"] = aliasUpdate
	r["DELETE "+base+"/aliases/{name}"] = aliasDelete
}

// firewallFile is the file that a call is about. That of a guest goes by its
// number alone; whether there is such a guest is not looked at.
func (c *call) firewallFile() string {
	switch {
	case c.has("vmid"):
		return "firewall/" + c.str("vmid") + ".fw"
	case c.has("node"):
		return "nodes/" + c.node.name + "/host.fw"
	}
	return "firewall/cluster.fw"
}

func (c *call) firewall() *conf.Firewall { return conf.ParseFirewall(c.s.files[c.firewallFile()]) }

func (c *call) firewallDigest() string { return digestOf(c.s.files[c.firewallFile()]) }

// changeFirewall writes what f makes of the firewall, unless the digest that
// was sent is another.
func (c *call) changeFirewall(f func(fw *conf.Firewall) error) (any, error) {
	if d := c.str("digest"); d != "" && d != c.firewallDigest() {
		return nil, die("detected modified configuration - file changed by other user? Try again.")
	}
	fw := c.firewall()
	if err := f(fw); err != nil {
		return nil, err
	}
	c.s.write(c.firewallFile(), fw.Print())
	return nil, nil
}

// firewallOptions answers the options that are set, and no defaults.
func firewallOptions(c *call) (any, error) {
	out := object{"digest": c.firewallDigest()}
	props := c.s.table.Method("PUT", c.method.Path).Props
	for key, text := range c.firewall().Options {
		out[key] = text
		if p := props[key]; p != nil && (p.Type == "boolean" || p.Type == "integer") {
			out[key] = number(text, 0)
		}
	}
	return out, nil
}

func firewallSetOptions(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		for _, key := range splitList(c.str("delete")) {
			if p := c.method.Props[key]; p == nil || key == "digest" || key == "delete" || key == "node" || key == "vmid" {
				return wrong("delete", "no such option '%s'", key)
			}
			delete(fw.Options, key)
		}
		for key, v := range c.sent {
			if key != "digest" && key != "delete" {
				fw.Options[key] = v.Text
			}
		}
		return nil
	})
}

// firewallRefs lists what rules can refer to: the sets and aliases of the
// guest and of the cluster.
func firewallRefs(c *call) (any, error) {
	out := []object{}
	add := func(fw *conf.Firewall, scope string) {
		prefix := map[string]string{"dc": "dc/", "guest": "guest/"}[scope]
		for _, s := range fw.Sets {
			if c.str("type") != "alias" {
				out = append(out, object{"type": "ipset", "name": s.Name, "ref": "+" + prefix + s.Name, "scope": scope, "comment": s.Comment})
			}
		}
		for _, a := range fw.Aliases {
			if c.str("type") != "ipset" {
				out = append(out, object{"type": "alias", "name": a.Name, "ref": prefix + a.Name, "scope": scope, "comment": a.Comment})
			}
		}
	}
	if c.has("vmid") {
		add(c.firewall(), "guest")
	}
	add(conf.ParseFirewall(c.s.files["firewall/cluster.fw"]), "dc")
	return out, nil
}

// ruleKeys are the parameters that make a rule.
var ruleKeys = words("type action macro iface source dest proto dport sport log icmp-type comment enable")

func ruleJSON(r conf.Rule, digest string) object {
	out := object{"digest": digest, "enable": number(r["enable"], 0)}
	for key, text := range r {
		if key != "enable" {
			out[key] = text
		}
	}
	return out
}

func rulesJSON(rules []conf.Rule, digest string) []object {
	out := []object{}
	for i, r := range rules {
		row := ruleJSON(r, digest)
		row["pos"] = i
		out = append(out, row)
	}
	return out
}

func firewallRules(c *call) (any, error) {
	return rulesJSON(c.firewall().Rules, c.firewallDigest()), nil
}

func firewallRule(c *call) (any, error) { return c.ruleAt(c.firewall().Rules) }

// ruleAt answers one rule, its position as text.
func (c *call) ruleAt(rules []conf.Rule) (any, error) {
	if c.int("pos") >= len(rules) {
		return nil, die("no rule at position %d", c.int("pos"))
	}
	row := ruleJSON(rules[c.int("pos")], c.firewallDigest())
	row["pos"] = c.str("pos")
	return row, nil
}

func firewallRuleCreate(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) (err error) {
		fw.Rules, err = c.insertRule(fw.Rules)
		return err
	})
}

// insertRule puts a new rule before all others.
func (c *call) insertRule(rules []conf.Rule) ([]conf.Rule, error) {
	r := conf.Rule{"enable": "0"}
	c.fillRule(r)
	return append([]conf.Rule{r}, rules...), checkRule(r)
}

func (c *call) fillRule(r conf.Rule) {
	for _, key := range splitList(c.str("delete")) {
		delete(r, key)
	}
	for _, key := range ruleKeys {
		if c.has(key) {
			r[key] = c.str(key)
		}
	}
	if r["enable"] == "" {
		r["enable"] = "0"
	}
}

// checkRule refuses keys that need another. Source: PVE::Firewall verify_rule.
func checkRule(r conf.Rule) error {
	for _, key := range []string{"dport", "sport"} {
		if r[key] != "" && r["proto"] == "" && r["macro"] == "" {
			return wrong("proto", "missing property - '%s' requires this property", key)
		}
	}
	return nil
}

func firewallRuleUpdate(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) (err error) {
		fw.Rules, err = c.changeRule(fw.Rules)
		return err
	})
}

// changeRule moves or changes the rule at a position.
// Source: PVE::API2::Firewall::RulesBase update_rule.
func (c *call) changeRule(rules []conf.Rule) ([]conf.Rule, error) {
	pos := c.int("pos")
	if pos >= len(rules) {
		return nil, die("no rule at position %d", pos)
	}
	if !c.has("moveto") {
		c.fillRule(rules[pos])
		return rules, checkRule(rules[pos])
	}
	var out []conf.Rule
	for i, r := range rules {
		if i == c.int("moveto") {
			out = append(out, rules[pos])
		}
		if i != pos {
			out = append(out, r)
		}
	}
	if c.int("moveto") >= len(rules) {
		out = append(out, rules[pos])
	}
	return out, nil
}

func firewallRuleDelete(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) (err error) {
		fw.Rules, err = c.dropRule(fw.Rules)
		return err
	})
}

func (c *call) dropRule(rules []conf.Rule) ([]conf.Rule, error) {
	pos := c.int("pos")
	if pos >= len(rules) {
		return nil, die("no rule at position %d", pos)
	}
	return append(rules[:pos:pos], rules[pos+1:]...), nil
}

// ipVersion tells the version of an address or network by its look.
func ipVersion(cidr string) int {
	if strings.Contains(cidr, ":") {
		return 6
	}
	return 4
}
