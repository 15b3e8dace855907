package meta_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// cluster holds guests; hidden ones are not listed, as without VM.Audit.
type cluster struct {
	mu      sync.Mutex
	guests  map[guest.VMID]bool
	hidden  map[guest.VMID]bool
	content map[string][]pve.Content // "storage on node"
	failing map[string]error
	tasks   []pve.TaskRow
	storage []pve.Resource

	asked     []string
	questions int // of VMIDTaken
}

func (c *cluster) rows(context.Context) ([]pve.Resource, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, "rows")
	rows := slices.Clone(c.storage)
	for id := range c.guests {
		rows = append(rows, pve.Resource{Type: "lxc", VMID: pve.Int(id), Node: "pve1", Name: "web"})
	}
	return rows, nil
}

func (c *cluster) look(_ context.Context, node, storage string, _ pve.ContentFilter) ([]pve.Content, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := storage + " on " + node
	c.asked = append(c.asked, key)
	return c.content[key], c.failing[key]
}

func (c *cluster) running(context.Context) ([]pve.TaskRow, error) { return c.tasks, nil }

func (c *cluster) taken(_ context.Context, id guest.VMID) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.questions++
	return c.guests[id] || c.hidden[id], nil
}

// create is what the cluster's own create does with a number: the arbiter.
func (c *cluster) create(_ context.Context, id guest.VMID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.guests[id] || c.hidden[id] {
		return exists(id)
	}
	c.guests[id] = true
	return nil
}

func (c *cluster) survey() *meta.Survey {
	return meta.NewSurvey(meta.NewListing(c.rows), meta.Sources{Content: c.look, Tasks: c.running})
}

func (c *cluster) data(boundary string) *meta.Data {
	b := meta.NewBoundary(boundary, fromProvider)
	return &meta.Data{Boundary: b, VMIDs: meta.NewAllocator(b, c.survey(), c.taken)}
}

func exists(id guest.VMID) error {
	return fmt.Errorf("%w: %w", pve.ErrExists, &pve.ExistsError{VMID: id, Kind: guest.LXC})
}

func TestAllocatorGivesTheLowestNumberThatNothingHolds(t *testing.T) {
	t.Parallel()
	c := &cluster{
		guests: map[guest.VMID]bool{5000: true},
		storage: []pve.Resource{
			{Type: "storage", Node: "pve1", Storage: "local-lvm", Content: "images,rootdir", Status: "available"},
			{Type: "storage", Node: "pve1", Storage: "local", Content: "iso,backup", Status: "available"},
		},
		content: map[string][]pve.Content{
			"local-lvm on pve1": {{VolID: "local-lvm:vm-5001-disk-0", VMID: 5001}},
			"local on pve1":     {{VolID: "local:backup/vzdump-lxc-5003-2026_11_29-12_00_00.tar.zst", VMID: 5003}, {VolID: "local:iso/debian.iso"}},
		},
		tasks: []pve.TaskRow{{UPID: "UPID:pve1:1", ID: "5004"}, {UPID: "UPID:pve1:2", ID: "5005", End: 1}, {UPID: "UPID:pve1:3", ID: ""}},
	}
	data := c.data("5000-5009")
	data.VMIDs.Reserve(vmidrange.SetOf(5006))
	var got []guest.VMID
	for range 4 {
		id, err := data.VMIDs.Allocate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, id)
	}
	if want := []guest.VMID{5002, 5005, 5007, 5008}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if c.questions != 0 || len(c.asked) != 3 {
		t.Errorf("%d questions about single numbers; asked %v", c.questions, c.asked)
	}
	if id, err := data.VMIDs.Allocate(t.Context()); id != 5009 || err != nil {
		t.Errorf("the last number: %d, %v", id, err)
	}
	_, err := data.VMIDs.Allocate(t.Context())
	if got := text(err); got != "this range is full, from 5000 to 5009" {
		t.Error(got)
	}
}

func TestAllocatorNeedsABoundaryThatCanBeRead(t *testing.T) {
	t.Parallel()
	c := &cluster{guests: map[guest.VMID]bool{}}
	for _, b := range []meta.Boundary{{}, meta.NewBoundary("", fromProvider), meta.NewBoundary("5000", fromProvider), meta.UnknownBoundary(fromProvider)} {
		id, err := meta.NewAllocator(b, c.survey(), c.taken).Allocate(t.Context())
		if id != 0 || err == nil || b.Set() == errors.Is(err, meta.ErrNoBoundary) {
			t.Errorf("%+v gives %d, %v", b, id, err)
		}
	}
	if len(c.asked) != 0 || c.questions != 0 {
		t.Errorf("the cluster was asked %v", c.asked)
	}
}

