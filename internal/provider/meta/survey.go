package meta

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// Sources are what a survey asks beside the listing. All of them are reads.
type Sources struct {
	// Content lists what is on a storage, as one node sees it.
	Content func(ctx context.Context, node, storage string, f pve.ContentFilter) ([]pve.Content, error)
	// Tasks lists the tasks of the cluster.
	Tasks func(context.Context) ([]pve.TaskRow, error)
}

// Holdings say which numbers are taken on the cluster, and by what.
type Holdings struct {
	by     map[guest.VMID]string
	Unseen []string // storages that could not be looked into, as "id on node"; sorted
}

// Taken is every number that something holds.
func (h Holdings) Taken() vmidrange.Set { return vmidrange.SetOf(slices.Collect(maps.Keys(h.by))...) }

// Holder is what holds a number, for people, for example `container "web" on node pve1`.
func (h Holdings) Holder(id guest.VMID) (what string, taken bool) {
	what, taken = h.by[id]
	return what, taken
}

// hold keeps the first holder of a number: guests come before what they left.
func (h *Holdings) hold(id guest.VMID, what string) {
	if _, held := h.by[id]; !held && id != 0 {
		h.by[id] = what
	}
}

// Survey finds out which numbers of the cluster are taken: by guests of either
// kind, by running tasks, by volumes and by backups. What it has seen taken once
// in this process stays taken.
type Survey struct {
	guests *Listing
	ask    Sources

	mu   sync.Mutex
	last *Holdings
}

// NewSurvey looks at the cluster through the shared listing and the sources.
func NewSurvey(guests *Listing, ask Sources) *Survey { return &Survey{guests: guests, ask: ask} }

// Held is the answer of the first look in this process.
func (s *Survey) Held(ctx context.Context) (Holdings, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != nil {
		return *s.last, nil
	}
	return s.look(ctx)
}

// Look asks the cluster again, for the shared listing as well.
func (s *Survey) Look(ctx context.Context) (Holdings, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guests.Forget()
	return s.look(ctx)
}

func (s *Survey) look(ctx context.Context) (Holdings, error) {
	rows, err := s.guests.All(ctx)
	if err != nil {
		return Holdings{}, err
	}
	tasks, err := s.ask.Tasks(ctx)
	if err != nil {
		return Holdings{}, err
	}
	h := Holdings{by: map[guest.VMID]string{}}
	for _, row := range rows {
		h.hold(guest.VMID(row.VMID), Describe(row))
	}
	for _, task := range tasks {
		if id, err := guest.ParseVMID(string(task.ID)); err == nil && task.Running() {
			h.hold(id, "the running task "+string(task.UPID))
		}
	}
	if err := s.leftovers(ctx, rows, &h); err != nil {
		return Holdings{}, err
	}
	if s.last != nil {
		for id, what := range s.last.by {
			h.hold(id, what)
		}
	}
	s.last = &h
	return h, nil
}

// Describe names a guest of the listing, for example `container "web" on node pve1`.
func Describe(row pve.Resource) string {
	noun := guest.Kind(row.Type).Noun()
	if row.Template {
		noun = "template"
	}
	if row.Name != "" {
		noun += fmt.Sprintf(" %q", row.Name)
	}
	return noun + " on node " + row.Node
}

// leftovers looks into every storage that may hold volumes or backups, a shared
// one through the first node that sees it.
func (s *Survey) leftovers(ctx context.Context, rows []pve.Resource, h *Holdings) error {
	seen, unseen := storages(rows)
	answers := make([][]pve.Content, len(seen))
	failures := make([]error, len(seen))
	var wait sync.WaitGroup
	for i, row := range seen {
		wait.Go(func() { answers[i], failures[i] = s.ask.Content(ctx, row.Node, row.Storage, pve.ContentFilter{}) })
	}
	wait.Wait()
	for i, row := range seen {
		// A node that went down since the listing takes its local storages along.
		if errors.Is(failures[i], pve.ErrUnreachable) {
			unseen = append(unseen, row.Storage+" on "+row.Node)
			continue
		}
		if failures[i] != nil {
			return failures[i]
		}
		slices.SortFunc(answers[i], func(a, b pve.Content) int { return strings.Compare(a.VolID, b.VolID) })
		for _, v := range answers[i] {
			h.hold(guest.VMID(v.VMID), "the volume "+v.VolID)
		}
	}
	slices.Sort(unseen)
	h.Unseen = unseen
	return nil
}

// storages picks the rows to look into, sorted, and names those that cannot be
// looked into now.
func storages(rows []pve.Resource) (seen []pve.Resource, unseen []string) {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b pve.Resource) int {
		return strings.Compare(a.Storage+"\x00"+a.Node, b.Storage+"\x00"+b.Node)
	})
	shared := map[string]bool{} // storage → looked into
	for _, row := range rows {
		switch {
		case row.Type != "storage" || !holdsGuestData(row):
		case row.Status != "available":
			unseen = append(unseen, row.Storage+" on "+row.Node)
		case bool(row.Shared) && shared[row.Storage]:
		default:
			shared[row.Storage] = bool(row.Shared)
			seen = append(seen, row)
		}
	}
	return seen, slices.DeleteFunc(unseen, func(name string) bool {
		storage, _, _ := strings.Cut(name, " on ")
		return shared[storage]
	})
}

func holdsGuestData(row pve.Resource) bool {
	return slices.ContainsFunc(row.ContentTypes(), func(kind string) bool {
		return kind == "images" || kind == "rootdir" || kind == "backup"
	})
}
