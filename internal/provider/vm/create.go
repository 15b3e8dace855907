package vm

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Create makes the VM: from nothing, from images or as a clone. It configures,
// starts and reads it, in at most five requests beside the polls of the tasks, those
// of a declared firewall, which is there before the first start, and
// one for each disk that grows or moves. A VM that has the number already is never
// taken for ours.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	limit, d := plan.Timeouts.Create(ctx, createTimeout)
	resp.Diagnostics.Append(d...)
	resp.Diagnostics.Append(r.checkNew(ctx, &plan)...)
	c := creation{r: r, plan: &plan, planned: plan, resp: resp}
	c.steps = guests.Steps{Data: r.data, Diags: &resp.Diagnostics, Did: "created"}
	c.steps.Ref = guest.Ref{Node: plan.Node.ValueString(), Kind: guest.QEMU, VMID: plan.id()}
	c.source, d = plan.source(ctx)
	resp.Diagnostics.Append(d...)
	c.order = archives.OrderOf(plan.Restore)
	resp.Diagnostics.Append(r.openRestore(ctx, &plan, c.order)...)
	c.want, d = plan.settings(ctx)
	resp.Diagnostics.Append(d...)
	c.password, d = password(ctx, req.Config.GetAttribute)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	task, err := c.begin(ctx)
	if err != nil {
		resp.Diagnostics.Append(c.refused(ctx, err)...)
		return
	}
	// From here on the VM may exist: it is tracked before anything else can fail.
	resp.Diagnostics.Append(c.track(ctx, task)...)
	if task, err = c.follow(ctx, task); err != nil {
		c.broke(ctx, stage.Create, task, err)
		return
	}
	r.data.Guests.Note(plan.id(), meta.Note{Node: c.ref().Node, Status: "stopped", Pool: plan.Pool.ValueStringPointer()})
	c.complete(ctx)
}

// creation is one VM on its way.
type creation struct {
	r        *Resource
	plan     *model
	planned  model // as it was before the create filled it in
	resp     *resource.CreateResponse
	steps    guests.Steps
	source   *guests.Clone   // nil: no clone
	order    *archives.Order // nil: not out of an archive
	want     *settings
	password string
	resizes  []resize // of imported disks
}

func (c *creation) ref() guest.Ref { return c.steps.Ref }

// password reads the write-only password, which only the configuration has.
func password(ctx context.Context, get func(context.Context, path.Path, any) diag.Diagnostics) (string, diag.Diagnostics) {
	var cloudInit types.Object
	d := get(ctx, path.Root("cloud_init"), &cloudInit)
	c, more := attrs.Object[cloudInitModel](ctx, cloudInit)
	d.Append(more...)
	if c == nil {
		return "", d
	}
	return c.PasswordWO.ValueString(), d
}

// begin sends the request that makes the VM, under the number of the plan or under
// the lowest free one of the provider's range.
func (c *creation) begin(ctx context.Context) (pve.UPID, error) {
	send := c.post
	if c.source != nil {
		send = c.clone
	}
	if c.order != nil {
		send = c.restore
	}
	var task pve.UPID
	create := func(ctx context.Context, id guest.VMID) (err error) {
		c.steps.Ref.VMID = id
		task, err = send(ctx, id)
		return err
	}
	if attrs.Known(c.plan.VMID) {
		return task, create(ctx, c.plan.id())
	}
	id, err := c.r.data.WithNumber(ctx, create)
	c.plan.VMID = types.Int64Value(int64(id))
	return task, err
}

// post makes a VM that is no clone, with everything that was declared.
func (c *creation) post(ctx context.Context, id guest.VMID) (pve.UPID, error) {
	all := change{self: id, before: keys.Null[settings](), after: c.want, live: map[string]string{}, password: c.password}
	if err := all.plan(); err != nil {
		return "", err
	}
	c.resizes = all.resizes
	p := pve.Params{"vmid": id.String()}
	for key, value := range all.config.Set {
		p[key] = value
	}
	if attrs.Known(c.plan.Pool) {
		p["pool"] = c.plan.Pool.ValueString()
	}
	lost := pve.LostCall{Guest: c.ref(), Type: "qmcreate"}
	return guests.Begin(ctx, c.r.data.Client, lost, func() (pve.UPID, error) { return c.r.data.Client.CreateVM(ctx, c.ref().Node, p) })
}

