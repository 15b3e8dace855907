package container

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// change is what has to be done to bring a live container from what was planned
// on to what is wanted.
type change struct {
	self   guest.VMID
	before wanted            // what the plan was made on
	after  wanted            // what is wanted
	live   map[string]string // what the container is like now

	config  pve.ConfigChange
	resizes []resize
	moves   []move
	// theirs are keys that somebody else has changed since in a way that does not
	// go together with the plan.
	theirs []string
}

type resize struct {
	key  string
	size bytesize.Size
}

type move struct{ key, storage string }

// ConflictError says that somebody else changed, since the plan was made, what
// the plan wants to change.
type ConflictError struct {
	VMID guest.VMID
	Keys []string
}

// Error names the keys.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("somebody else has changed %s of container %d since the plan was made", strings.Join(e.Keys, ", "), e.VMID)
}

// plan works out the change, key by key in three ways: what is the same before
// and after is left alone whatever it is now; what is now as it is wanted is
// done; what is now as it was planned on is sent; anything else is a conflict.
// The error is a *ConflictError or a *PropertyError.
func (c *change) plan() error {
	c.config = pve.ConfigChange{Set: map[string]string{}}
	c.resizes, c.moves, c.theirs = nil, nil, nil
	c.scalars()
	for _, step := range []func() error{c.network, c.devices, c.strings, c.disks} {
		if err := step(); err != nil {
			return err
		}
	}
	if len(c.theirs) > 0 {
		slices.Sort(c.theirs)
		return &ConflictError{VMID: c.self, Keys: slices.Compact(c.theirs)}
	}
	return nil
}

// scalarDifferences are the scalar keys that do not mean the same in a and b.
func scalarDifferences(a, b map[string]string) []string {
	return slices.Concat(
		keys.Differences[model](a, b), keys.Differences[cpuModel](a, b), keys.Differences[memoryModel](a, b),
		keys.Differences[dnsModel](a, b), keys.Differences[consoleModel](a, b), keys.Differences[bootModel](a, b),
		keys.Differences[initModel](a, b), keys.Differences[osModel](a, b),
	)
}

// fixed are keys that a PUT cannot delete; they go back to Proxmox's default.
// Source: PVE::LXC::Config update_pct_config.
var fixed = map[string]string{"memory": "512"}

func (c *change) scalars() {
	undone := scalarDifferences(c.after.scalars, c.live)
	moved := scalarDifferences(c.before.scalars, c.live)
	for _, key := range scalarDifferences(c.before.scalars, c.after.scalars) {
		switch value, set := c.after.scalars[key]; {
		case key == "unprivileged" || !slices.Contains(undone, key):
		case slices.Contains(moved, key):
			c.theirs = append(c.theirs, key)
		case set:
			c.config.Set[key] = value
		case fixed[key] != "":
			c.config.Set[key] = fixed[key]
		default:
			c.config.Delete = append(c.config.Delete, key)
		}
	}
}

func (c *change) network() error {
	return changeSubs[networkModel](c, c.before.network, c.after.network, "")
}

func (c *change) devices() error {
	return changeSubs[deviceModel](c, c.before.devices, c.after.devices, defaultPath)
}

func (c *change) strings() error {
	if err := changeSub[featuresModel](c, "features", c.before.features, c.after.features, ""); err != nil {
		return err
	}
	return changeSub[startupModel](c, "startup", c.before.startup, c.after.startup, "")
}

func changeSubs[T any](c *change, before, after map[string]sub, defaultKey string) error {
	union := maps.Clone(before)
	maps.Copy(union, after)
	for _, key := range slices.Sorted(maps.Keys(union)) {
		if err := changeSub[T](c, key, before[key], after[key], defaultKey); err != nil {
			return err
		}
	}
	return nil
}

