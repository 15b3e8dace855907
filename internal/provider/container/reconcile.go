package container

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// record is the open record of the state, nil in good times.
func (m *model) record(ctx context.Context) (*stage.Record, diag.Diagnostics) {
	kept, d := attrs.Object[reconcileModel](ctx, m.Reconcile)
	if kept == nil || d.HasError() {
		return nil, d
	}
	r := &stage.Record{
		Guest: guest.Ref{Node: kept.Node.ValueString(), Kind: guest.LXC, VMID: guest.VMID(kept.VMID.ValueInt64())},
		Stage: stage.Stage(kept.Stage.ValueString()),
		Task:  kept.Task.ValueString(),
	}
	if attrs.Known(kept.Exists) {
		r.Exists = kept.Exists.ValueBoolPointer()
	}
	r.Since, _ = time.Parse(time.RFC3339, kept.Since.ValueString())
	return r, d
}

// setRecord opens the record of an operation that stopped half-way, or closes it
// with nil.
func (m *model) setRecord(ctx context.Context, r *stage.Record) diag.Diagnostics {
	if r == nil {
		m.Reconcile = types.ObjectNull(reconcileTypes)
		return nil
	}
	kept := reconcileModel{
		VMID: types.Int64Value(int64(r.Guest.VMID)), Node: types.StringValue(r.Guest.Node),
		Stage: types.StringValue(string(r.Stage)), Task: types.StringNull(),
		Exists: types.BoolPointerValue(r.Exists),
		Since:  types.StringValue(r.Since.UTC().Format(time.RFC3339)),
		Token:  types.StringValue(r.Token()),
	}
	if r.Task != "" {
		kept.Task = types.StringValue(r.Task)
	}
	var d diag.Diagnostics
	m.Reconcile, d = types.ObjectValueFrom(ctx, reconcileTypes, kept)
	return d
}

// readRecord settles an open record at the start of a read. proceed is false
// when the read must end here: the record stays open, or the container was
// proved to be gone.
func (r *Resource) readRecord(ctx context.Context, m *model, resp *resource.ReadResponse) (proceed bool) {
	open, d := m.record(ctx)
	resp.Diagnostics.Append(d...)
	if d.HasError() || open == nil {
		return !d.HasError()
	}
	if r.data.Acknowledged[open.Token()] {
		resp.Diagnostics.Append(ending.Closed(*open))
		resp.Diagnostics.Append(m.setRecord(ctx, nil)...)
		if known, err := lifecycle.ParseFingerprint(m.Fingerprint.ValueString()); err == nil && !known.Complete() {
			// The create died before the container had marks of its own. Who signs
			// has looked at it and vouches that it is this one.
			m.Fingerprint = types.StringNull()
		}
		return true
	}
	settled, outcome := lifecycle.Settle(*open, r.life().Look(ctx, *open, m.Fingerprint.ValueString()))
	switch outcome {
	case lifecycle.SettledPresent:
		resp.Diagnostics.Append(ending.Settled(settled, outcome))
		resp.Diagnostics.Append(m.setRecord(ctx, nil)...)
		return true
	case lifecycle.SettledAbsent:
		resp.Diagnostics.Append(ending.Settled(settled, outcome))
		resp.State.RemoveResource(ctx)
		return false
	}
	// The token is that of the record in state: what was seen about the guest's
	// existence since does not change it.
	resp.Diagnostics.Append(ending.Open(settled))
	return false
}