func TestACollisionLeadsToTheNextNumber(t *testing.T) {
	t.Parallel()
	c := &cluster{guests: map[guest.VMID]bool{}, hidden: map[guest.VMID]bool{5000: true, 5001: true, 5002: true}}
	id, err := c.data("5000-5009").WithNumber(t.Context(), c.create)
	if id != 5003 || err != nil {
		t.Errorf("got %d, %v", id, err)
	}
	if c.questions != 3 { // 5000 collided; 5001, 5002 and 5003 were asked about
		t.Errorf("%d questions about single numbers", c.questions)
	}
}

func TestOnlyExistsLeadsToTheNextNumber(t *testing.T) {
	t.Parallel()
	for _, answer := range []error{pve.ErrAmbiguous, pve.ErrPermission, pve.ErrLockTimeout, pve.ErrUnreachable, pve.ErrExists, exists(5001), context.Canceled} {
		c := &cluster{guests: map[guest.VMID]bool{}}
		calls := 0
		id, err := c.data("5000-5009").WithNumber(t.Context(), func(context.Context, guest.VMID) error {
			calls++
			return answer
		})
		if calls != 1 || id != 5000 || !errors.Is(err, answer) {
			t.Errorf("%v: %d calls, number %d, %v", answer, calls, id, err)
		}
	}
}

func TestTenCollisionsAreEnough(t *testing.T) {
	t.Parallel()
	c := &cluster{guests: map[guest.VMID]bool{}}
	calls := 0
	_, err := c.data("5000-8999").WithNumber(t.Context(), func(_ context.Context, id guest.VMID) error {
		calls++
		return exists(id)
	})
	if got, want := text(err), "10 numbers of the range 5000-8999 in a row turned out to be taken, the last was 5009"; got != want || calls != 10 {
		t.Errorf("%d calls, %q", calls, got)
	}
	if e, ok := errors.AsType[*meta.CollisionError](err); !ok || !errors.Is(e.Err, pve.ErrExists) || errors.Is(err, pve.ErrExists) {
		t.Errorf("%#v is to carry what the cluster said, and not to be it", err)
	}
}

func TestParallelCreatesNeverShareANumber(t *testing.T) {
	t.Parallel()
	c := &cluster{guests: map[guest.VMID]bool{}, hidden: map[guest.VMID]bool{}}
	want := map[guest.VMID]bool{}
	for id := guest.VMID(5000); id < 5200; id++ {
		switch id % 5 {
		case 0:
			c.guests[id] = true
		case 1:
			c.hidden[id] = true
		}
	}
	// Two processes with 20 creates at a time, 40 each.
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range 2 {
		data := c.data("5000-5999")
		slots := make(chan struct{}, 20)
		for range 40 {
			wait.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				id, err := data.WithNumber(t.Context(), c.create)
				mu.Lock()
				defer mu.Unlock()
				if err != nil || want[id] || id%5 < 2 && id < 5200 {
					t.Errorf("number %d: %v", id, err)
				}
				want[id] = true
			})
		}
	}
	wait.Wait()
	if len(want) != 80 {
		t.Errorf("%d different numbers for 80 guests", len(want))
	}
}

