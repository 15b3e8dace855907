package lifecycle

import (
	"context"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Lifecycle works on the guests of one cluster. It is safe for concurrent use.
type Lifecycle struct {
	client *pve.Client
	now    func() time.Time
}

// New works through a client; now is the clock that records are dated by.
func New(client *pve.Client, now func() time.Time) *Lifecycle {
	return &Lifecycle{client: client, now: now}
}

// lookAfter is how long the looks after a failure may take together: they are
// made although the operation's own time may be over, because what exists has
// to be told.
const lookAfter = 30 * time.Second

// looking is a context for looks after a failure.
func looking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), lookAfter)
}
