package archives

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// GoneError says that it is proved that an archive is not there.
type GoneError struct{ Volume string }

// Error names the archive.
func (e *GoneError) Error() string { return "there is no archive " + e.Volume }

// HiddenError says that an archive cannot be seen, which proves nothing: lists
// leave out without a word what one may not see.
type HiddenError struct {
	Volume string
	Needs  string // the privileges that would show it
	Err    error
}

// Error names the archive and what is missing.
func (e *HiddenError) Error() string {
	return fmt.Sprintf("the archive %s cannot be seen, which needs %s", e.Volume, e.Needs)
}

// Unwrap is what the storage said.
func (e *HiddenError) Unwrap() error { return e.Err }

// Find reads an archive, in one request if it is there. node is tried first. The
// error is a *GoneError only with proof and a *HiddenError when a privilege is
// missing that would show it.
func Find(ctx context.Context, data *meta.Data, node, volume string) (pve.VolumeInfo, string, error) {
	a, err := vzdump.ParseArchive(volume)
	if err != nil {
		return pve.VolumeInfo{}, node, err
	}
	node, err = NodeFor(ctx, data, a.Volume.Storage, node)
	if err != nil {
		return pve.VolumeInfo{}, node, err
	}
	info, err := data.Client.Volume(ctx, node, volume)
	refused, answered := errors.AsType[*pve.Error](err)
	if err == nil || !answered || refused.Status != 500 && !errors.Is(err, pve.ErrPermission) {
		return info, node, err
	}
	// Proxmox has no words for an archive that is not there: the list decides.
	rows, listErr := data.Client.Content(ctx, node, a.Volume.Storage, pve.ContentFilter{Type: "backup", VMID: a.VMID})
	if listErr != nil {
		return info, node, errors.Join(err, listErr)
	}
	if slices.ContainsFunc(rows, func(c pve.Content) bool { return c.VolID == volume }) {
		return info, node, err
	}
	sees, needs, permErr := Sees(ctx, data, a.Volume.Storage, a.VMID)
	switch {
	case permErr != nil:
		return info, node, errors.Join(err, permErr)
	case !sees:
		return info, node, &HiddenError{Volume: volume, Needs: needs, Err: err}
	}
	return info, node, &GoneError{Volume: volume}
}

// Sees reports whether the identity sees the archives of a guest on a storage,
// and what it needs for that. Source: PVE::Storage check_volume_access.
func Sees(ctx context.Context, data *meta.Data, storage string, id guest.VMID) (bool, string, error) {
	onStorage, onGuest := "/storage/"+storage, "/vms/"+id.String()
	needs := fmt.Sprintf("Datastore.AllocateSpace on %s and VM.Backup on %s", onStorage, onGuest)
	p, err := data.Client.Permissions(ctx, onStorage)
	if err != nil {
		return false, needs, err
	}
	if p.Has(onStorage, "Datastore.Allocate") {
		return true, needs, nil
	}
	if !p.Has(onStorage, "Datastore.AllocateSpace") {
		return false, needs, nil
	}
	p, err = data.Client.Permissions(ctx, onGuest)
	return err == nil && p.Has(onGuest, "VM.Backup"), needs, err
}

// NodeFor is a node that reaches a storage: the preferred one, if the listing does
// not say otherwise, else the first that does.
func NodeFor(ctx context.Context, data *meta.Data, storage, preferred string) (string, error) {
	rows, err := data.Guests.All(ctx)
	if err != nil {
		return preferred, err
	}
	var others []string
	known := false
	for _, row := range rows {
		if row.Type != "storage" || row.Storage != storage {
			continue
		}
		known = true
		switch {
		case row.Status != "available":
		case row.Node == preferred:
			return preferred, nil
		default:
			others = append(others, row.Node)
		}
	}
	slices.Sort(others)
	if preferred == "" && !known {
		// The storage is hidden from the listing: any node that is up may ask.
		others = onlineNodes(rows)
	}
	if len(others) > 0 && (preferred == "" || known && bool(shared(rows, storage))) {
		return others[0], nil
	}
	if preferred == "" {
		return "", fmt.Errorf("no node reaches storage %s now: %w", storage, pve.ErrUnreachable)
	}
	return preferred, nil
}

func shared(rows []pve.Resource, storage string) pve.Bool {
	i := slices.IndexFunc(rows, func(r pve.Resource) bool { return r.Type == "storage" && r.Storage == storage })
	return i >= 0 && rows[i].Shared
}
