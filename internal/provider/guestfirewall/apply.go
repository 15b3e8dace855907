package guestfirewall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// ConflictError says that somebody else has changed parts of a firewall since the
// plan was made, to something that is not what the plan wants either.
type ConflictError struct {
	VMID guest.VMID
	What []string
}

// Error names the parts.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("somebody else has changed %s of the firewall of guest %d since the plan was made", strings.Join(e.What, ", "), e.VMID)
}

// RuleError says which of the declared rules was refused.
type RuleError struct {
	Index int
	Err   error
}

// Error is what was wrong.
func (e *RuleError) Error() string { return fmt.Sprintf("rule %d: %v", e.Index, e.Err) }

// Unwrap is what was wrong.
func (e *RuleError) Unwrap() error { return e.Err }

// Change brings the firewall of a guest from Before to After, both as the attribute
// has them, in two halves: Close lets through less than before, or as much; Open
// lets through no more than what is wanted. Network devices are changed in between:
// a new one is never there before its rules, and an old one never without them.
type Change struct {
	Client *pve.Client
	Ref    guest.Ref
	// Before is null when the firewall was not declared: then whatever is there is
	// changed to After.
	Before, After types.Object

	before, after *firewall
	live          *live
	fresh         bool // the guest has never been started
	stale         bool // live may have changed since it was read
	wrote         bool
}

// Needed reports whether there is anything to do: not when the attribute is not
// declared (any more), and not when it is the same.
func (c *Change) Needed() bool { return !c.After.IsNull() && !c.After.Equal(c.Before) }

