package vm

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Update changes the VM in place: only the keys that differ are sent, with the
// digest of the configuration that they were worked out on.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("vmid"), state.VMID)...)
	limit, d := plan.Timeouts.Update(ctx, updateTimeout)
	resp.Diagnostics.Append(d...)
	u := updating{r: r, state: &state, plan: &plan, resp: resp, before: guests.ReadSeen(ctx, req.Private)}
	u.steps = guests.Steps{Data: r.data, Ref: state.ref(), Diags: &resp.Diagnostics, Did: "changed"}
	secret, d := password(ctx, req.Config.GetAttribute)
	resp.Diagnostics.Append(d...)
	resp.Diagnostics.Append(u.compare(ctx, secret)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.data.Boundary.Check(state.id()); err != nil {
		resp.Diagnostics.Append(guests.Outside(guest.QEMU, state.id(), err))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	if u.run(ctx) {
		u.save(ctx, &plan)
		return
	}
	// What was done so far is read into state, so that the next plan starts from
	// what is there.
	u.open(ctx)
	u.save(context.WithoutCancel(ctx), &state)
}

// updating is one VM being changed.
type updating struct {
	r           *Resource
	state, plan *model
	resp        *resource.UpdateResponse
	steps       guests.Steps
	before      guests.Seen
	change      change
	config      pve.GuestConfig // as it was when the change was worked out
	sent        []string        // keys that were sent
	firewall    guestfirewall.Change
}

// compare reads both sides of the change. The password is sent when its version
// has changed.
func (u *updating) compare(ctx context.Context, secret string) diag.Diagnostics {
	before, d := u.state.settings(ctx)
	after, more := u.plan.settings(ctx)
	d.Append(more...)
	if d.HasError() {
		return d
	}
	u.change = change{self: u.state.id(), before: before, after: after}
	if a := after.CloudInit; a != nil && (before.CloudInit == nil || !a.PasswordWOVersion.Equal(before.CloudInit.PasswordWOVersion)) {
		u.change.password = secret
	}
	return d
}

// run makes the change step by step and stops at the first error.
func (u *updating) run(ctx context.Context) bool {
	for _, step := range []func(context.Context) diag.Diagnostics{
		u.migrate, u.pool, u.closeFirewall, u.configure, u.openFirewall, u.drives, u.cloudInit, u.template, u.power,
	} {
		u.resp.Diagnostics.Append(step(ctx)...)
		if u.resp.Diagnostics.HasError() {
			return false
		}
	}
	return true
}

// migrate moves the VM to the node of the plan, unless it is there.
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

// configure sends the changed keys. A digest that has moved on means that somebody
// else wrote: the configuration is read again, and the change goes through once
// more if it still fits.
func (u *updating) configure(ctx context.Context) diag.Diagnostics {
	if u.unchanged() {
		return nil
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

// unchanged reports that the plan changes nothing of the configuration, so that
// nothing need be read for it either.
func (u *updating) unchanged() bool {
	return u.change.password == "" && reflect.DeepEqual(u.change.before, u.change.after)
}

func (u *updating) send(ctx context.Context) error {
	f, err := guests.Find(ctx, u.r.data, u.steps.Ref)
	if err != nil {
		return err
	}
	u.steps.Ref, u.config = f.Ref, f.Config
	u.change.live = f.Config.Values
	if err := u.change.plan(); err != nil {
		return err
	}
	if err := u.change.send(ctx, &u.steps, f.Config.Digest); err != nil {
		return err
	}
	u.sent = u.change.sent()
	return nil
}

// drives moves, grows and frees disks, online.
func (u *updating) drives(ctx context.Context) diag.Diagnostics {
	for _, m := range u.change.moves {
		if err := m.run(ctx, &u.steps); err != nil {
			return diag.Diagnostics{diags.FailedAt(drivePath(m.key).AtName("storage"),
				fmt.Sprintf("%s of VM %d could not be moved to storage %s", m.key, u.change.self, m.storage), err, "The disk is still on its old storage.")}
		}
	}
	for _, one := range u.change.resizes {
		if _, err := one.run(ctx, &u.steps, u.config); err != nil {
			return diag.Diagnostics{diags.FailedAt(drivePath(one.key).AtName("size"),
				fmt.Sprintf("%s of VM %d could not be grown to %s", one.key, u.change.self, one.size), err, "")}
		}
	}
	if len(u.change.frees) == 0 {
		return nil
	}
	list := strings.Join(u.change.frees, ",")
	if err := u.r.data.Client.Unlink(ctx, u.steps.Ref, list, true); err != nil {
		return diag.Diagnostics{diags.Failed(fmt.Sprintf("%s of VM %d could not be removed", list, u.change.self), err, "")}
	}
	return nil
}

func drivePath(key string) path.Path {
	switch {
	case key == "efidisk0":
		return path.Root("efi_disk")
	case key == "tpmstate0":
		return path.Root("tpm_state")
	}
	return path.Root("disks").AtMapKey(key)
}

// cloudInit writes the cloud-init drive anew. A VM that is stopped gets a new one at
// its start in any case. Source: PVE::QemuServer vm_start_nolock.
func (u *updating) cloudInit(ctx context.Context) diag.Diagnostics {
	if u.change.now == nil || !u.change.regenerates() || !u.state.Started.ValueBool() {
		return nil
	}
	if err := u.r.data.Client.RegenerateCloudInit(ctx, u.steps.Ref); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("cloud_init"), fmt.Sprintf("The cloud-init drive of VM %d could not be written anew", u.change.self), err,
			"The new values are stored, and the next start of the VM writes the drive.")}
	}
	return nil
}