func TestSurveySaysWhatHoldsANumber(t *testing.T) {
	t.Parallel()
	row := func(storage, node, status string, shared bool) pve.Resource {
		return pve.Resource{Type: "storage", Node: node, Storage: storage, Content: "rootdir,images", Status: status, Shared: pve.Bool(shared)}
	}
	c := &cluster{
		storage: []pve.Resource{
			{Type: "qemu", VMID: 9000, Node: "pve2", Name: "debian", Template: true},
			{Type: "qemu", VMID: 8000, Node: "pve2", Template: true},
			{Type: "qemu", VMID: 5001, Node: "pve2", Name: "db"},
			row("nfs", "pve2", "available", true), row("nfs", "pve1", "available", true),
			row("lvm", "pve1", "available", false), row("lvm", "pve2", "available", false), row("lvm", "pve3", "unknown", false),
			row("ceph", "pve1", "unknown", true), row("ceph", "pve2", "available", true),
			row("gone", "pve1", "available", false),
			{Type: "storage", Node: "pve1", Storage: "isos", Content: "iso,vztmpl", Status: "available"},
		},
		content: map[string][]pve.Content{
			"nfs on pve1": {{VolID: "nfs:5001/vm-5001-disk-0.raw", VMID: 5001}, {VolID: "nfs:5002/vm-5002-disk-1.raw", VMID: 5002}, {VolID: "nfs:5002/vm-5002-disk-0.raw", VMID: 5002}},
		},
		failing: map[string]error{"gone on pve1": fmt.Errorf("595: %w", pve.ErrUnreachable)},
		tasks:   []pve.TaskRow{{UPID: "UPID:pve1:1:vzcreate", ID: "5003"}},
	}
	held, err := c.survey().Held(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := held.Taken().String(); got != "5001-5003,8000,9000" {
		t.Errorf("taken: %s", got)
	}
	for id, want := range map[guest.VMID]string{
		5001: `VM "db" on node pve2`, 5002: "the volume nfs:5002/vm-5002-disk-0.raw", 5003: "the running task UPID:pve1:1:vzcreate",
		8000: "template on node pve2", 9000: `template "debian" on node pve2`, 5004: "",
	} {
		if got, taken := held.Holder(id); got != want || taken != (want != "") {
			t.Errorf("%d is held by %q", id, got)
		}
	}
	templates, err := meta.NewListing(c.rows).Templates(t.Context(), vmidrange.Range{Start: 5000, End: 9000})
	if err != nil || len(templates) != 2 || templates[0].VMID != 8000 {
		t.Errorf("templates: %v, %v", templates, err)
	}
	if want := []string{"gone on pve1", "lvm on pve3"}; !slices.Equal(held.Unseen, want) {
		t.Errorf("unseen: %q", held.Unseen)
	}
	slices.Sort(c.asked)
	c.asked = slices.Compact(c.asked)
	if want := []string{"ceph on pve2", "gone on pve1", "lvm on pve1", "lvm on pve2", "nfs on pve1", "rows"}; !slices.Equal(c.asked, want) {
		t.Errorf("asked %q", c.asked)
	}
}

func TestWhatWasSeenTakenStaysTaken(t *testing.T) {
	t.Parallel()
	c := &cluster{guests: map[guest.VMID]bool{5000: true}}
	survey := c.survey()
	if _, err := survey.Held(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.guests = map[guest.VMID]bool{5001: true}
	if held, _ := survey.Held(t.Context()); held.Taken().String() != "5000" || len(c.asked) != 1 {
		t.Errorf("Held asked again: %v", c.asked)
	}
	if held, err := survey.Look(t.Context()); err != nil || held.Taken().String() != "5000-5001" {
		t.Errorf("a second look: %q, %v", held.Taken(), err)
	}
}

func TestAStorageThatRefusesIsAnError(t *testing.T) {
	t.Parallel()
	c := &cluster{
		storage: []pve.Resource{{Type: "storage", Node: "pve1", Storage: "lvm", Content: "images", Status: "available"}},
		failing: map[string]error{"lvm on pve1": pve.ErrPermission},
	}
	if _, err := c.survey().Held(t.Context()); !errors.Is(err, pve.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

func TestRangesMeetOnce(t *testing.T) {
	t.Parallel()
	plan := func(start, end guest.VMID, names ...string) meta.PlannedRange {
		return meta.PlannedRange{Range: vmidrange.Range{Start: start, End: end}, Names: names}
	}
	ranges := meta.NewRanges()
	for _, step := range []struct {
		key string
		p   meta.PlannedRange
		err string
	}{
		{"a", plan(5000, 5999), ""},
		{"a", plan(5000, 6999), ""}, // the same range, planned again
		{"b", plan(7000, 7999), ""},
		{"", plan(6999, 6999, "web"), "the range 6999-6999 overlaps the range 5000-6999"},
		{"", plan(6999, 6999), "the range 6999-6999 overlaps the range 5000-6999"},
		{"a", plan(5000, 5999), ""},
		{"b", plan(6000, 7999), "the range 6000-7999 overlaps the range 6999-6999"},
	} {
		if got := text(ranges.Plan(step.key, step.p)); got != step.err {
			t.Errorf("%q %v: %q", step.key, step.p, got)
		}
	}
}