// Close makes the first half of the change. The error is a *ConflictError, a
// *RuleError, or one of the client; see Failed.
func (c *Change) Close(ctx context.Context) error {
	if !c.Needed() {
		return nil
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	switch {
	case !c.on(): // what filters nothing can only be closed
		return c.run(ctx, c.filter, c.takeAddresses, c.rules(toTheEnd), c.giveAddresses, c.options(everything))
	case !c.staysOn():
		return nil
	}
	return c.run(ctx, c.filter, c.options(closing), c.takeAddresses, c.rules(whileClosing))
}

// Open makes the second half of the change. The errors are those of Close.
func (c *Change) Open(ctx context.Context) error {
	if c.live == nil || !c.on() {
		return nil
	}
	c.stale = true
	return c.run(ctx, c.filter, c.takeAddresses, c.rules(toTheEnd), c.giveAddresses, c.options(everything))
}

// Establish sets the firewall of a new guest that has never been started: the
// strictest part first, in case the guest is started by hand when the rest fails.
// One that is not declared costs nothing.
func Establish(ctx context.Context, client *pve.Client, ref guest.Ref, declared types.Object) error {
	c := Change{Client: client, Ref: ref, Before: types.ObjectNull(Types), After: declared, fresh: true}
	if !c.Needed() {
		return nil
	}
	return c.run(ctx, c.prepare, c.options(everything), c.takeAddresses, c.giveAddresses, c.rules(toTheEnd))
}

// on reports whether the firewall was on before the change.
func (c *Change) on() bool      { return c.live.wasOn }
func (c *Change) staysOn() bool { return c.after.options["enable"] == "1" }

func (c *Change) run(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// prepare reads the firewall and finds what somebody else has changed.
func (c *Change) prepare(ctx context.Context) error {
	before, d := wanted(ctx, c.Before)
	after, more := wanted(ctx, c.After)
	for _, one := range append(d, more...) {
		return errors.New(one.Summary() + ": " + one.Detail())
	}
	c.before, c.after = before, after
	var err error
	if c.live, err = read(ctx, c.Client, c.Ref); err != nil {
		return err
	}
	c.live.wasOn = c.live.options["enable"] == "1"
	if c.before == nil {
		return nil
	}
	theirs := c.theirOptions()
	if !sameRules(c.live.rules, c.before.rules) && !sameRules(c.live.rules, c.after.rules) {
		theirs = append(theirs, "the rules")
	}
	for _, key := range interfaces(c.live.sets, c.before.sets) {
		now, was, will := c.live.sets[key], c.before.sets[key], c.after.sets[key]
		if !sameAddresses(now, was) && !sameAddresses(now, will) {
			theirs = append(theirs, "the addresses of "+key)
		}
	}
	return c.conflict(theirs)
}

func (c *Change) conflict(theirs []string) error {
	if len(theirs) == 0 {
		return nil
	}
	return &ConflictError{VMID: c.Ref.VMID, What: theirs}
}

// theirOptions are the options that are neither what the plan was made on nor what
// it wants.
func (c *Change) theirOptions() []string {
	moved := keys.Differences[Model](c.before.options, c.live.options)
	return slices.DeleteFunc(keys.Differences[Model](c.after.options, c.live.options), func(key string) bool { return !slices.Contains(moved, key) })
}

// write makes one call. When its answer is lost, done looks whether it took effect;
// it is never sent again.
func (c *Change) write(ctx context.Context, send func() error, done func() (bool, error)) error {
	c.stale, c.wrote = true, true
	err := send()
	if !errors.Is(err, pve.ErrAmbiguous) {
		return err
	}
	if there, lookErr := done(); lookErr != nil || !there {
		return errors.Join(err, lookErr)
	}
	return ctx.Err()
}

func sameRules(a, b []Rule) bool {
	return slices.EqualFunc(a, b, func(x, y Rule) bool { return len(keys.Differences[ruleModel](x, y)) == 0 })
}

// whileClosing and toTheEnd say how far the rules are changed.
const (
	whileClosing = false
	toTheEnd     = true
)

// rules changes the rules one call at a time, and reads the list anew before each,
// with its digest: positions shift under whoever does not look.
func (c *Change) rules(end bool) func(context.Context) error {
	return func(ctx context.Context) error {
		if c.fresh && len(c.live.rules) == 0 {
			return c.newRules(ctx)
		}
		for {
			if err := c.readRules(ctx); err != nil {
				return err
			}
			step, more := NextStep(c.live.rules, c.after.rules)
			if !more || step.Opens && !end {
				return nil
			}
			if err := c.makeStep(ctx, step); err != nil {
				return err
			}
		}
	}
}

// readRules reads the list, which has to be as it was left.
func (c *Change) readRules(ctx context.Context) error {
	if !c.stale {
		return nil
	}
	rows, err := c.Client.FirewallRules(ctx, c.Ref)
	if err != nil {
		return err
	}
	c.live.rows = rows
	if !sameRules(rulesOf(rows), c.live.rules) {
		return c.conflict([]string{"the rules"})
	}
	c.live.rules = rulesOf(rows)
	return nil
}

func (c *Change) makeStep(ctx context.Context, step Step) error {
	rows := c.live.rows
	c.live.rules = step.Result(c.live.rules)
	err := c.write(ctx, func() error { return c.send(ctx, step, rows) }, func() (bool, error) {
		rows, err := c.Client.FirewallRules(ctx, c.Ref)
		return sameRules(rulesOf(rows), c.live.rules), err
	})
	if err != nil && step.Index >= 0 {
		return &RuleError{Index: step.Index, Err: err}
	}
	return err
}

// newRules makes the rules of a guest that has none and does not run, the last one
// first: each new one is put before all others.
func (c *Change) newRules(ctx context.Context) error {
	for index, rule := range slices.Backward(c.after.rules) {
		err := c.write(ctx, func() error { return c.Client.CreateFirewallRule(ctx, c.Ref, rule) }, func() (bool, error) {
			rows, err := c.Client.FirewallRules(ctx, c.Ref)
			return sameRules(rulesOf(rows), c.after.rules[index:]), err
		})
		if err != nil {
			return &RuleError{Index: index, Err: err}
		}
	}
	return nil
}

func (c *Change) send(ctx context.Context, s Step, rows []pve.FirewallRule) error {
	digest := ""
	if len(rows) > 0 {
		digest = rows[0].Digest
	}
	switch s.Do {
	case Insert:
		return c.Client.CreateFirewallRule(ctx, c.Ref, s.disabled())
	case Move:
		return c.Client.MoveFirewallRule(ctx, c.Ref, s.At, s.To, digest)
	case Enable:
		return c.Client.UpdateFirewallRule(ctx, c.Ref, s.At, pve.ConfigChange{Set: map[string]string{"enable": "1"}, Digest: digest})
	case Remove:
		return c.Client.DeleteFirewallRule(ctx, c.Ref, s.At, digest)
	}
	ch := pve.ConfigChange{Set: map[string]string{}, Digest: digest}
	for _, key := range cosmetic {
		if text, ok := s.Rule[key]; ok {
			ch.Set[key] = text
		} else if _, present := rows[s.At].Values[key]; present {
			ch.Delete = append(ch.Delete, key)
		}
	}
	return c.Client.UpdateFirewallRule(ctx, c.Ref, s.At, ch)
}
