package restore

import (
	"context"

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

// creation is one guest on its way back.
type creation struct {
	r      *Resource
	plan   *model
	resp   *resource.CreateResponse
	source archives.Source
	steps  guests.Steps
}

// Create restores with one POST, starts the guest if it is to run, and reads it.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	limit, d := plan.Timeouts.Create(ctx, createTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := creation{r: r, plan: &plan, resp: resp}
	params, ok := c.prepare(ctx)
	if !ok {
		return
	}
	task, err := c.begin(ctx, params)
	if err != nil {
		resp.Diagnostics.Append(guests.NotCreated(ctx, r.data, c.steps.Ref, err))
		return
	}
	// From here on the guest may exist: it is tracked before anything else can fail.
	c.track(ctx, task)
	result, err := r.data.Client.Wait(ctx, task, archives.FollowAll(ctx, task, nil))
	c.steps.Warn(result.Warnings)
	if err != nil {
		c.broke(ctx, stage.Create, task, err)
		return
	}
	r.data.Guests.Note(plan.id(), meta.Note{Node: c.steps.Ref.Node, Status: "stopped", Pool: plan.Pool.ValueStringPointer()})
	if plan.Started.ValueBool() {
		if task, err := c.steps.Start(ctx); err != nil {
			c.broke(ctx, stage.Start, task, err)
			return
		}
	}
	plan.Consistency = c.r.consistency(ctx, c.source)
	c.finish(ctx)
}

// prepare checks again, right before the call, what the plan has checked.
func (c *creation) prepare(ctx context.Context) (pve.Params, bool) {
	c.steps = guests.Steps{Data: c.r.data, Diags: &c.resp.Diagnostics, Did: "restored",
		Ref: guest.Ref{Node: c.plan.Node.ValueString(), Kind: c.plan.kind(), VMID: c.plan.id()}}
	if c.plan.Node.ValueString() == "" {
		c.resp.Diagnostics.AddAttributeError(path.Root("node"), "There is no node to restore on", "Nothing has been changed.\n\nSet node, or default_node in the provider block.")
		return nil, false
	}
	if attrs.Known(c.plan.VMID) {
		if err := c.r.data.Boundary.Check(c.plan.id()); err != nil {
			c.resp.Diagnostics.Append(guests.Outside(c.plan.kind(), c.plan.id(), err))
			return nil, false
		}
	}
	var d diag.Diagnostics
	c.source, d = c.r.source(ctx, c.plan)
	c.resp.Diagnostics.Append(d...)
	if d.HasError() {
		return nil, false
	}
	c.resp.Diagnostics.Append(c.r.checkNumber(ctx, c.plan)...)
	c.resp.Diagnostics.Append(c.source.CheckUnique(ctx, c.r.data, path.Root("unique"), c.plan.Unique.ValueBool())...)
	how, d := c.r.restoration(ctx, c.plan)
	c.resp.Diagnostics.Append(d...)
	params, err := c.source.Params(how)
	if err != nil {
		c.resp.Diagnostics.Append(archives.Unusable(path.Root("mounts"), c.source.Volume, err))
	}
	return params, !c.resp.Diagnostics.HasError()
}

// begin sends the POST under the number of the plan, or under the lowest free one
// of the provider's range.
func (c *creation) begin(ctx context.Context, params pve.Params) (pve.UPID, error) {
	var task pve.UPID
	send := func(ctx context.Context, id guest.VMID) (err error) {
		c.steps.Ref.VMID = id
		task, err = guests.Begin(ctx, c.r.data.Client, pve.LostCall{Guest: c.steps.Ref, Type: restoreTask(c.steps.Ref.Kind)}, func() (pve.UPID, error) {
			return c.r.data.Client.Restore(ctx, c.steps.Ref, c.source.Volume, params)
		})
		return err
	}
	if attrs.Known(c.plan.VMID) {
		return task, send(ctx, c.plan.id())
	}
	id, err := c.r.data.WithNumber(ctx, send)
	c.plan.VMID = types.Int64Value(int64(id))
	return task, err
}

func restoreTask(kind guest.Kind) string {
	if kind == guest.QEMU {
		return "qmrestore"
	}
	return "vzrestore"
}

// track puts what is known into state.
func (c *creation) track(ctx context.Context, task pve.UPID) {
	made := lifecycle.Fingerprint{Kind: c.steps.Ref.Kind, VMID: c.steps.Ref.VMID, Made: task.Started().Unix()}
	m := c.plan
	m.Fingerprint = types.StringValue(made.String())
	m.CurrentNode, m.Kind = types.StringValue(c.steps.Ref.Node), types.StringValue(string(c.steps.Ref.Kind))
	m.Consistency, m.MACAddresses = types.StringNull(), types.MapNull(types.StringType)
	m.Volumes, m.Reconcile = types.MapNull(guests.VolumeType), types.ObjectNull(guests.ReconcileTypes)
	c.resp.Diagnostics.Append(c.resp.State.Set(ctx, m)...)
}

// broke keeps the record of a restore that stopped half-way; what was proved not
// to be there is not tracked.
func (c *creation) broke(ctx context.Context, at stage.Stage, task pve.UPID, cause error) {
	record, why := guests.Broke(ctx, c.r.life, c.steps.Ref, at, task, cause)
	c.resp.Diagnostics.Append(why)
	if record == nil {
		c.resp.State.RemoveResource(ctx)
		return
	}
	kept, d := guests.RecordValue(ctx, record)
	c.resp.Diagnostics.Append(d...)
	c.resp.Diagnostics.Append(c.resp.State.SetAttribute(ctx, path.Root("reconcile"), kept)...)
}

func (c *creation) finish(ctx context.Context) {
	config, err := c.r.data.Client.Config(ctx, c.steps.Ref)
	if err != nil {
		c.broke(ctx, stage.Configure, "", err)
		return
	}
	started, pool := c.plan.Started, c.plan.Pool
	c.resp.Diagnostics.Append(c.plan.absorb(ctx, guests.Found{Ref: c.steps.Ref, Config: config}, guests.Seen{Digest: config.Digest})...)
	c.plan.Started, c.plan.Pool = started, pool
	c.resp.Diagnostics.Append(guests.Seen{Digest: config.Digest}.Write(ctx, c.resp.Private)...)
	c.resp.Diagnostics.Append(c.resp.State.Set(ctx, c.plan)...)
}
