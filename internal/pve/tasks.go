package pve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// TaskRow is a task in a list.
type TaskRow struct {
	UPID   UPID   `json:"upid"`
	Node   string `json:"node"`
	Type   string `json:"type"`
	ID     Text   `json:"id"`
	User   string `json:"user"` // without the token's name; UPID.User has it
	Start  Int    `json:"starttime"`
	End    Int    `json:"endtime"` // 0 while it runs
	Status string `json:"status"`  // the exit status
}

// Running reports whether the task had not ended when it was listed.
func (r TaskRow) Running() bool { return r.End == 0 }

// TaskFilter narrows a list of tasks; its zero value is all of them.
type TaskFilter struct {
	VMID  guest.VMID // tasks whose id is exactly this number
	Type  string     // such as vzcreate
	Since time.Time  // by the node's clock
}

// taskLimit is how many rows are asked for: Proxmox's default is 50, and it keeps
// some thousands.
const taskLimit = 1000

// Tasks lists tasks of a node, running and finished, newest first. Without
// Sys.Audit on the node only those of this very identity are shown.
func (c *Client) Tasks(ctx context.Context, node string, f TaskFilter) ([]TaskRow, error) {
	p := Params{"source": "all", "limit": fmt.Sprint(taskLimit)}
	if f.VMID != 0 {
		p["vmid"] = f.VMID.String()
	}
	if f.Type != "" {
		p["typefilter"] = f.Type
	}
	if !f.Since.IsZero() {
		p["since"] = fmt.Sprint(f.Since.Unix())
	}
	rows, err := call[[]TaskRow](ctx, c, get(p, "nodes", node, "tasks"))
	slices.SortStableFunc(rows, func(a, b TaskRow) int { return int(b.Start - a.Start) })
	return rows, err
}

// ClusterTasks lists the recent tasks of all nodes, those that run among them.
// Without Sys.Audit on / only those of this very identity are shown.
func (c *Client) ClusterTasks(ctx context.Context) ([]TaskRow, error) {
	return call[[]TaskRow](ctx, c, get(nil, "cluster", "tasks"))
}

// Lost is what could be found of a request whose answer was lost.
type Lost struct {
	// Task is the task that the request started; empty if none was found.
	Task UPID
	// Config is the guest's configuration; nil if there is no guest.
	Config *GuestConfig
	// Taken: the number is taken, whatever the rest says.
	Taken bool
}

// LostCall is a request whose answer was lost.
type LostCall struct {
	Guest guest.Ref // what it acted on
	Type  string    // the worker type of its task, such as vzcreate
	// TaskID is the id that the task carries if it is not the guest's number.
	TaskID string
	// Sent is ServerTime just before it was sent.
	Sent time.Time
}

// clockTolerance is how far the clocks of two nodes may be apart, and how exact the
// start of a task is.
const clockTolerance = 30 * time.Second

// FindLost looks for the effect of a request whose answer was lost: a task of this
// identity, type and id that began after the request was sent, the configuration of
// the guest, and whether its number is taken. Nothing found is no proof that nothing
// happened: the server may still be at it.
func (c *Client) FindLost(ctx context.Context, l LostCall) (Lost, error) {
	var found Lost
	rows, err := c.Tasks(ctx, l.Guest.Node, TaskFilter{Type: l.Type, Since: l.Sent.Add(-clockTolerance)})
	if err != nil {
		return found, err
	}
	id := l.TaskID
	if id == "" {
		id = l.Guest.VMID.String()
	}
	for _, row := range rows {
		if row.UPID.User() == c.user && row.UPID.ID() == id && row.UPID.Type() == l.Type {
			found.Task = row.UPID
			break
		}
	}
	if found.Taken, err = c.VMIDTaken(ctx, l.Guest.VMID); err != nil {
		return found, err
	}
	if !found.Taken {
		return found, nil
	}
	config, err := c.Config(ctx, l.Guest)
	if err == nil {
		found.Config = &config
		return found, nil
	}
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrPermission) {
		return found, nil // somebody else's: on another node, of the other kind, or hidden
	}
	return found, err
}
