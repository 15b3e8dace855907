package vm

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

func (r *Resource) doors() guests.Doors { return guests.Doors{Data: r.data, Life: r.life()} }

// reinstalls reports whether a plan requires replacement. The framework does not
// tell ModifyPlan what the attributes' own plan modifiers require.
func reinstalls(state, plan *model) bool {
	return archives.OtherArchive(state.Restore, plan.Restore) || guests.ForcesReplace(state.VMID, plan.VMID) || guests.ForcesReplace(state.ReinstallTrigger, plan.ReinstallTrigger) ||
		guests.OtherSource(state.Clone.Attributes(), plan.Clone.Attributes())
}

// subject is the VM as the state has it, and after is the configuration of the one
// that comes after it: nil if none does.
func (r *Resource) subject(ctx context.Context, state, after *model) (ending.Subject, diag.Diagnostics) {
	open, d := guests.OpenRecord(ctx, r.data, guest.QEMU, state.Reconcile)
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

// subjectAfter adds what the configuration asks for. What is unknown in the plan is
// not checked now: Delete has no better knowledge, and the create is the judge.
func (r *Resource) subjectAfter(ctx context.Context, after *model, s *ending.Subject) diag.Diagnostics {
	want, d := after.settings(ctx)
	s.Waived = attrs.Strings(after.WaiveBlockers)
	s.PoolDeclared, s.FirewallDeclared = !after.Pool.IsNull(), !after.Firewall.IsNull()
	needs := &lifecycle.Needs{
		Node: s.Guest.Node, VMID: s.Guest.VMID, Content: "images", Storages: map[string]bytesize.Size{}, Pool: after.Pool.ValueString(),
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
		if source.Storage != "" {
			needs.Storages[source.Storage] += 0
		}
	}
	wantDrives(want, s)
	for _, key := range sortedKeys(want.Network) {
		if bridge := want.Network[key].Bridge; attrs.Known(bridge) && !slices.Contains(needs.Bridges, bridge.ValueString()) {
			needs.Bridges = append(needs.Bridges, bridge.ValueString())
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

// wantDrives notes what the drives of the new VM are made from.
func wantDrives(want *settings, s *ending.Subject) {
	uses := func(v types.String) {
		if attrs.Known(v) && !strings.HasPrefix(v.ValueString(), "/") && !slices.Contains(s.Needs.Volumes, v.ValueString()) {
			s.Needs.Volumes = append(s.Needs.Volumes, v.ValueString())
		}
	}
	for key, disk := range want.Disks {
		s.Declared[key] = true
		uses(disk.Volume)
		uses(disk.ImportFrom)
		size, sized := disk.Size.Bytes()
		switch {
		case attrs.Known(disk.Storage) && sized:
			s.Want(key, disk.Storage.ValueString(), size)
		case attrs.Known(disk.Storage):
			s.Needs.Storages[disk.Storage.ValueString()] += 0
		}
	}
	for key, drive := range want.CDROMs {
		s.Declared[key] = true
		if drive.Volume.ValueString() != "cdrom" {
			uses(drive.Volume)
		}
	}
	if e := want.EFIDisk; e != nil {
		s.Declared["efidisk0"] = true
		uses(e.Volume)
		uses(e.ImportFrom)
	}
	if t := want.TPMState; t != nil {
		s.Declared["tpmstate0"] = true
		uses(t.Volume)
		uses(t.ImportFrom)
	}
}

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

// Delete destroys the VM if it is what was planned on: the last door, and the only
// one for tainted objects and plans that are out of date.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	limit, d := state.Timeouts.Delete(ctx, deleteTimeout)
	resp.Diagnostics.Append(d...)
	s, d := r.subject(ctx, &state, nil)
	resp.Diagnostics.Append(d...)
	marker, d := ending.Left(ctx, req.Private)
	resp.Diagnostics.Append(d...)
	if r.doors().Closed(s, &resp.Diagnostics) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	record, d := ending.Delete(ctx, r.life(), s, marker, limit)
	resp.Diagnostics.Append(d...)
	if record != nil {
		kept, d := guests.RecordValue(ctx, record)
		resp.Diagnostics.Append(d...)
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("reconcile"), kept)...)
	}
	if !resp.Diagnostics.HasError() {
		r.data.Guests.Note(s.Guest.VMID, meta.Note{Gone: true})
	}
}
