package container

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Update changes the container in place: only the keys that differ are sent,
// with the digest of the configuration that they were worked out on.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("vmid"), state.VMID)...)
	limit, d := plan.Timeouts.Update(ctx, updateTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.data.Boundary.Check(state.id()); err != nil {
		resp.Diagnostics.Append(guests.Outside(guest.LXC, state.id(), err))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	u := updating{r: r, state: &state, plan: &plan, resp: resp, before: guests.ReadSeen(ctx, req.Private)}
	u.steps = guests.Steps{Data: r.data, Ref: state.ref(), Diags: &resp.Diagnostics, Did: "changed"}
	if u.run(ctx) {
		u.save(ctx, &plan)
		return
	}
	// What was done so far is read into state, so that the next plan starts from
	// what is there.
	u.open(ctx)
	u.save(context.WithoutCancel(ctx), &state)
}

// updating is one container being changed.
type updating struct {
	r           *Resource
	state, plan *model
	resp        *resource.UpdateResponse
	steps       guests.Steps
	before      guests.Seen
	change      change
	changed     []string // keys that were sent
	firewall    guestfirewall.Change
}

// run makes the change step by step and stops at the first error.
func (u *updating) run(ctx context.Context) bool {
	for _, step := range []func(context.Context) diag.Diagnostics{
		u.migrate, u.pool, u.closeFirewall, u.configure, u.openFirewall, u.move, u.power,
	} {
		u.resp.Diagnostics.Append(step(ctx)...)
		if u.resp.Diagnostics.HasError() {
			return false
		}
	}
	return true
}

// migrate moves the container to the node of the plan, unless it is there.
func (u *updating) migrate(ctx context.Context) diag.Diagnostics {
	target := u.plan.Node.ValueString()
	if u.plan.Node.Equal(u.state.Node) || target == u.steps.Ref.Node {
		return nil
	}
	return u.steps.Migrate(ctx, target)
}

func (u *updating) pool(ctx context.Context) diag.Diagnostics {
	return guests.ChangePool(ctx, u.r.data, u.steps.Ref, u.state.Pool, u.plan.Pool)
}

// configure sends the changed keys. A digest that has moved on means that
// somebody else wrote: the configuration is read again, and the change goes
// through once more if it still fits.
func (u *updating) configure(ctx context.Context) diag.Diagnostics {
	var d diag.Diagnostics
	u.change.self = u.steps.Ref.VMID
	var more diag.Diagnostics
	u.change.before, more = u.state.wants(ctx)
	d.Append(more...)
	u.change.after, more = u.plan.wants(ctx)
	d.Append(more...)
	if d.HasError() {
		return d
	}
	err := u.send(ctx)
	if errors.Is(err, pve.ErrDigest) {
		err = u.send(ctx)
	}
	if err != nil {
		return u.refused(err)
	}
	return nil
}

func (u *updating) send(ctx context.Context) error {
	digest, err := u.compare(ctx)
	if err != nil {
		return err
	}
	// Volumes grow first: options of a mount point that wait for the next start
	// carry the size of now, and would put it back.
	if len(u.change.resizes) > 0 {
		if err := u.resize(ctx); err != nil {
			return err
		}
		if digest, err = u.compare(ctx); err != nil {
			return err
		}
	}
	for _, part := range u.change.parts(digest) {
		if err := u.r.data.Client.UpdateConfig(ctx, u.steps.Ref, part); err != nil {
			return err
		}
	}
	u.changed = u.change.keys()
	return nil
}

// compare works the change out against what is there now.
func (u *updating) compare(ctx context.Context) (digest string, err error) {
	f, err := u.r.find(ctx, u.steps.Ref.VMID, u.steps.Ref.Node)
	if err != nil {
		return "", err
	}
	u.steps.Ref = f.Ref
	if err := u.r.life().Recognise(ctx, f.Ref, f.Config.Values, u.state.Fingerprint.ValueString()); err != nil {
		return "", err
	}
	u.change.live = explicit(f.Config.Values, u.state)
	return f.Config.Digest, u.change.plan()
}

// parts splits the change in two where protection is taken off together with a
// change of disks: Proxmox judges by the protection that was there before.
// Source: PVE::LXC::Config update_pct_config.
func (c *change) parts(digest string) []pve.ConfigChange {
	whole := c.config
	whole.Digest = digest
	if whole.Empty() {
		return nil
	}
	off, lifted := whole.Set["protection"]
	if !lifted || off != "0" || !c.touchesDisks() {
		return []pve.ConfigChange{whole}
	}
	first := pve.ConfigChange{Set: map[string]string{"protection": "0"}, Digest: digest}
	delete(whole.Set, "protection")
	whole.Digest = "" // the first part has moved it on
	return []pve.ConfigChange{first, whole}
}

func (c *change) touchesDisks() bool {
	disk := func(key string) bool { return key == "rootfs" || numbered("mp")(key) }
	for key := range c.config.Set {
		if disk(key) {
			return true
		}
	}
	return slices.ContainsFunc(c.config.Delete, disk)
}

// keys are the keys that the change sets or deletes, sorted.
func (c *change) keys() []string {
	sent := slices.Clone(c.config.Delete)
	for key := range c.config.Set {
		sent = append(sent, key)
	}
	slices.Sort(sent)
	return sent
}

func (u *updating) refused(err error) diag.Diagnostics {
	summary := fmt.Sprintf("Container %d could not be changed", u.steps.Ref.VMID)
	if e, ok := errors.AsType[*ConflictError](err); ok {
		return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Container %d has been changed by somebody else since the plan was made", e.VMID),
			fmt.Sprintf("What stands at %s now is neither what it was when the plan was made nor what the plan wants. Nothing has been changed.\n\nPlan again and look at the difference.", strings.Join(e.Keys, ", ")))}
	}
	if _, ok := errors.AsType[*blocker.Stranger](err); ok {
		return diag.Diagnostics{ending.NotRead(u.steps.Ref, err)}
	}
	if e, ok := errors.AsType[*growError](err); ok {
		return diag.Diagnostics{diags.FailedAt(diskPath(e.key).AtName("size"),
			fmt.Sprintf("%s of container %d could not be grown to %s", e.key, u.steps.Ref.VMID, e.size), e.err, "")}
	}
	if e, ok := errors.AsType[*pve.Error](err); ok && len(e.Params) > 0 {
		return refusedParams(summary, e)
	}
	return diag.Diagnostics{diags.Failed(summary, err, diags.Nothing)}
}

// open leaves a record of a task that still runs or that died where it stood, so
// that nothing else is planned before it has ended and its lock is gone.
func (u *updating) open(ctx context.Context) {
	if u.steps.Unfinished == "" {
		return
	}
	stop := u.r.life().Interrupt(ctx, u.steps.Ref, stage.Configure, u.steps.Unfinished, context.Cause(ctx))
	u.resp.Diagnostics.Append(u.state.setRecord(ctx, &stop.Record)...)
}
