package pvesim

import (
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	base := "/cluster/firewall/groups"
	routes(map[string]handler{
		"GET " + base:                       ruleGroups,
		"POST " + base:                      ruleGroupCreate,
		"GET " + base + "/{group}":          ruleGroupRules,
		"POST " + base + "/{group}":         groupRuleCreate,
		"DELETE " + base + "/{group}":       ruleGroupDelete,
		"GET " + base + "/{group}/{pos}":    groupRule,
		"PUT " + base + "/{group}/{pos}":    groupRuleUpdate,
		"DELETE " + base + "/{group}/{pos}": groupRuleDelete,
		"GET /cluster/firewall/macros": func(*call) (any, error) {
			out := []object{}
			for _, name := range words("DNS HTTP HTTPS NTP Ping SMTP SSH") {
				out = append(out, object{"macro": name, "descr": name + " traffic"})
			}
			return out, nil
		},
	})
}

func (c *call) ruleGroup(fw *conf.Firewall) (*conf.RuleGroup, error) {
	for _, g := range fw.Groups {
		if g.Name == c.str("group") {
			return g, nil
		}
	}
	return nil, die("no such security group '%s'", c.str("group"))
}

func ruleGroups(c *call) (any, error) {
	out := []object{}
	for _, g := range c.firewall().Groups {
		row := object{"group": g.Name, "digest": c.firewallDigest()}
		if g.Comment != "" {
			row["comment"] = g.Comment
		}
		out = append(out, row)
	}
	return out, nil
}

func ruleGroupCreate(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		if old := c.str("rename"); old != "" {
			for _, g := range fw.Groups {
				if g.Name == old {
					g.Name = c.str("group")
					if c.has("comment") {
						g.Comment = c.str("comment")
					}
					return nil
				}
			}
			return wrong("group", "Security group '%s' does not exist", old)
		}
		if _, err := c.ruleGroup(fw); err == nil {
			return wrong("group", "Security group '%s' already exists", c.str("group"))
		}
		fw.Groups = append(fw.Groups, &conf.RuleGroup{Name: c.str("group"), Comment: c.str("comment")})
		return nil
	})
}

func ruleGroupDelete(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		g, err := c.ruleGroup(fw)
		if err != nil {
			return err
		}
		if len(g.Rules) > 0 {
			return die("Security group '%s' is not empty", g.Name)
		}
		fw.Groups = slices.DeleteFunc(fw.Groups, func(o *conf.RuleGroup) bool { return o == g })
		return nil
	})
}

func ruleGroupRules(c *call) (any, error) {
	g, err := c.ruleGroup(c.firewall())
	if err != nil {
		return nil, err
	}
	return rulesJSON(g.Rules, c.firewallDigest()), nil
}

func groupRule(c *call) (any, error) {
	g, err := c.ruleGroup(c.firewall())
	if err != nil {
		return nil, err
	}
	return c.ruleAt(g.Rules)
}

// changeGroup changes the rules of a group.
func (c *call) changeGroup(f func(rules []conf.Rule) ([]conf.Rule, error)) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		g, err := c.ruleGroup(fw)
		if err != nil {
			return err
		}
		g.Rules, err = f(g.Rules)
		return err
	})
}

func groupRuleCreate(c *call) (any, error) { return c.changeGroup(c.insertRule) }
func groupRuleUpdate(c *call) (any, error) { return c.changeGroup(c.changeRule) }
func groupRuleDelete(c *call) (any, error) { return c.changeGroup(c.dropRule) }
