package container

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// Read is one request for an unchanged container, beside the listing that the
// whole process shares. It removes the resource from the state only when it is
// proved that nobody has its number.
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
		resp.Diagnostics.Append(guests.Outside(guest.LXC, m.id(), err))
		return
	}
	importing := m.Volumes.IsNull() && m.Fingerprint.IsNull()
	if proceed := r.readRecord(ctx, &m, resp); !proceed {
		return
	}
	f, err := r.find(ctx, m.id(), m.ref().Node)
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
