package lifecycle

import (
	"context"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Look asks Proxmox about the guest of an open record. fingerprint is the one
// that the state keeps.
func (l *Lifecycle) Look(ctx context.Context, r stage.Record, fingerprint string) Evidence {
	f := Facts{Guest: r.Guest}
	located := l.locate(ctx, &f) == nil
	l.tasks(ctx, &f)
	e := Evidence{Ended: l.ended(ctx, r, f)}
	if !located {
		return e
	}
	e.Present = &f.Present
	if !f.Present {
		e.VolumesLeft = l.volumesLeft(ctx, f.Guest)
		return e
	}
	e.Lock = f.Config.Values["lock"]
	if fingerprint != "" {
		e.Recognised = new(f.Recognise(fingerprint))
	}
	return e
}

// ended tells whether the record's operation has come to its end. A task that
// its node has forgotten, and a list that could not be read, tell nothing.
func (l *Lifecycle) ended(ctx context.Context, r stage.Record, f Facts) *bool {
	if len(f.Making) > 0 {
		return new(false)
	}
	if r.Task == "" {
		if len(f.Blind) > 0 {
			return nil
		}
		return new(true)
	}
	status, err := l.client.TaskStatus(ctx, pve.UPID(r.Task))
	if err != nil {
		return nil
	}
	return new(status.Status == "stopped")
}

// volumesLeft tells whether a storage of the node still lists a volume of the
// number. Listings leave out what the identity may not see, so only one that
// may audit every storage can say no.
func (l *Lifecycle) volumesLeft(ctx context.Context, ref guest.Ref) *bool {
	storages, err := l.client.Storages(ctx, ref.Node)
	if err != nil {
		return nil
	}
	sure := l.seesAllStorages(ctx)
	for _, s := range storages {
		if !s.Allows("images") && !s.Allows("rootdir") || !bool(s.Enabled) {
			continue
		}
		rows, err := l.client.Content(ctx, ref.Node, s.Name, pve.ContentFilter{VMID: ref.VMID})
		if err != nil || !bool(s.Active) {
			sure = false
			continue
		}
		if slices.ContainsFunc(rows, func(c pve.Content) bool {
			return guest.VMID(c.VMID) == ref.VMID && (c.Content == "images" || c.Content == "rootdir")
		}) {
			return new(true)
		}
	}
	if !sure {
		return nil
	}
	return new(false)
}

// seesAllStorages asks for a privilege that shows every storage.
func (l *Lifecycle) seesAllStorages(ctx context.Context) bool {
	const path = "/storage"
	p, err := l.client.Permissions(ctx, path)
	if err != nil {
		return false
	}
	return bool(p[path]["Datastore.Audit"]) || bool(p[path]["Datastore.AllocateSpace"])
}
