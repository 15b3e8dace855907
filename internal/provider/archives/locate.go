package archives

import (
	"context"
	"fmt"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// UnknownGuestError says that the listing shows no guest of a number.
type UnknownGuestError struct {
	VMID  guest.VMID
	Taken bool // the cluster says that the number is in use all the same
}

// Error says what is known.
func (e *UnknownGuestError) Error() string {
	if e.Taken {
		return fmt.Sprintf("the number %d is in use, and the listing does not show the guest, which needs VM.Audit on /vms/%d", e.VMID, e.VMID)
	}
	return fmt.Sprintf("there is no guest %d in the cluster", e.VMID)
}

// Locate finds a guest of either kind in the listing that the whole process
// shares; one that is not in it is looked for in a fresh one. The error is an
// *UnknownGuestError, or that of the listing.
func Locate(ctx context.Context, data *meta.Data, id guest.VMID) (Guest, error) {
	for range 2 {
		row, listed, err := data.Guests.Guest(ctx, id)
		if err != nil {
			return Guest{}, err
		}
		if ref, ok := row.Guest(); listed && ok {
			return Guest{Ref: ref, Name: row.Name}, nil
		}
		data.Guests.Forget()
	}
	taken, err := data.Client.VMIDTaken(ctx, id)
	if err != nil {
		return Guest{}, err
	}
	return Guest{}, &UnknownGuestError{VMID: id, Taken: taken}
}
