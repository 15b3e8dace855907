package pve

import (
	"context"
	"strconv"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// FirewallOptions are the options of a firewall that are set, as text. The ones
// that are not set have defaults: macfilter and ndp 1, policy_in DROP.
type FirewallOptions struct {
	Values map[string]string
	Digest string
}

// UnmarshalJSON reads an answer of …/firewall/options.
func (o *FirewallOptions) UnmarshalJSON(b []byte) error {
	var g GuestConfig
	err := g.UnmarshalJSON(b)
	*o = FirewallOptions{Values: g.Values, Digest: g.Digest}
	return err
}

// FirewallOptions reads a guest's firewall options; needs VM.Audit. They are kept by
// number for the whole cluster: no guest needs to exist for an answer.
func (c *Client) FirewallOptions(ctx context.Context, ref guest.Ref) (FirewallOptions, error) {
	return call[FirewallOptions](ctx, c, get(nil, guestPath(ref, "firewall", "options")...))
}

// ClusterFirewallOptions reads the options of the datacenter's firewall; needs
// Sys.Audit on /. While its enable is not 1, no guest's firewall filters anything.
func (c *Client) ClusterFirewallOptions(ctx context.Context) (FirewallOptions, error) {
	return call[FirewallOptions](ctx, c, get(nil, "cluster", "firewall", "options"))
}

// SetFirewallOptions changes options and deletes others in one step; needs
// VM.Config.Network. An empty change sends nothing.
func (c *Client) SetFirewallOptions(ctx context.Context, ref guest.Ref, ch ConfigChange) error {
	if ch.Empty() {
		return nil
	}
	return send(ctx, c, put(ch.params(), guestPath(ref, "firewall", "options")...))
}

// FirewallRule is a rule of a guest's firewall. Rules are addressed by position,
// which shifts with every rule added or removed.
type FirewallRule struct {
	Position int
	// Values are the rule's own keys as text: type, action, enable, source, …
	Values map[string]string
	// Digest is that of the whole list.
	Digest string
}

// UnmarshalJSON reads a row of …/firewall/rules.
func (r *FirewallRule) UnmarshalJSON(b []byte) error {
	var g GuestConfig
	if err := g.UnmarshalJSON(b); err != nil {
		return err
	}
	position, err := strconv.Atoi(g.Values["pos"])
	delete(g.Values, "pos")
	*r = FirewallRule{Position: position, Values: g.Values, Digest: g.Digest}
	return err
}

// FirewallRules lists the rules of a guest in their order; needs VM.Audit.
func (c *Client) FirewallRules(ctx context.Context, ref guest.Ref) ([]FirewallRule, error) {
	return call[[]FirewallRule](ctx, c, get(nil, guestPath(ref, "firewall", "rules")...))
}

// CreateFirewallRule puts a rule before all others: whatever position is asked for,
// Proxmox puts it first. Needs VM.Config.Network.
// Source: PVE::API2::Firewall::RulesBase create_rule.
func (c *Client) CreateFirewallRule(ctx context.Context, ref guest.Ref, values map[string]string) error {
	return send(ctx, c, post(Params(values), guestPath(ref, "firewall", "rules")...))
}

// UpdateFirewallRule changes keys of the rule at a position. ErrDigest if the list is
// not the one that the digest was read with. Needs VM.Config.Network.
func (c *Client) UpdateFirewallRule(ctx context.Context, ref guest.Ref, position int, ch ConfigChange) error {
	if ch.Empty() {
		return nil
	}
	return send(ctx, c, put(ch.params(), guestPath(ref, "firewall", "rules", position)...))
}

// MoveFirewallRule moves the rule at a position to right before the one that is at
// the position to. Needs VM.Config.Network.
// Source: PVE::API2::Firewall::RulesBase update_rule.
func (c *Client) MoveFirewallRule(ctx context.Context, ref guest.Ref, position, to int, digest string) error {
	return c.UpdateFirewallRule(ctx, ref, position, ConfigChange{Set: map[string]string{"moveto": strconv.Itoa(to)}, Digest: digest})
}

// DeleteFirewallRule removes the rule at a position. Needs VM.Config.Network.
func (c *Client) DeleteFirewallRule(ctx context.Context, ref guest.Ref, position int, digest string) error {
	p := Params{}
	if digest != "" {
		p["digest"] = digest
	}
	return send(ctx, c, del(p, guestPath(ref, "firewall", "rules", position)...))
}

// IPSet is a named set of addresses of a guest; ipfilter-net0 limits what net0 may
// send from.
type IPSet struct {
	Name    string `json:"name"`
	Comment string `json:"comment"`
}

// IPSetEntry is an address or a network in an IPSet.
type IPSetEntry struct {
	CIDR    string `json:"cidr"`
	Comment string `json:"comment"`
	NoMatch Bool   `json:"nomatch"`
}

// IPSets lists the sets of a guest; needs VM.Audit.
func (c *Client) IPSets(ctx context.Context, ref guest.Ref) ([]IPSet, error) {
	return call[[]IPSet](ctx, c, get(nil, guestPath(ref, "firewall", "ipset")...))
}

// CreateIPSet makes an empty set; ErrExists if there is one. Needs VM.Config.Network.
func (c *Client) CreateIPSet(ctx context.Context, ref guest.Ref, name string) error {
	return send(ctx, c, post(Params{"name": name}, guestPath(ref, "firewall", "ipset")...))
}

// DeleteIPSet removes a set with its entries; needs VM.Config.Network.
func (c *Client) DeleteIPSet(ctx context.Context, ref guest.Ref, name string) error {
	return send(ctx, c, del(Params{"force": "1"}, guestPath(ref, "firewall", "ipset", name)...))
}

// IPSetEntries lists the entries of a set; needs VM.Audit.
func (c *Client) IPSetEntries(ctx context.Context, ref guest.Ref, name string) ([]IPSetEntry, error) {
	return call[[]IPSetEntry](ctx, c, get(nil, guestPath(ref, "firewall", "ipset", name)...))
}

// AddIPSetEntry adds an address to a set; ErrExists if it is in it.
func (c *Client) AddIPSetEntry(ctx context.Context, ref guest.Ref, name, cidr string) error {
	return send(ctx, c, post(Params{"cidr": cidr}, guestPath(ref, "firewall", "ipset", name)...))
}

// DeleteIPSetEntry takes an address out of a set.
func (c *Client) DeleteIPSetEntry(ctx context.Context, ref guest.Ref, name, cidr string) error {
	return send(ctx, c, del(nil, guestPath(ref, "firewall", "ipset", name, cidr)...))
}
