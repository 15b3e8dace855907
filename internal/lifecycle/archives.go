package lifecycle

import (
	"context"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// archives looks for protected backups of the guest on every storage that its
// node can reach. A storage that hides its backups looks like an empty one, so
// a missing privilege is told.
func (l *Lifecycle) archives(ctx context.Context, f *Facts) {
	storages, err := l.client.Storages(ctx, f.Guest.Node)
	if err != nil {
		f.blind("whether protected backups of the guest exist", err)
		return
	}
	for _, s := range storages {
		if !s.Allows("backup") || !bool(s.Enabled) {
			continue
		}
		if !s.Active {
			f.Blind = append(f.Blind, "It could not be seen whether protected backups of the guest exist on storage "+s.Name+": it is not active.")
			continue
		}
		rows, err := l.client.Content(ctx, f.Guest.Node, s.Name, pve.ContentFilter{Type: "backup", VMID: f.Guest.VMID})
		if err != nil {
			f.blind("whether protected backups of the guest exist on storage "+s.Name, err)
			continue
		}
		for _, row := range rows {
			if row.Protected {
				f.Protected = append(f.Protected, row.VolID)
			}
		}
	}
	slices.Sort(f.Protected)
}
