package meta

import (
	"context"
	"slices"
	"sync"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// Listing is the answer of GET /cluster/resources, asked for once and shared by
// everything in the process, so that a refresh of N guests costs N + 1 requests.
//
// Rows lag behind by about ten seconds for name, status, template and sizes, and
// rows that the user may not audit are silently absent: a row is a hint where to
// look, its absence proves nothing.
type Listing struct {
	ask func(context.Context) ([]pve.Resource, error)

	mu    sync.Mutex
	rows  map[guest.VMID]pve.Resource
	all   []pve.Resource
	notes map[guest.VMID]Note
}

// Note is what this process did to a guest since the listing was asked for. It
// is laid over the row, which may be older.
type Note struct {
	Node   string // where the guest is now; empty when unchanged
	Status string // "running" or "stopped"; empty when unchanged
	Pool   *string
	Gone   bool
}

// NewListing shares the answers of ask.
func NewListing(ask func(context.Context) ([]pve.Resource, error)) *Listing {
	return &Listing{ask: ask, notes: map[guest.VMID]Note{}}
}

// Guest returns the row of a guest. ok is false when the listing has none.
// The context of whoever asks first is the context of the request.
func (l *Listing) Guest(ctx context.Context, id guest.VMID) (row pve.Resource, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.fill(ctx); err != nil {
		return pve.Resource{}, false, err
	}
	row, ok = l.rows[id]
	return l.noted(id, row, ok)
}

func (l *Listing) noted(id guest.VMID, row pve.Resource, ok bool) (pve.Resource, bool, error) {
	note, noted := l.notes[id]
	switch {
	case !noted:
		return row, ok, nil
	case note.Gone:
		return pve.Resource{}, false, nil
	case !ok:
		row = pve.Resource{VMID: pve.Int(id)}
	}
	if note.Node != "" {
		row.Node = note.Node
	}
	if note.Status != "" {
		row.Status = note.Status
	}
	if note.Pool != nil {
		row.Pool = *note.Pool
	}
	return row, ok || note.Node != "", nil
}

// All returns every row of the listing as the cluster sent it, without notes:
// guests, nodes, storages and pools.
func (l *Listing) All(ctx context.Context) ([]pve.Resource, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.fill(ctx); err != nil {
		return nil, err
	}
	return l.all, nil
}

// Templates returns the templates of either kind within a range, by number.
func (l *Listing) Templates(ctx context.Context, r vmidrange.Range) ([]pve.Resource, error) {
	all, err := l.All(ctx)
	if err != nil {
		return nil, err
	}
	var found []pve.Resource
	for _, row := range all {
		if ref, ok := row.Guest(); ok && bool(row.Template) && r.Contains(ref.VMID) {
			found = append(found, row)
		}
	}
	slices.SortFunc(found, func(a, b pve.Resource) int { return int(a.VMID - b.VMID) })
	return found, nil
}

func (l *Listing) fill(ctx context.Context) error {
	if l.rows != nil {
		return nil
	}
	all, err := l.ask(ctx)
	if err != nil {
		return err
	}
	l.all, l.rows = all, map[guest.VMID]pve.Resource{}
	for _, row := range all {
		if ref, ok := row.Guest(); ok {
			l.rows[ref.VMID] = row
		}
	}
	return nil
}

// Note records what this process did to a guest. Empty fields leave what was
// noted before.
func (l *Listing) Note(id guest.VMID, n Note) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.notes[id]
	if n.Node == "" {
		n.Node = before.Node
	}
	if n.Status == "" {
		n.Status = before.Status
	}
	if n.Pool == nil {
		n.Pool = before.Pool
	}
	l.notes[id] = n
}

// Forget drops the answer: the next question asks the cluster again. Notes are
// kept, because a fresh answer lags as well.
func (l *Listing) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows, l.all = nil, nil
}
