package lifecycle

import (
	"context"
	"errors"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// thickStorages take a volume's whole size at once. All others may be promised
// more than they have.
var thickStorages = map[string]bool{"lvm": true}

// Check asks the node for everything that the next guest needs. The error is a
// *Lacking. What cannot be seen is not held against the plan: the create is
// the judge of it.
func (l *Lifecycle) Check(ctx context.Context, n Needs, f Facts) error {
	if lacks := n.Missing(l.supply(ctx, n, f)); len(lacks) > 0 {
		return &Lacking{Guest: f.Guest, Lacks: lacks}
	}
	return nil
}

func (l *Lifecycle) supply(ctx context.Context, n Needs, f Facts) Supply {
	s := Supply{Root: l.client.IsRoot()}
	if version, err := l.client.Version(ctx); err == nil {
		major, _, _ := strings.Cut(version.Version, ".")
		s.Modern = major != "8" && major != "7"
	}
	if storages, err := l.client.Storages(ctx, n.Node); err == nil {
		s.Storages = rooms(storages, f)
	}
	if n.Template != "" {
		s.Templates = l.templates(ctx, n)
	}
	if n.Source != nil {
		s.Source = l.Exists(ctx, *n.Source)
	}
	s.Volumes, s.Erased = l.volumes(ctx, n), erased(f)
	if len(n.Bridges) > 0 {
		if bridges, err := l.client.Bridges(ctx, n.Node); err == nil {
			s.Bridges = map[string]bool{}
			for _, b := range bridges {
				s.Bridges[b.Name] = true
			}
		}
	}
	if n.Pool != "" {
		if pools, err := l.client.Pools(ctx); err == nil {
			s.Pools = map[string]bool{}
			for _, p := range pools {
				s.Pools[p.ID] = true
			}
		}
	}
	s.Privileges = l.privileges(ctx, n, s)
	return s
}

func rooms(storages []pve.StorageStatus, f Facts) map[string]Room {
	list := map[string]Room{}
	for _, s := range storages {
		list[s.Name] = Room{
			Active: bool(s.Active), Content: s.ContentTypes(), Thick: thickStorages[s.Type],
			Free: bytesize.Size(s.Avail), Freed: freed(f, s.Name),
		}
	}
	return list
}

// freed adds up what the destroy frees on a storage, by the smaller reading.
func freed(f Facts, storage string) bytesize.Size {
	var sum bytesize.Size
	for _, e := range f.Entries {
		if e.Label != datalabel.Erased || e.ID.Storage != storage {
			continue
		}
		if stored, err := bytesize.ParseStored(e.Size); err == nil {
			sum += stored.Smaller()
		}
	}
	return sum
}

func erased(f Facts) map[string]bool {
	ids := map[string]bool{}
	for _, e := range f.Entries {
		if e.Label == datalabel.Erased {
			ids[e.ID.String()] = true
		}
	}
	return ids
}

// volumes looks for the volumes that mount points name; what cannot be seen is
// left out.
func (l *Lifecycle) volumes(ctx context.Context, n Needs) map[string]bool {
	found := map[string]bool{}
	for _, id := range n.Volumes {
		_, err := l.client.Volume(ctx, n.Node, id)
		switch {
		case err == nil:
			found[id] = true
		case errors.Is(err, pve.ErrNoSuch):
			found[id] = false
		}
	}
	return found
}

// templates looks for the template on its storage; nil if that cannot be seen.
func (l *Lifecycle) templates(ctx context.Context, n Needs) map[string]bool {
	storage, _, ok := strings.Cut(n.Template, ":")
	if !ok {
		return nil
	}
	rows, err := l.client.Content(ctx, n.Node, storage, pve.ContentFilter{})
	if err != nil {
		return nil
	}
	found := map[string]bool{}
	for _, row := range rows {
		found[row.VolID] = true
	}
	return found
}

// privileges reads the identity's own, path by path; nil if one of them cannot
// be read.
func (l *Lifecycle) privileges(ctx context.Context, n Needs, s Supply) map[string]map[string]bool {
	if s.Root {
		return nil
	}
	held := map[string]map[string]bool{}
	for _, g := range n.privileges(s.Modern) {
		for _, path := range g.paths {
			if held[path] != nil {
				continue
			}
			p, err := l.client.Permissions(ctx, path)
			if err != nil {
				return nil
			}
			held[path] = map[string]bool{}
			for name := range p[path] {
				held[path][name] = true
			}
		}
	}
	return held
}
