package meta

import (
	"context"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// CheckSource returns nil when a guest may be cloned. A template lives outside of
// the boundary and may be cloned from there; any other guest outside is not ours.
// A guest that the listing does not show is left to the cluster to judge. The
// error is a *TemplateInsideError, an *OutsideError, an *UnreadableBoundaryError,
// or one of the listing.
func (d *Data) CheckSource(ctx context.Context, id guest.VMID) error {
	if err := d.Boundary.Err(); err != nil {
		return err
	}
	if !d.Boundary.Set() {
		return nil
	}
	row, listed, err := d.Guests.Guest(ctx, id)
	switch {
	case err != nil || !listed:
		return err
	case bool(row.Template):
		return d.Boundary.CheckTemplate(id)
	}
	return d.Boundary.Check(id)
}

// Holder says what holds a number that was refused, for people, by a fresh look
// at the cluster: `container "web" on node pve1`. It is empty when nothing can be
// seen under the number.
func (d *Data) Holder(ctx context.Context, id guest.VMID) string {
	d.Guests.Forget()
	if row, listed, err := d.Guests.Guest(ctx, id); err == nil && listed {
		return Describe(row)
	}
	return ""
}
