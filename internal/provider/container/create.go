package container

import (
	"context"
	"errors"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Create makes the container with one POST, starts it and reads it: three
// requests beside the polls of the tasks and those of a declared firewall, which
// is there before the first start. A container that has the number
// already is never taken for ours.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	var password types.String
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("password_wo"), &password)...)
	limit, d := plan.Timeouts.Create(ctx, createTimeout)
	resp.Diagnostics.Append(d...)
	resp.Diagnostics.Append(r.checkNew(ctx, &plan)...)
	want, d := plan.wants(ctx)
	resp.Diagnostics.Append(d...)
	params, d := want.params(&plan, password)
	resp.Diagnostics.Append(d...)
	c := creation{r: r, plan: &plan, planned: plan, resp: resp, order: archives.OrderOf(plan.Restore)}
	c.source, d = plan.source(ctx)
	resp.Diagnostics.Append(d...)
	if c.order != nil {
		params = restoreParams(params, c.order.Unique)
		_, d = r.openRestore(ctx, &plan, *c.order)
		resp.Diagnostics.Append(d...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	task, err := c.request(ctx, params)
	if err != nil {
		resp.Diagnostics.Append(c.refused(ctx, err)...)
		return
	}
	// From here on the container may exist: it is tracked before anything else
	// can fail.
	resp.Diagnostics.Append(c.track(ctx, task)...)
	if task, err = c.follow(ctx, task); err != nil {
		c.broke(ctx, stage.Create, task, err)
		return
	}
	r.data.Guests.Note(plan.id(), meta.Note{Node: c.ref.Node, Status: "stopped", Pool: plan.Pool.ValueStringPointer()})
	if err := c.configure(ctx); err != nil {
		c.broke(ctx, stage.Configure, "", err)
		return
	}
	if plan.Started.ValueBool() {
		if task, err := c.steps().Start(ctx); err != nil {
			c.broke(ctx, stage.Start, task, err)
			return
		}
	}
	c.finish(ctx)
}

// creation is one container on its way.
type creation struct {
	r       *Resource
	plan    *model
	planned model // as it was before the create filled it in
	resp    *resource.CreateResponse
	ref     guest.Ref
	order   *archives.Order // nil: from a template, or a clone
	source  *guests.Clone   // nil: no clone
}

// request sends the POST under the number of the plan, or under the lowest free
// one of the provider's range.
func (c *creation) request(ctx context.Context, params pve.Params) (pve.UPID, error) {
	var task pve.UPID
	create := func(ctx context.Context, id guest.VMID) (err error) {
		p := maps.Clone(params)
		p["vmid"] = id.String()
		task, err = c.post(ctx, id, p)
		return err
	}
	if attrs.Known(c.plan.VMID) {
		return task, create(ctx, c.plan.id())
	}
	id, err := c.r.data.WithNumber(ctx, create)
	c.plan.VMID = types.Int64Value(int64(id))
	return task, err
}

// post sends one POST. When its answer is lost, the task that it may have started
// is looked for; it is never sent again.
func (c *creation) post(ctx context.Context, id guest.VMID, p pve.Params) (pve.UPID, error) {
	c.ref = guest.Ref{Node: c.plan.Node.ValueString(), Kind: guest.LXC, VMID: id}
	if c.source != nil {
		return c.clone(ctx)
	}
	lost := pve.LostCall{Guest: c.ref, Type: c.taskType()}
	return guests.Begin(ctx, c.r.data.Client, lost, func() (pve.UPID, error) { return c.send(ctx, p) })
}

// track puts what is known into state: the number, the node, and what the
// container will be recognised by.
func (c *creation) track(ctx context.Context, task pve.UPID) diag.Diagnostics {
	made := lifecycle.Fingerprint{Kind: guest.LXC, VMID: c.ref.VMID, Made: task.Started().Unix()}
	c.plan.Fingerprint = types.StringValue(made.String())
	c.plan.CurrentNode = types.StringValue(c.ref.Node)
	var d diag.Diagnostics
	d.Append(c.resp.Identity.SetAttribute(ctx, path.Root("vmid"), c.plan.VMID)...)
	for name, value := range map[string]any{
		"vmid": c.plan.VMID, "node": c.plan.Node, "current_node": c.plan.CurrentNode, "fingerprint": c.plan.Fingerprint,
		"unprivileged": c.plan.Unprivileged, "ostemplate": c.plan.OSTemplate, "restore": c.plan.Restore, "clone": c.plan.Clone, "timeouts": c.plan.Timeouts,
	} {
		d.Append(c.resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	return d
}

// finish reads the container into state.
func (c *creation) finish(ctx context.Context) {
	config, err := c.r.data.Client.Config(ctx, c.ref)
	if err != nil {
		c.broke(ctx, stage.Configure, "", err)
		return
	}
	m := *c.plan
	m.Volumes = types.MapUnknown(guests.VolumeType) // not an import: what the plan has stays
	m.Started = types.BoolValue(m.Started.ValueBool())
	f := guests.Found{Ref: c.ref, Config: config}
	// A container that has never run has nothing pending.
	now, d := c.r.refresh(ctx, &m, f, guests.Seen{Digest: config.Digest})
	c.resp.Diagnostics.Append(d...)
	m = attrs.Fill(c.planned, m)
	c.resp.Diagnostics.Append(now.Write(ctx, c.resp.Private)...)
	c.resp.Diagnostics.Append(c.resp.State.Set(ctx, &m)...)
}

// refused words an error of the POST itself: nothing was created, unless the
// answer was lost.
func (c *creation) refused(ctx context.Context, err error) diag.Diagnostics {
	if errors.Is(err, meta.ErrNoBoundary) {
		return diag.Diagnostics{withoutNumber()}
	}
	if e, ok := errors.AsType[*pve.Error](err); ok && len(e.Params) > 0 {
		return refusedParams(guests.Summary(c.ref), e)
	}
	return diag.Diagnostics{guests.NotCreated(ctx, c.r.data, c.ref, err)}
}
