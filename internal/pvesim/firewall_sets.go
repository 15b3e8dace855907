package pvesim

import (
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func findSet(fw *conf.Firewall, name string) (*conf.AddressSet, error) {
	for _, s := range fw.Sets {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, die("no such IPSet '%s'", name)
}

func ipsets(c *call) (any, error) {
	out := []object{}
	for _, s := range c.firewall().Sets {
		row := object{"name": s.Name, "digest": c.firewallDigest()}
		if s.Comment != "" {
			row["comment"] = s.Comment
		}
		out = append(out, row)
	}
	return out, nil
}

// ipsetCreate makes a set, or gives one that exists another name or comment.
func ipsetCreate(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		name, old := c.str("name"), c.str("rename")
		if old != "" {
			s, err := findSet(fw, old)
			if err != nil {
				return err
			}
			if _, err := findSet(fw, name); err == nil && name != old {
				return wrong("name", "IPSet '%s' already exists", name)
			}
			s.Name = name
			if c.has("comment") {
				s.Comment = c.str("comment")
			}
			return nil
		}
		if _, err := findSet(fw, name); err == nil {
			return wrong("name", "IPSet '%s' already exists", name)
		}
		fw.Sets = append(fw.Sets, &conf.AddressSet{Name: name, Comment: c.str("comment")})
		return nil
	})
}

func ipsetDelete(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		s, err := findSet(fw, c.str("name"))
		if err != nil {
			return err
		}
		if len(s.Entries) > 0 && !c.flag("force") {
			return die("IPSet '%s' is not empty", s.Name)
		}
		fw.Sets = slices.DeleteFunc(fw.Sets, func(o *conf.AddressSet) bool { return o == s })
		return nil
	})
}

func entryJSON(e *conf.AddressEntry, digest string) object {
	row := object{"cidr": e.CIDR, "digest": digest}
	if e.Comment != "" {
		row["comment"] = e.Comment
	}
	if e.NoMatch {
		row["nomatch"] = 1
	}
	return row
}

func ipset(c *call) (any, error) {
	s, err := findSet(c.firewall(), c.str("name"))
	if err != nil {
		return nil, err
	}
	out := []object{}
	for _, e := range s.Entries {
		out = append(out, entryJSON(e, c.firewallDigest()))
	}
	return out, nil
}

func ipsetAdd(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		s, err := findSet(fw, c.str("name"))
		if err != nil {
			return err
		}
		cidr := c.str("cidr")
		if findEntry(s, cidr) != nil {
			return wrong("cidr", "address '%s' already exists", cidr)
		}
		if strings.HasSuffix(cidr, "/0") {
			return wrong("cidr", "a zero prefix is not allowed in ipset entries")
		}
		s.Entries = append(s.Entries, &conf.AddressEntry{CIDR: cidr, Comment: c.str("comment"), NoMatch: c.flag("nomatch")})
		return nil
	})
}

func findEntry(s *conf.AddressSet, cidr string) *conf.AddressEntry {
	for _, e := range s.Entries {
		if e.CIDR == cidr {
			return e
		}
	}
	return nil
}

// setEntry is the entry of a set that a call names.
func (c *call) setEntry(fw *conf.Firewall) (*conf.AddressEntry, error) {
	s, err := findSet(fw, c.str("name"))
	if err != nil {
		return nil, err
	}
	e := findEntry(s, c.str("cidr"))
	if e == nil {
		return nil, wrong("cidr", "no such IP/Network")
	}
	return e, nil
}

func ipsetEntry(c *call) (any, error) {
	e, err := c.setEntry(c.firewall())
	if err != nil {
		return nil, err
	}
	return entryJSON(e, c.firewallDigest()), nil
}

func ipsetEntryUpdate(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		e, err := c.setEntry(fw)
		if err != nil {
			return err
		}
		e.NoMatch, e.Comment = c.flag("nomatch"), c.str("comment")
		return nil
	})
}

// ipsetEntryDelete removes an entry; one that is not there is no error.
func ipsetEntryDelete(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		s, err := findSet(fw, c.str("name"))
		if err != nil {
			return err
		}
		s.Entries = slices.DeleteFunc(s.Entries, func(e *conf.AddressEntry) bool { return e.CIDR == c.str("cidr") })
		return nil
	})
}

func aliasJSON(a *conf.Alias, digest string) object {
	row := object{"name": a.Name, "cidr": a.CIDR, "ipversion": ipVersion(a.CIDR), "digest": digest}
	if a.Comment != "" {
		row["comment"] = a.Comment
	}
	return row
}

func findAlias(fw *conf.Firewall, name string) *conf.Alias {
	for _, a := range fw.Aliases {
		if strings.EqualFold(a.Name, name) {
			return a
		}
	}
	return nil
}

func aliases(c *call) (any, error) {
	out := []object{}
	for _, a := range c.firewall().Aliases {
		out = append(out, aliasJSON(a, c.firewallDigest()))
	}
	return out, nil
}

func alias(c *call) (any, error) {
	a := findAlias(c.firewall(), c.str("name"))
	if a == nil {
		return nil, wrong("name", "no such alias '%s'", c.str("name"))
	}
	return aliasJSON(a, c.firewallDigest()), nil
}

func aliasCreate(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		if findAlias(fw, c.str("name")) != nil {
			return wrong("name", "alias '%s' already exists", c.str("name"))
		}
		fw.Aliases = append(fw.Aliases, &conf.Alias{Name: c.str("name"), CIDR: c.str("cidr"), Comment: c.str("comment")})
		return nil
	})
}

func aliasUpdate(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		a := findAlias(fw, c.str("name"))
		if a == nil {
			return wrong("name", "no such alias '%s'", c.str("name"))
		}
		if to := c.str("rename"); to != "" && !strings.EqualFold(to, a.Name) && findAlias(fw, to) != nil {
			return wrong("name", "alias '%s' already exists", to)
		}
		a.CIDR, a.Comment = c.str("cidr"), c.str("comment")
		if c.has("rename") {
			a.Name = c.str("rename")
		}
		return nil
	})
}

// aliasDelete removes an alias; one that is not there is no error.
func aliasDelete(c *call) (any, error) {
	return c.changeFirewall(func(fw *conf.Firewall) error {
		fw.Aliases = slices.DeleteFunc(fw.Aliases, func(a *conf.Alias) bool { return strings.EqualFold(a.Name, c.str("name")) })
		return nil
	})
}
