package guestfirewall

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// filter makes the sets of interfaces that were not filtered so far: whatever is in
// such a set, less is let through than before.
func (c *Change) filter(ctx context.Context) error {
	if c.live.options["ipfilter"] == "1" {
		return nil
	}
	for _, key := range interfaces(c.after.sets, nil) {
		if _, filtered := c.live.sets[key]; !filtered {
			if err := c.give(ctx, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeAddresses is the part that closes: addresses that are not wanted go, and so
// do sets of interfaces that stay filtered without one.
func (c *Change) takeAddresses(ctx context.Context) error {
	for _, key := range interfaces(c.live.sets, nil) {
		want, stays := c.after.sets[key]
		if !stays && c.after.options["ipfilter"] == "1" {
			if err := c.deleteSet(ctx, key); err != nil {
				return err
			}
			continue
		}
		for _, entry := range without(c.live.sets[key], want) {
			if stays && !isException(entry) {
				if err := c.takeAddress(ctx, key, entry); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// giveAddresses is the part that opens: wanted addresses come, exceptions go, and so
// do sets without which an interface is not filtered.
func (c *Change) giveAddresses(ctx context.Context) error {
	for _, key := range interfaces(c.live.sets, c.after.sets) {
		if _, stays := c.after.sets[key]; !stays {
			if err := c.deleteSet(ctx, key); err != nil {
				return err
			}
			continue
		}
		if err := c.give(ctx, key); err != nil {
			return err
		}
		for _, entry := range without(c.live.sets[key], c.after.sets[key]) {
			if err := c.takeAddress(ctx, key, entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// isException tells an entry that is let through by nothing: nomatch.
func isException(entry string) bool { return strings.HasPrefix(entry, "!") }

// give makes the set of an interface if there is none, and adds what is missing.
func (c *Change) give(ctx context.Context, key string) error {
	if _, there := c.live.sets[key]; !there {
		err := c.writeSets(ctx, func() error { return c.Client.CreateIPSet(ctx, c.Ref, setPrefix+key) }, func(sets map[string][]string) bool {
			_, there := sets[key]
			return there
		})
		if err != nil && !errors.Is(err, pve.ErrExists) {
			return err
		}
		c.live.sets[key] = []string{}
	}
	for _, address := range without(c.after.sets[key], c.live.sets[key]) {
		err := c.writeSets(ctx, func() error { return c.Client.AddIPSetEntry(ctx, c.Ref, setPrefix+key, address) }, func(sets map[string][]string) bool {
			return len(without([]string{address}, sets[key])) == 0
		})
		if err != nil && !errors.Is(err, pve.ErrExists) {
			return err
		}
		c.live.sets[key] = append(c.live.sets[key], address)
	}
	return nil
}

func (c *Change) takeAddress(ctx context.Context, key, entry string) error {
	cidr := strings.TrimPrefix(entry, "!")
	err := c.writeSets(ctx, func() error { return c.Client.DeleteIPSetEntry(ctx, c.Ref, setPrefix+key, cidr) }, func(sets map[string][]string) bool {
		return !slices.Contains(sets[key], entry)
	})
	if err == nil {
		c.live.sets[key] = slices.DeleteFunc(c.live.sets[key], func(e string) bool { return e == entry })
	}
	return err
}

func (c *Change) deleteSet(ctx context.Context, key string) error {
	err := c.writeSets(ctx, func() error { return c.Client.DeleteIPSet(ctx, c.Ref, setPrefix+key) }, func(sets map[string][]string) bool {
		_, there := sets[key]
		return !there
	})
	if err == nil || errors.Is(err, pve.ErrNoSuch) {
		delete(c.live.sets, key)
		return nil
	}
	return err
}

// writeSets makes one call that changes a set; done looks at the sets as they are
// when its answer was lost.
func (c *Change) writeSets(ctx context.Context, send func() error, done func(map[string][]string) bool) error {
	return c.write(ctx, send, func() (bool, error) {
		sets, err := readSets(ctx, c.Client, c.Ref)
		return err == nil && done(sets), err
	})
}
