package container

import (
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// mount adds, changes or removes one mount point. Removing detaches: the volume
// becomes unusedN and nothing is erased.
func (c *change) mount(key string) error {
	before, was := c.before.mounts[key]
	after, is := c.after.mounts[key]
	text, present := c.live[key]
	switch {
	case !is && !present:
		return nil
	case is && !present:
		return c.attach(key, after)
	}
	live, err := parseVolume(key, text)
	if err != nil {
		return err
	}
	switch {
	case !is && !c.mounts(before, live):
		c.theirs = append(c.theirs, key)
	case !is:
		c.config.Delete = append(c.config.Delete, key)
	case !was:
		return c.adopt(key, after, live)
	default:
		return c.changeMount(key, before, after, live)
	}
	return nil
}

// attach sends a mount point that the container does not have.
func (c *change) attach(key string, p mountPointModel) error {
	text, err := p.allocation().print(key)
	c.config.Set[key] = text
	return err
}

// adopt takes a mount point into the configuration that somebody attached by
// hand: it is declared as what it is. Anything else under the key is a conflict.
func (c *change) adopt(key string, after mountPointModel, live sub) error {
	if !c.mounts(after, live) || after.Path.ValueString() != live["mp"] {
		c.theirs = append(c.theirs, key)
		return nil
	}
	// What was there before is what is there now: every difference is ours.
	o := overlaid[mountPointModel]{live, after.options(), live}
	if err := c.lay(key, o, keys.Differences[mountPointModel](o.before, o.after)); err != nil {
		return err
	}
	c.grow(key, after, live)
	return nil
}

func (c *change) changeMount(key string, before, after mountPointModel, live sub) error {
	if !c.mounts(after, live) && !movedOnly(before, after) {
		if !c.mounts(before, live) {
			c.theirs = append(c.theirs, key)
			return nil
		}
		return c.attach(key, after) // another volume; the old one becomes unusedN
	}
	o := overlaid[mountPointModel]{before.options(), after.options(), live}
	if err := c.lay(key, o, keys.Differences[mountPointModel](o.before, o.after)); err != nil {
		return err
	}
	if attrs.Known(before.Storage) && attrs.Known(after.Storage) {
		c.place(key, live, after.Storage.ValueString(), before.Storage.ValueString(), after.Size)
		return nil
	}
	c.grow(key, after, live)
	return nil
}

func (c *change) grow(key string, p mountPointModel, live sub) {
	if attrs.Known(p.Storage) {
		c.place(key, live, p.Storage.ValueString(), p.Storage.ValueString(), p.Size)
	}
}

// mounts reports whether a live mount point is the declared one: the named
// volume or path, or a volume of the container's own on the storage.
func (c *change) mounts(p mountPointModel, live sub) bool {
	source := live[defaultVolume]
	if attrs.Known(p.Volume) {
		return p.Volume.ValueString() == source
	}
	id, err := volume.Parse(source)
	owner, _ := id.Owner()
	return err == nil && owner == c.self && id.Storage == p.Storage.ValueString()
}

// movedOnly reports a volume of the container's own that is to be on another
// storage: it is moved, not replaced.
func movedOnly(before, after mountPointModel) bool {
	return attrs.Known(before.Storage) && attrs.Known(after.Storage)
}
