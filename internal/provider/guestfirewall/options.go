package guestfirewall

import (
	"context"
	"errors"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// which tells the options that a step changes.
type which func(key, now, will string) bool

// open are the values that let more through, the defaults of Proxmox written out.
var open = map[string]string{
	"dhcp": "1", "ndp": "1", "radv": "1", "macfilter": "0", "ipfilter": "0", "policy_in": "ACCEPT", "policy_out": "ACCEPT",
}

var defaults = map[string]string{
	"dhcp": "1", "ndp": "1", "radv": "0", "macfilter": "1", "ipfilter": "0", "policy_in": "DROP", "policy_out": "ACCEPT",
}

func isOpen(key, value string) bool {
	if value == "" {
		value = defaults[key]
	}
	return open[key] != "" && open[key] == value
}

// closing are the options that let less through, or as much. Switching the firewall
// on is not among them: before it, everything is let through, and it must not
// filter before the rules stand.
func closing(key, now, will string) bool {
	return key != "enable" && (!isOpen(key, will) || isOpen(key, now))
}

func everything(string, string, string) bool { return true }

// options changes in one call those options that names names.
func (c *Change) options(names which) func(context.Context) error {
	return func(ctx context.Context) error {
		err := c.setOptions(ctx, names)
		if errors.Is(err, pve.ErrDigest) {
			// Somebody wrote in between. It is read again, and sent once more if that
			// still goes together.
			err = c.setOptions(ctx, names)
		}
		return err
	}
}

func (c *Change) setOptions(ctx context.Context, names which) error {
	if c.stale {
		fresh, err := c.Client.FirewallOptions(ctx, c.Ref)
		if err != nil {
			return err
		}
		c.live.options, c.live.digest = fresh.Values, fresh.Digest
		if c.before != nil {
			if err := c.conflict(c.theirOptions()); err != nil {
				return err
			}
		}
	}
	ch := c.optionChange(names)
	if ch.Empty() {
		return nil
	}
	return c.write(ctx, func() error { return c.Client.SetFirewallOptions(ctx, c.Ref, ch) }, func() (bool, error) {
		fresh, err := c.Client.FirewallOptions(ctx, c.Ref)
		if err != nil {
			return false, err
		}
		c.live.options = fresh.Values
		return c.optionChange(names).Empty(), nil
	})
}

func (c *Change) optionChange(names which) pve.ConfigChange {
	ch := pve.ConfigChange{Set: map[string]string{}, Digest: c.live.digest}
	for _, key := range keys.Differences[Model](c.live.options, c.after.options) {
		will, set := c.after.options[key]
		switch {
		case !names(key, c.live.options[key], will):
		case set:
			ch.Set[key] = will
		default:
			ch.Delete = append(ch.Delete, key)
		}
	}
	return ch
}
