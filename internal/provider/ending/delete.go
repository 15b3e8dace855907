package ending

import (
	"context"
	"fmt"
	"time"

	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// shutdownShare is the part of Delete's time that a guest may take to shut
// down before it is stopped, and shutdownMost the most of it.
const (
	shutdownShare = 4
	shutdownMost  = 3 * time.Minute
)

// Delete ends the guest. s is the state; marker is what the plan left, nil for
// a tainted object. The record is not nil if the guest is half destroyed: the
// caller puts it into state.
func Delete(ctx context.Context, life *lifecycle.Lifecycle, s Subject, marker *Marker, limit time.Duration) (*stage.Record, diag.Diagnostics) {
	op := blocker.Destroy
	if marker != nil {
		op = marker.Operation
		s.Needs, s.Wanted, s.Waived = marker.Subject.Needs, marker.Subject.Wanted, marker.Subject.Waived
	}
	e := s.ending(op)
	e.ShutdownLimit = min(limit/shutdownShare, shutdownMost)
	ended, err := life.End(ctx, e)
	var d diag.Diagnostics
	for _, w := range ended.Warnings {
		d.AddWarning(fmt.Sprintf("Proxmox warned while %s was destroyed", name(s.Guest)), w)
	}
	if ended.Gone {
		d.AddWarning(fmt.Sprintf("%s had been destroyed already", name(s.Guest)),
			fmt.Sprintf("The number %d does not belong to it any more, so there was nothing to do.", s.Guest.VMID))
	}
	if err == nil {
		return nil, d
	}
	d.Append(refused(op, s.Guest, err))
	if e, ok := errors.AsType[*lifecycle.Interrupted](err); ok {
		return &e.Record, d
	}
	return nil, d
}
