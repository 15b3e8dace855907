package pvesim

import (
	"strconv"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

func init() {
	routes(map[string]handler{"POST /nodes/{node}/lxc/{vmid}/move_volume": lxcMove})
}

// lxcMove moves a volume to another storage or to another container.
// Source: PVE::API2::LXC move_volume.
func lxcMove(c *call) (any, error) {
	switch {
	case c.has("storage") && c.has("target-vmid"):
		return nil, die("either set storage or target-vmid, but not both")
	case c.has("target-vmid"):
		return lxcReassign(c)
	case !c.has("storage"):
		const text = "both 'storage' and 'target-vmid' missing, either needs to be set"
		return nil, wrongParams(schema.Errors{"storage": text, "target-vmid": text})
	}
	if err := c.need("/storage/"+c.str("storage"), "Datastore.AllocateSpace"); err != nil {
		return nil, err
	}
	vmid := c.int("vmid")
	err := c.s.lockGuest(kindLXC, vmid, func() error {
		g, err := c.container()
		if err != nil {
			return err
		}
		if err := c.moveCheck(g); err != nil {
			return err
		}
		g.Values["lock"] = "disk"
		c.s.save(g)
		return nil
	})
	if err != nil {
		return nil, err
	}
	node := c.node.name
	return c.fork("move_volume", strconv.Itoa(vmid), func(t *task) error {
		err := c.moveWork(t, node, vmid)
		return c.s.lockGuest(kindLXC, vmid, func() error {
			if g, e := c.s.guest(kindLXC, node, vmid); e == nil && g.Values["lock"] == "disk" {
				delete(g.Values, "lock")
				c.s.save(g)
			}
			return err
		})
	}), nil
}

func (c *call) moveCheck(g *guest) error {
	key := c.str("volume")
	if keyNumber(key, "unused") >= 0 {
		return die("cannot move volume '%s', only configured volumes can be moved to another storage", key)
	}
	if err := g.checkLock(); err != nil {
		return err
	}
	if err := g.checkDigest(c.str("digest")); err != nil {
		return err
	}
	if c.s.isRunning(g.vmid) {
		return die("cannot move volumes of a running container")
	}
	keys, err := c.s.table.Parse(lxcFormat(key), g.Values[key], "")
	if err != nil {
		return formatError(err)
	}
	if classify(keys["volume"]) != mountVolume {
		return die("you can't move a %s mount point to another storage", classify(keys["volume"]))
	}
	if c.flag("delete") {
		for _, sec := range sectionsOf(g) {
			for _, m := range c.s.mounts(kindLXC, sec, "rootfs", "mp") {
				if m.volid == keys["volume"] {
					return die("you can't move a volume with snapshots and delete the source")
				}
			}
		}
	}
	return nil
}

func (c *call) moveWork(t *task, node string, vmid int) error {
	g, err := c.s.guest(kindLXC, node, vmid)
	if err != nil {
		return err
	}
	key := c.str("volume")
	keys, err := c.s.table.Parse(lxcFormat(key), g.Values[key], "")
	if err != nil {
		return err
	}
	if _, err := c.s.usable(c.str("storage"), node); err != nil {
		return err
	}
	from := c.s.vol(node, keys["volume"])
	if from == nil {
		return die("volume '%s' does not exist", keys["volume"])
	}
	to, err := t.copyVolume(node, c.str("storage"), vmid, from, key == "rootfs")
	if err != nil {
		return err
	}
	if err := t.work(); err != nil {
		c.s.dropVol(to)
		return err
	}
	return c.s.lockGuest(kindLXC, vmid, func() error {
		if err := g.reload(c.s); err != nil {
			return err
		}
		keys["volume"], keys["size"] = to.ID, formatSize(to.Size)
		g.Values[key] = c.s.table.Print(lxcFormat(key), keys)
		if c.flag("delete") {
			if err := c.s.free(node, from.ID); err != nil {
				t.warn("%s", err)
			}
		} else {
			c.s.addUnused(g, from.ID)
		}
		c.s.save(g)
		return nil
	})
}
