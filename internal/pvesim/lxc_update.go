package pvesim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

func init() {
	routes(map[string]handler{"PUT /nodes/{node}/lxc/{vmid}/config": lxcUpdate})
}

// lxcUpdate changes the configuration of a container: at once if it is
// stopped, as far as it can be hot-plugged if it runs.
// Source: PVE::API2::LXC::Config update_vm.
func lxcUpdate(c *call) (any, error) {
	set := map[string]string{}
	for key, v := range c.params {
		if !slices.Contains(words("node vmid digest delete revert"), key) {
			set[key] = v.Text
		}
	}
	if len(set) == 0 && !c.has("delete") && !c.has("revert") {
		return nil, die("no options specified")
	}
	del, revert := splitList(c.str("delete")), splitList(c.str("revert"))
	if err := c.checkLists(set, del, revert); err != nil {
		return nil, err
	}
	return nil, c.s.lockGuest(kindLXC, c.int("vmid"), func() error {
		g, err := c.container()
		if err != nil {
			return err
		}
		if err := g.checkLock(); err != nil {
			return err
		}
		err = c.mayChange(lxcChange{
			vmid: g.vmid, old: g.Values, set: set, del: del, unprivileged: g.Values["unprivileged"] == "1",
		})
		if err != nil {
			return err
		}
		if err := g.checkDigest(c.str("digest")); err != nil {
			return err
		}
		return c.s.updateContainer(g, set, del, revert)
	})
}

func (c *call) checkLists(set map[string]string, del, revert []string) error {
	options := c.s.table.Group("lxc-config")
	for _, key := range del {
		if _, both := set[key]; both {
			return wrong("delete", "you can't use '-%s' and -delete %s' at the same time", key, key)
		}
		if options[key] == nil {
			return wrong("delete", "unknown option '%s'", key)
		}
	}
	for _, key := range revert {
		if options[key] == nil {
			return wrong("revert", "unknown option '%s'", key)
		}
	}
	return nil
}

// updateContainer records the wishes as pending, then applies what can be.
// Source: PVE::LXC::Config update_pct_config.
func (s *Server) updateContainer(g *guest, set map[string]string, del, revert []string) error {
	deleted := g.pendingDelete()
	for _, key := range revert {
		delete(g.Pending.Values, key)
		delete(deleted, key)
	}
	g.setPendingDelete(deleted)
	modified := map[string]bool{}
	for _, key := range del {
		if !g.isSet(key) && g.Pending.Values[key] == "" {
			continue // a warning in the journal
		}
		if err := g.mayDelete(key); err != nil {
			return err
		}
		modified[key] = true
		delete(g.Pending.Values, key)
		deleted[key] = false
	}
	for _, key := range sortedKeys(set) {
		if err := s.want(g, key, set[key]); err != nil {
			return err
		}
		modified[key] = true
		delete(deleted, key)
	}
	g.setPendingDelete(deleted)
	errs := s.applyPending(g, modified, s.isRunning(g.vmid))
	if len(errs) > 0 {
		return wrongParams(errs)
	}
	s.save(g)
	return s.lxcRunnable(g)
}

// isSet tells whether a key is in the main section.
func (g *guest) isSet(key string) bool {
	if key == "description" {
		return g.Description != ""
	}
	_, ok := g.Values[key]
	return ok
}

// mayDelete refuses the deletion of what must stay.
func (g *guest) mayDelete(key string) error {
	switch {
	case key == "memory" || key == "rootfs" || key == "ostype":
		return die("unable to delete required option '%s'", key)
	case key == "unprivileged":
		return die("unable to delete read-only option: '%s'", key)
	case keyNumber(key, "mp") >= 0 || keyNumber(key, "unused") >= 0:
		return g.checkProtection("can't remove CT %d drive '%s'", g.vmid, key)
	}
	return nil
}

// want records a wish as pending after checking it.
func (s *Server) want(g *guest, key, text string) error {
	switch {
	case key == "rootfs" || keyNumber(key, "mp") >= 0:
		if err := g.checkProtection("can't update CT %d drive '%s'", g.vmid, key); err != nil {
			return err
		}
		if err := s.checkMount(key, text); err != nil {
			return err
		}
	case key == "unprivileged":
		return die("unable to modify read-only option: '%s'", key)
	default:
		text = s.plainValue(key, text)
	}
	if key == "description" {
		g.Pending.Description = text
		g.Pending.Values[key] = text
		return nil
	}
	g.Pending.Values[key] = text
	return nil
}

// checkMount refuses a volume on a storage that does not take containers.
func (s *Server) checkMount(key, text string) error {
	m := s.mount(kindLXC, key, text)
	if m == nil || m.kind != mountVolume {
		return nil
	}
	id, _, err := splitVolid(m.volid)
	if err != nil {
		return err
	}
	st, err := s.storage(id)
	if err != nil {
		return err
	}
	if !st.takes("rootdir") {
		return die("storage '%s' does not allow content type 'rootdir' (Container)", id)
	}
	return nil
}

// plainValue is a value in the form in which it is stored.
func (s *Server) plainValue(key, text string) string {
	switch key {
	case "nameserver", "searchdomain":
		return strings.Join(schema.SplitList(text), " ")
	case "tags":
		return s.uniqueTags(text)
	case "cpuunits":
		if n, err := strconv.Atoi(text); err == nil && n > 10000 {
			return "10000" // control groups v2 know no more
		}
	}
	return text
}

// applyPlain puts keys without volumes into a configuration that is new.
func (s *Server) applyPlain(g *guest, plain map[string]string) error {
	for key, text := range plain {
		switch {
		case key == "description":
			g.Description = withNewline(text)
		case keyNumber(key, "net") >= 0:
			net, err := s.printNet(key, text)
			if err != nil {
				return err
			}
			g.Values[key] = net
		default:
			g.Values[key] = s.plainValue(key, text)
		}
	}
	return nil
}

func withNewline(text string) string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return ""
	}
	return text + "\n"
}