// changeSub changes one property string. What is sent is the live string with
// the wanted sub-keys laid over it: sub-keys that the schema does not have and a
// MAC address that Proxmox made survive.
func changeSub[T any](c *change, key string, before, after sub, defaultKey string) error {
	wanted := keys.Differences[T](before, after)
	text, present := c.live[key]
	if len(wanted) == 0 && (after == nil) == (before == nil) {
		return nil
	}
	live, err := c.parseLive(key, text, defaultKey)
	if err != nil {
		return err
	}
	if after == nil {
		switch {
		case !present:
		case len(keys.Differences[T](before, live)) > 0:
			c.theirs = append(c.theirs, key)
		default:
			c.config.Delete = append(c.config.Delete, key)
		}
		return nil
	}
	return c.lay(key, overlaid[T]{before, after, live}, wanted)
}

// overlay is one property string before, after and now.
type overlay interface {
	undone() []string
	moved() []string
	// result is now with the keys of change as after has them.
	result(change []string) sub
}

type overlaid[T any] struct{ before, after, live sub }

func (o overlaid[T]) undone() []string { return keys.Differences[T](o.after, o.live) }
func (o overlaid[T]) moved() []string  { return keys.Differences[T](o.before, o.live) }
func (o overlaid[T]) result(change []string) sub {
	return keys.Overlay[T](o.live, o.after, change)
}

func (c *change) lay(key string, o overlay, wanted []string) error {
	undone := o.undone()
	open := slices.DeleteFunc(slices.Clone(wanted), func(k string) bool { return !slices.Contains(undone, k) })
	if len(open) == 0 {
		return nil
	}
	moved := o.moved()
	if slices.ContainsFunc(open, func(k string) bool { return slices.Contains(moved, k) }) {
		c.theirs = append(c.theirs, key)
		return nil
	}
	result := o.result(open)
	if len(result) == 0 {
		c.config.Delete = append(c.config.Delete, key)
		return nil
	}
	text, err := result.print(key)
	if err != nil {
		return err
	}
	c.config.Set[key] = text
	return nil
}

func (c *change) parseLive(key, text, defaultKey string) (sub, error) {
	if key == "startup" || key == "features" {
		return parseSub(key, text)
	}
	return parseProperty(key, text, defaultKey)
}

// disks changes the root disk and the mount points.
func (c *change) disks() error {
	if c.after.rootfs != nil && c.before.rootfs != nil {
		if err := c.rootfs(); err != nil {
			return err
		}
	}
	union := maps.Clone(c.before.mounts)
	if union == nil {
		union = map[string]mountPointModel{}
	}
	maps.Copy(union, c.after.mounts)
	for _, key := range slices.Sorted(maps.Keys(union)) {
		if err := c.mount(key); err != nil {
			return err
		}
	}
	return nil
}

func (c *change) rootfs() error {
	live, err := parseVolume("rootfs", c.live["rootfs"])
	if err != nil {
		return err
	}
	before, after := c.before.rootfs, c.after.rootfs
	o := overlaid[rootfsModel]{before.options(), after.options(), live}
	if err := c.lay("rootfs", o, keys.Differences[rootfsModel](o.before, o.after)); err != nil {
		return err
	}
	c.place("rootfs", live, after.Storage.ValueString(), before.Storage.ValueString(), after.Size)
	return nil
}

// place grows a volume and moves it to another storage.
func (c *change) place(key string, live sub, storage, was string, size attrs.Size) {
	id, _ := volume.Parse(live[defaultVolume])
	if wanted, ok := size.Bytes(); ok {
		stored, err := bytesize.ParseStored(live["size"])
		switch {
		case err != nil || wanted == stored.Size:
		case wanted < stored.Size:
			c.theirs = append(c.theirs, key) // somebody has grown it further
		default:
			c.resizes = append(c.resizes, resize{key, wanted})
		}
	}
	switch {
	case storage == id.Storage:
	case was != id.Storage:
		c.theirs = append(c.theirs, key)
	default:
		c.moves = append(c.moves, move{key, storage})
	}
}
