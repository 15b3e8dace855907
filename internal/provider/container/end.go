package container

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

func (r *Resource) life() *lifecycle.Lifecycle { return lifecycle.New(r.data.Client, time.Now) }

// subject is the container as the state has it, and after is the configuration
// of the one that comes after it: nil if none does.
func (r *Resource) subject(ctx context.Context, state, after *model) (ending.Subject, diag.Diagnostics) {
	open, d := guests.OpenRecord(ctx, r.data, guest.LXC, state.Reconcile)
	pairs, more := guests.Pairs(ctx, state.Volumes)
	d.Append(more...)
	s := ending.Subject{
		Guest: state.ref(), Fingerprint: state.Fingerprint.ValueString(), Record: open,
		Waived: attrs.Strings(state.WaiveBlockers), Pool: state.Pool.ValueString(),
		Volumes: pairs, Declared: map[string]bool{},
	}
	if after != nil {
		d.Append(r.subjectAfter(ctx, after, &s)...)
	}
	return s, d
}

// subjectAfter adds what the configuration asks for. What is unknown in the
// plan is not checked now: Delete has no better knowledge, and the create is
// the judge of it.
func (r *Resource) subjectAfter(ctx context.Context, after *model, s *ending.Subject) diag.Diagnostics {
	want, d := after.wants(ctx)
	s.Waived = attrs.Strings(after.WaiveBlockers)
	s.PoolDeclared, s.FirewallDeclared = !after.Pool.IsNull(), !after.Firewall.IsNull()
	needs := &lifecycle.Needs{
		Node: s.Guest.Node, VMID: s.Guest.VMID, Content: "rootdir", Storages: map[string]bytesize.Size{},
		Template: after.OSTemplate.ValueString(), Pool: after.Pool.ValueString(),
		SysModify: attrs.Known(after.Unprivileged) && !after.Unprivileged.ValueBool(),
	}
	needs.Firewall = s.FirewallDeclared
	s.Needs = needs
	if attrs.Known(after.Node) {
		needs.Node = after.Node.ValueString()
	}
	if attrs.Known(after.VMID) {
		needs.VMID = after.id()
	}
	if source, more := after.source(ctx); source != nil {
		d.Append(more...)
		at := source.At(needs.Node)
		needs.Source = &at
	}
	if want.rootfs != nil {
		wantVolume(s, "rootfs", want.rootfs.Storage, want.rootfs.Size)
	}
	for key, mount := range want.mounts {
		s.Declared[key] = true
		switch {
		case mount.onHost():
		case attrs.Known(mount.Volume):
			needs.Volumes = append(needs.Volumes, mount.Volume.ValueString())
		default:
			wantVolume(s, key, mount.Storage, mount.Size)
		}
	}
	for key := range want.devices {
		s.Declared[key] = true
	}
	for _, net := range want.network {
		if bridge := net["bridge"]; bridge != "" && !slices.Contains(needs.Bridges, bridge) {
			needs.Bridges = append(needs.Bridges, bridge)
		}
	}
	for _, refusal := range r.checkRootOnly(ctx, nil, after) {
		if at, ok := refusal.(diag.DiagnosticWithPath); ok {
			needs.RootOnly = append(needs.RootOnly, at.Path().String())
		}
	}
	slices.Sort(needs.Bridges)
	slices.Sort(needs.Volumes)
	return d
}

func wantVolume(s *ending.Subject, key string, storage types.String, size attrs.Size) {
	if bytes, ok := size.Bytes(); ok && attrs.Known(storage) {
		s.Want(key, storage.ValueString(), bytes)
	}
}

func (r *Resource) doors() guests.Doors { return guests.Doors{Data: r.data, Life: r.life()} }

// planEnd guards the plan of a destroy.
func (r *Resource) planEnd(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	s, d := r.subject(ctx, &state, nil)
	resp.Diagnostics.Append(d...)
	r.doors().PlanDestroy(ctx, s, resp)
}

// planReplace is the part of the first plan call that looks ahead to a
// replacement.
func (r *Resource) planReplace(ctx context.Context, state, plan *model, resp *resource.ModifyPlanResponse) {
	s, d := r.subject(ctx, state, plan)
	resp.Diagnostics.Append(d...)
	r.doors().PlanReplace(ctx, s, reinstalls(state, plan), state.Reconcile, resp)
}