// track puts what is known into state: the number, the node, and what the VM will
// be recognised by. No volumes is not the same as null, which a read takes for an
// import: it would declare everything that the source of a clone brought.
func (c *creation) track(ctx context.Context, task pve.UPID) diag.Diagnostics {
	made := lifecycle.Fingerprint{Kind: guest.QEMU, VMID: c.ref().VMID, Made: task.Started().Unix()}
	c.plan.Fingerprint = types.StringValue(made.String())
	c.plan.CurrentNode = types.StringValue(c.ref().Node)
	d := c.resp.Identity.SetAttribute(ctx, path.Root("vmid"), c.plan.VMID)
	for name, value := range map[string]any{
		"vmid": c.plan.VMID, "node": c.plan.Node, "current_node": c.plan.CurrentNode, "fingerprint": c.plan.Fingerprint,
		"clone": c.plan.Clone, "restore": c.plan.Restore, "started": c.plan.Started, "volumes": types.MapValueMust(guests.VolumeType, map[string]attr.Value{}), "timeouts": c.plan.Timeouts,
	} {
		d.Append(c.resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	return d
}

// complete configures, starts and reads what was made.
func (c *creation) complete(ctx context.Context) {
	f, err := c.configure(ctx)
	if err != nil {
		c.broke(ctx, stage.Configure, "", err)
		return
	}
	if err := guestfirewall.Establish(ctx, c.r.data.Client, c.ref(), c.plan.Firewall); err != nil {
		c.broke(ctx, stage.Configure, "", err)
		return
	}
	if c.plan.Started.ValueBool() {
		if task, err := c.steps.Start(ctx); err != nil {
			c.broke(ctx, stage.Start, task, err)
			return
		}
	}
	c.resp.Diagnostics.Append(c.r.waitForAddresses(ctx, c.plan, c.ref())...)
	m := *c.plan
	m.Volumes = types.MapUnknown(guests.VolumeType) // not an import: what the plan has stays
	// A VM that has never run has nothing pending.
	now, d := c.r.refresh(ctx, &m, f, guests.Seen{Digest: f.Config.Digest})
	c.resp.Diagnostics.Append(d...)
	m = attrs.Fill(c.planned, m)
	c.resp.Diagnostics.Append(now.Write(ctx, c.resp.Private)...)
	c.resp.Diagnostics.Append(c.resp.State.Set(ctx, &m)...)
}

// configure brings the VM from what it was made as to what is declared, and returns
// what it is then.
func (c *creation) configure(ctx context.Context) (guests.Found, error) {
	f, err := c.read(ctx)
	if err != nil {
		return f, err
	}
	c.mark(ctx, f)
	done := change{resizes: c.resizes, self: c.ref().VMID}
	if c.source != nil || c.order != nil {
		if done, err = c.apply(ctx, &f); err != nil {
			return f, err
		}
	}
	changed := len(done.config.Set)+len(done.config.Delete)+len(done.moves) > 0
	for _, m := range done.moves {
		if err := m.run(ctx, &c.steps); err != nil {
			return f, err
		}
	}
	for _, one := range done.resizes {
		grown, err := one.run(ctx, &c.steps, f.Config)
		if err != nil {
			return f, err
		}
		changed = changed || grown
	}
	if c.plan.Template.ValueBool() && f.Config.Values["template"] != "1" {
		changed = true
		if err := c.steps.Wait(ctx, func() (pve.UPID, error) { return c.r.data.Client.Template(ctx, c.ref()) }); err != nil {
			return f, err
		}
	}
	if !changed {
		return f, nil
	}
	return c.read(ctx)
}

// mark puts the marks of the VM itself into state. Until then it is known by the
// task that made it, and the task of a clone stands under the number of its source.
func (c *creation) mark(ctx context.Context, f guests.Found) {
	c.plan.Fingerprint = guests.Fingerprint(f, c.plan.Fingerprint)
	c.resp.Diagnostics.Append(c.resp.State.SetAttribute(ctx, path.Root("fingerprint"), c.plan.Fingerprint)...)
}

// apply sends what is declared and what the source of the clone or the archive did
// not bring. A
// configuration that somebody changed in between is read again, once.
func (c *creation) apply(ctx context.Context, f *guests.Found) (change, error) {
	for again := true; ; again = false {
		done := change{self: c.ref().VMID, before: keys.Null[settings](), after: c.want, live: f.Config.Values, password: c.password}
		if err := done.plan(); err != nil {
			return done, err
		}
		err := done.send(ctx, &c.steps, f.Config.Digest)
		if !errors.Is(err, pve.ErrDigest) || !again {
			return done, err
		}
		if *f, err = c.read(ctx); err != nil {
			return done, err
		}
	}
}

func (c *creation) read(ctx context.Context) (guests.Found, error) {
	config, err := c.r.data.Client.Config(ctx, c.ref())
	return guests.Found{Ref: c.ref(), Config: config}, err
}

// broke ends a create that failed after it was accepted. What was not there and is
// not there needs no record; anything else is half done and says so in state.
func (c *creation) broke(ctx context.Context, at stage.Stage, task pve.UPID, cause error) {
	record, words := guests.Broke(ctx, c.r.life(), c.ref(), at, task, cause)
	c.resp.Diagnostics.Append(words)
	if record == nil {
		c.resp.State.RemoveResource(ctx)
		return
	}
	kept, d := guests.RecordValue(ctx, record)
	c.resp.Diagnostics.Append(d...)
	c.resp.Diagnostics.Append(c.resp.State.SetAttribute(ctx, path.Root("reconcile"), kept)...)
}

// refused words an error of the request itself: nothing was created, unless the
// answer was lost.
func (c *creation) refused(ctx context.Context, err error) diag.Diagnostics {
	if errors.Is(err, meta.ErrNoBoundary) {
		return diag.Diagnostics{withoutNumber()}
	}
	if e, ok := errors.AsType[*pve.Error](err); ok && len(e.Params) > 0 {
		wanted := flat{}
		keys.Encode(c.want, wanted)
		return refusedParams(guests.Summary(c.ref()), e, wanted)
	}
	if e, ok := errors.AsType[*SourceError](err); ok {
		return diag.Diagnostics{noSource(e)}
	}
	return diag.Diagnostics{guests.NotCreated(ctx, c.r.data, c.ref(), err)}
}
