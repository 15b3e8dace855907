package guests

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// record is the attribute reconcile.
type record struct {
	VMID   types.Int64  `tfsdk:"vmid"`
	Node   types.String `tfsdk:"node"`
	Stage  types.String `tfsdk:"stage"`
	Task   types.String `tfsdk:"task"`
	Exists types.Bool   `tfsdk:"exists"`
	Since  types.String `tfsdk:"since"`
	Token  types.String `tfsdk:"token"`
}

// Record reads the attribute reconcile: nil in good times.
func Record(ctx context.Context, kind guest.Kind, reconcile types.Object) (*stage.Record, diag.Diagnostics) {
	kept, d := attrs.Object[record](ctx, reconcile)
	if kept == nil || d.HasError() {
		return nil, d
	}
	r := &stage.Record{
		Guest: guest.Ref{Node: kept.Node.ValueString(), Kind: kind, VMID: guest.VMID(kept.VMID.ValueInt64())},
		Stage: stage.Stage(kept.Stage.ValueString()),
		Task:  kept.Task.ValueString(),
	}
	if attrs.Known(kept.Exists) {
		r.Exists = kept.Exists.ValueBoolPointer()
	}
	r.Since, _ = time.Parse(time.RFC3339, kept.Since.ValueString())
	return r, d
}

// OpenRecord is Record, and nil for one that a human has closed.
func OpenRecord(ctx context.Context, data *meta.Data, kind guest.Kind, reconcile types.Object) (*stage.Record, diag.Diagnostics) {
	open, d := Record(ctx, kind, reconcile)
	if open != nil && data.Acknowledged[open.Token()] {
		return nil, d
	}
	return open, d
}

// RecordValue is the attribute reconcile for a record, null for nil.
func RecordValue(ctx context.Context, r *stage.Record) (types.Object, diag.Diagnostics) {
	if r == nil {
		return types.ObjectNull(ReconcileTypes), nil
	}
	kept := record{
		VMID: types.Int64Value(int64(r.Guest.VMID)), Node: types.StringValue(r.Guest.Node),
		Stage: types.StringValue(string(r.Stage)), Task: types.StringNull(),
		Exists: types.BoolPointerValue(r.Exists),
		Since:  types.StringValue(r.Since.UTC().Format(time.RFC3339)),
		Token:  types.StringValue(r.Token()),
	}
	if r.Task != "" {
		kept.Task = types.StringValue(r.Task)
	}
	return types.ObjectValueFrom(ctx, ReconcileTypes, kept)
}

// Settlement is what becomes of a record at the start of a read.
type Settlement int

// The settlements.
const (
	StaysOpen Settlement = iota
	Closed
	Signed // closed by a human
	Absent // closed, and the guest is proved to be gone
)

// SettleRecord settles an open record at the start of a read: a human has closed
// it, or Proxmox's own answers do. It is Closed when there is none.
func SettleRecord(ctx context.Context, data *meta.Data, life *lifecycle.Lifecycle, kind guest.Kind, reconcile types.Object, fingerprint string) (Settlement, diag.Diagnostics) {
	open, d := Record(ctx, kind, reconcile)
	switch {
	case d.HasError():
		return StaysOpen, d
	case open == nil:
		return Closed, d
	case data.Acknowledged[open.Token()]:
		return Signed, append(d, ending.Closed(*open))
	}
	settled, outcome := lifecycle.Settle(*open, life.Look(ctx, *open, fingerprint))
	switch outcome {
	case lifecycle.SettledPresent:
		return Closed, append(d, ending.Settled(settled, outcome))
	case lifecycle.SettledAbsent:
		return Absent, append(d, ending.Settled(settled, outcome))
	}
	// The token is that of the record in state: what was seen about the guest's
	// existence since does not change it.
	return StaysOpen, append(d, ending.Open(settled))
}

// Vouched is the fingerprint after a human has signed the record. A create that died
// before the guest had marks of its own leaves nothing to recognise it by: who signs
// has looked at it and vouches that it is this one.
func Vouched(fingerprint types.String) types.String {
	if known, err := lifecycle.ParseFingerprint(fingerprint.ValueString()); err == nil && !known.Complete() {
		return types.StringNull()
	}
	return fingerprint
}
