package pve

import (
	"context"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// FirewallOptions are the options of a guest's firewall that are set, as text. The
// ones that are not set have defaults: macfilter and ndp 1, policy_in DROP.
type FirewallOptions map[string]string

// FirewallOptions reads a guest's firewall options; needs VM.Audit. They are kept by
// number for the whole cluster: no guest needs to exist for an answer.
func (c *Client) FirewallOptions(ctx context.Context, ref guest.Ref) (FirewallOptions, error) {
	g, err := call[GuestConfig](ctx, c, get(nil, guestPath(ref, "firewall", "options")...))
	return g.Values, err
}

// SetFirewallOptions changes options and deletes others; needs VM.Config.Network.
func (c *Client) SetFirewallOptions(ctx context.Context, ref guest.Ref, set FirewallOptions, remove []string) error {
	ch := ConfigChange{Set: set, Delete: remove}
	if ch.Empty() {
		return nil
	}
	return send(ctx, c, put(ch.params(), guestPath(ref, "firewall", "options")...))
}

// FirewallRule is a rule of a guest's firewall. Rules are addressed by position,
// which shifts with every rule added or removed.
type FirewallRule struct {
	Position Int    `json:"pos"`
	Type     string `json:"type"` // in, out, forward or group
	Action   string `json:"action"`
	Enable   Bool   `json:"enable"`
	Comment  string `json:"comment"`
	Macro    string `json:"macro"`
	Source   string `json:"source"`
	Dest     string `json:"dest"`
	Protocol string `json:"proto"`
	SPort    Text   `json:"sport"`
	DPort    Text   `json:"dport"`
	Iface    string `json:"iface"`
	Log      string `json:"log"`
}

// FirewallRules lists the rules of a guest; needs VM.Audit.
func (c *Client) FirewallRules(ctx context.Context, ref guest.Ref) ([]FirewallRule, error) {
	return call[[]FirewallRule](ctx, c, get(nil, guestPath(ref, "firewall", "rules")...))
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
