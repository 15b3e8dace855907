package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// setRecord opens the record of an operation that stopped half-way, or closes it
// with nil.
func (m *model) setRecord(ctx context.Context, r *stage.Record) diag.Diagnostics {
	kept, d := guests.RecordValue(ctx, r)
	m.Reconcile = kept
	return d
}

// readRecord settles an open record at the start of a read. proceed is false
// when the read must end here: the record stays open, or the container was
// proved to be gone.
func (r *Resource) readRecord(ctx context.Context, m *model, resp *resource.ReadResponse) (proceed bool) {
	settlement, d := guests.SettleRecord(ctx, r.data, r.life(), guest.LXC, m.Reconcile, m.Fingerprint.ValueString())
	resp.Diagnostics.Append(d...)
	switch settlement {
	case guests.Absent:
		resp.State.RemoveResource(ctx)
		return false
	case guests.StaysOpen:
		return false
	case guests.Signed:
		m.Fingerprint = guests.Vouched(m.Fingerprint)
	}
	resp.Diagnostics.Append(m.setRecord(ctx, nil)...)
	return true
}