// template converts the VM. Proxmox wants it stopped.
func (u *updating) template(ctx context.Context) diag.Diagnostics {
	if !u.plan.Template.ValueBool() || u.state.Template.ValueBool() {
		return nil
	}
	if d := u.steps.Power(ctx, false); d.HasError() {
		return d
	}
	if err := u.steps.Wait(ctx, func() (pve.UPID, error) { return u.r.data.Client.Template(ctx, u.steps.Ref) }); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("template"), fmt.Sprintf("VM %d could not be made a template", u.change.self), err, "")}
	}
	return nil
}

// power starts the VM or shuts it down, only if the plan changes that.
func (u *updating) power(ctx context.Context) diag.Diagnostics {
	if u.plan.Started.Equal(u.state.Started) {
		return nil
	}
	return u.steps.Power(ctx, u.plan.Started.ValueBool())
}

func (u *updating) refused(err error) diag.Diagnostics {
	summary := fmt.Sprintf("VM %d could not be changed", u.change.self)
	changed := diags.Nothing
	if e, ok := errors.AsType[*ConflictError](err); ok {
		return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("VM %d has been changed by somebody else since the plan was made", e.VMID),
			fmt.Sprintf("The keys %s are neither what they were when the plan was made nor what the plan wants. Nothing has been changed.\n\nPlan again and look at the difference.", strings.Join(e.Keys, ", ")))}
	}
	if e, ok := errors.AsType[*SourceError](err); ok {
		return diag.Diagnostics{noSource(e)}
	}
	if e, ok := errors.AsType[*ShrinkError](err); ok {
		return diag.Diagnostics{shrinks(e)}
	}
	if e, ok := errors.AsType[*pve.Error](err); ok && len(e.Params) > 0 {
		wanted := flat{}
		keys.Encode(u.change.after, wanted)
		return refusedParams(summary, e, wanted)
	}
	if !errors.Is(err, pve.ErrPermission) && !errors.Is(err, pve.ErrLocked) && !errors.Is(err, pve.ErrDigest) {
		// Proxmox writes key by key. Source: PVE::API2::Qemu $update_vm_api.
		changed = "A part of the change may have been made: what is there now has been read into the state."
	}
	return diag.Diagnostics{diags.Failed(summary, err, changed)}
}
