package vm

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// Read is one request for an unchanged VM, beside the listing that the whole
// process shares, and one more if addresses are asked for. It removes the resource
// from the state only when it is proved that nobody has its number.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("vmid"), m.VMID)...)
	limit, d := m.Timeouts.Read(ctx, readTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	if err := r.data.Boundary.Check(m.id()); err != nil {
		resp.Diagnostics.Append(guests.Outside(guest.QEMU, m.id(), err))
		return
	}
	importing := m.Volumes.IsNull() && m.Fingerprint.IsNull()
	if !r.readRecord(ctx, &m, resp) {
		return
	}
	f, err := guests.Find(ctx, r.data, m.ref())
	if _, gone := errors.AsType[*guests.GoneError](err); gone && !importing {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.Append(guests.NotRead(m.ref(), err))
		return
	}
	if stranger := guests.Recognise(ctx, r.life(), f, m.Fingerprint); stranger != nil {
		resp.Diagnostics.Append(stranger)
		return
	}
	now, d := r.refresh(ctx, &m, f, guests.ReadSeen(ctx, req.Private))
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(now.Write(ctx, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// readRecord settles an open record; proceed is false when the read must end.
func (r *Resource) readRecord(ctx context.Context, m *model, resp *resource.ReadResponse) (proceed bool) {
	settlement, d := guests.SettleRecord(ctx, r.data, r.life(), guest.QEMU, m.Reconcile, m.Fingerprint.ValueString())
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
	m.Reconcile, d = guests.RecordValue(ctx, nil)
	resp.Diagnostics.Append(d...)
	return true
}
