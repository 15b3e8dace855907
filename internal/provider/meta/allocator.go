package meta

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// Allocator gives out VMIDs to guests whose configuration names none.
type Allocator interface {
	// Allocate returns the lowest number of the boundary that nothing holds and
	// that was not given out before in this process. The error is ErrNoBoundary, a
	// *vmidrange.FullError, or one of the boundary or the client.
	Allocate(ctx context.Context) (guest.VMID, error)
	// Taken tells the allocator that a number turned out to be in use.
	Taken(id guest.VMID)
	// Reserve keeps numbers back: those that a proxmox_vmid_range gave out once, and
	// those that configurations name.
	Reserve(ids vmidrange.Set)
}

// ErrNoBoundary says that a guest has no number and the provider no range to
// take one from.
var ErrNoBoundary = errors.New("the guest has no vmid and the provider no vmid_range to take one from")

// NewAllocator gives out numbers of the boundary. What the survey does not see
// counts as free, and the cluster's create is the arbiter. After the first number
// that turned out to be in use the cluster is asked about each number as well,
// because then the survey misses guests: those that the user may not audit, and
// those made since.
func NewAllocator(b Boundary, survey *Survey, taken func(context.Context, guest.VMID) (bool, error)) Allocator {
	return &lowestFree{boundary: b, survey: survey, taken: taken, next: b.Range.Start, out: map[guest.VMID]bool{}}
}

type lowestFree struct {
	boundary Boundary
	survey   *Survey
	taken    func(context.Context, guest.VMID) (bool, error)

	mu       sync.Mutex
	next     guest.VMID          // below it nothing is free: what is taken stays taken
	out      map[guest.VMID]bool // given out, or turned out to be in use
	reserved vmidrange.Set
	careful  bool
}

func (a *lowestFree) Taken(id guest.VMID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.out[id] = true
	a.careful = true
}

func (a *lowestFree) Reserve(ids vmidrange.Set) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reserved = a.reserved.Union(ids)
}

func (a *lowestFree) Allocate(ctx context.Context) (guest.VMID, error) {
	if err := a.boundary.Err(); err != nil {
		return 0, err
	}
	if !a.boundary.Set() {
		return 0, ErrNoBoundary
	}
	held, err := a.survey.Held(ctx)
	if err != nil {
		return 0, err
	}
	for {
		id, careful, ok := a.draw(held)
		if !ok {
			return 0, &vmidrange.FullError{Range: a.boundary.Range}
		}
		if !careful {
			return id, nil
		}
		// Asked without the lock: others draw meanwhile, and never this number.
		if taken, err := a.taken(ctx, id); err != nil || !taken {
			return id, err
		}
	}
}

// draw takes the next number that nothing holds out of the pot.
func (a *lowestFree) draw(held Holdings) (id guest.VMID, careful, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for ; a.next <= a.boundary.Range.End; a.next++ {
		if _, taken := held.Holder(a.next); taken || a.out[a.next] || a.reserved.Contains(a.next) {
			continue
		}
		a.out[a.next] = true
		return a.next, a.careful, true
	}
	return 0, false, false
}

// Tries is how many numbers one guest tries before its creation gives up.
const Tries = 10

// CollisionError says that as many numbers as a guest may try turned out to be
// taken. Somebody else creates guests in the same range at this moment, or the
// user may not see what is there. It is no pve.ErrExists: no single number is
// what is wrong.
type CollisionError struct {
	Range vmidrange.Range
	Tried []guest.VMID
	Err   error // what the cluster said of the last one
}

// Error names the range and the last number.
func (e *CollisionError) Error() string {
	return fmt.Sprintf("%d numbers of the range %s in a row turned out to be taken, the last was %d", len(e.Tried), e.Range, e.Tried[len(e.Tried)-1])
}

// WithNumber creates a guest under the lowest free number of the boundary. Only
// the answer that this very number exists already (*pve.ExistsError) leads to the
// next one: after any other error a guest of ours may be there. The number is 0 when none was
// tried; the error is one of Allocate, one of create, or a *CollisionError.
func (d *Data) WithNumber(ctx context.Context, create func(context.Context, guest.VMID) error) (guest.VMID, error) {
	var tried []guest.VMID
	for {
		id, err := d.VMIDs.Allocate(ctx)
		if err != nil {
			return 0, err
		}
		err = create(ctx, id)
		if taken, ok := errors.AsType[*pve.ExistsError](err); !ok || taken.VMID != id {
			return id, err
		}
		d.VMIDs.Taken(id)
		if tried = append(tried, id); len(tried) == Tries {
			return 0, &CollisionError{Range: d.Boundary.Range, Tried: tried, Err: err}
		}
	}
}
