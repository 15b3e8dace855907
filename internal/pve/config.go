package pve

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// GuestConfig is a guest's configuration.
type GuestConfig struct {
	// Values are the options, each as text: numbers as they are written, booleans
	// as 1 and 0, strings unchanged.
	Values map[string]string
	// Raw are the lxc.* lines of a container in their order, key and value. The API
	// shows them and cannot set them.
	Raw [][2]string
	// Digest is a hash over the whole file, pending changes and snapshots included.
	Digest string
	// Pending are changes that wait for the next start; only when Full.
	Pending map[string]PendingValue
	// Full: Values are what is in effect and Pending was read. Otherwise Values are
	// what will be in effect after the next start.
	Full bool
}

// PendingValue is a change of one option that waits for the next start.
type PendingValue struct {
	Value  string
	Delete int // 0 not, 1 the option goes, 2 and its volume is freed
}

// UnmarshalJSON reads the answer of …/config.
func (g *GuestConfig) UnmarshalJSON(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	*g = GuestConfig{Values: map[string]string{}}
	for key, raw := range fields {
		if key == "lxc" {
			if err := json.Unmarshal(raw, &g.Raw); err != nil {
				return fmt.Errorf("lxc: %w", err)
			}
			continue
		}
		if string(raw) == "null" {
			continue
		}
		text, err := scalarText(raw)
		if err != nil {
			text = string(raw) // an option of a form we do not know is kept as it is
		}
		if key == "digest" {
			g.Digest = text
			continue
		}
		g.Values[key] = text
	}
	return nil
}

// Config reads the configuration with pending changes merged in, in one request.
// Needs VM.Audit.
func (c *Client) Config(ctx context.Context, ref guest.Ref) (GuestConfig, error) {
	return call[GuestConfig](ctx, c, get(nil, guestPath(ref, "config")...))
}

// ConfigFull reads what is in effect and what is pending, in two requests.
func (c *Client) ConfigFull(ctx context.Context, ref guest.Ref) (GuestConfig, error) {
	g, err := call[GuestConfig](ctx, c, get(Params{"current": "1"}, guestPath(ref, "config")...))
	if err != nil {
		return g, err
	}
	g.Pending, err = c.Pending(ctx, ref)
	g.Full = err == nil
	return g, err
}

// Pending reads the changes that wait for the next start. The row of a container's
// raw lxc.* lines has a list as its value, so values in effect are not read here.
func (c *Client) Pending(ctx context.Context, ref guest.Ref) (map[string]PendingValue, error) {
	type row struct {
		Key     string `json:"key"`
		Pending *Text  `json:"pending"`
		Delete  Int    `json:"delete"`
	}
	rows, err := call[[]row](ctx, c, get(nil, guestPath(ref, "pending")...))
	if err != nil {
		return nil, err
	}
	pending := map[string]PendingValue{}
	for _, r := range rows {
		switch {
		case r.Delete != 0:
			pending[r.Key] = PendingValue{Delete: int(r.Delete)}
		case r.Pending != nil:
			pending[r.Key] = PendingValue{Value: string(*r.Pending)}
		}
	}
	return pending, nil
}

// ConfigChange is an update of a configuration. What is not named stays.
type ConfigChange struct {
	Set    map[string]string
	Delete []string
	Revert []string // pending changes to drop
	Digest string   // of the configuration that the change was planned on; ErrDigest if it has changed
}

// Empty reports whether nothing would change: Proxmox refuses such an update.
func (ch ConfigChange) Empty() bool {
	return len(ch.Set) == 0 && len(ch.Delete) == 0 && len(ch.Revert) == 0
}

func (ch ConfigChange) params() Params {
	p := Params{}
	for key, value := range ch.Set {
		p[key] = value
	}
	for key, list := range map[string][]string{"delete": ch.Delete, "revert": ch.Revert} {
		if len(list) != 0 {
			p[key] = strings.Join(slices.Sorted(slices.Values(list)), ",")
		}
	}
	if ch.Digest != "" {
		p["digest"] = ch.Digest
	}
	return p
}

// UpdateConfig changes a configuration and returns when it is done. A container
// that runs keeps some changes pending, and so does a VM; both answer success. For a
// VM a failure may leave a part of the change behind: read the configuration again.
// An empty change sends nothing.
func (c *Client) UpdateConfig(ctx context.Context, ref guest.Ref, ch ConfigChange) error {
	if ch.Empty() {
		return nil
	}
	r := put(ch.params(), guestPath(ref, "config")...)
	r.notAtomic = true
	return send(ctx, c, r)
}
