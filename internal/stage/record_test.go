package stage_test

import (
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

func record() stage.Record {
	return stage.Record{
		Guest: guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001},
		Stage: stage.Create,
		Task:  "UPID:pve1:0000C350:0001E240:6AC1B2D3:vzcreate:5001:root@pam!tf:",
		Since: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC),
	}
}

func TestStory(t *testing.T) {
	t.Parallel()
	const head = `An operation on container 5001 on node pve1 died at stage "create" on 2026-07-01T12:00:00Z. `
	const task = ` Its task was UPID:pve1:0000C350:0001E240:6AC1B2D3:vzcreate:5001:root@pam!tf:.`
	for name, tc := range map[string]struct {
		exists *bool
		want   string
	}{
		"could not be determined": {nil, head + "Whether container 5001 exists could not be determined; its number must not be taken for free." + task},
		"exists":                  {new(true), head + "A container 5001 exists, possibly incomplete." + task},
		"does not exist":          {new(false), head + "No guest with the number 5001 exists." + task},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := record()
			r.Exists = tc.exists
			if got := r.Story(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestTokenBelongsToOneRecord(t *testing.T) {
	t.Parallel()
	base := record()
	if got, want := base.Token(), "5001-create-"; len(got) != len(want)+8 || got[:len(want)] != want {
		t.Fatalf("token %q", got)
	}
	for name, change := range map[string]func(*stage.Record){
		"another guest": func(r *stage.Record) { r.Guest.VMID++ },
		"another node":  func(r *stage.Record) { r.Guest.Node = "pve2" },
		"another stage": func(r *stage.Record) { r.Stage = stage.Start },
		"another task":  func(r *stage.Record) { r.Task = "" },
		"a later time":  func(r *stage.Record) { r.Since = r.Since.Add(time.Second) },
	} {
		r := record()
		change(&r)
		if r.Token() == base.Token() {
			t.Errorf("%s has the same token", name)
		}
	}
	looked := record()
	looked.Exists = new(true)
	looked.Since = looked.Since.In(time.FixedZone("", 3600))
	if looked.Token() != base.Token() {
		t.Error("a later look at the same record changed its token")
	}
}
