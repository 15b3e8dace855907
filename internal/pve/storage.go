package pve

import (
	"context"
	"errors"
	"slices"
)

// StorageStatus is a storage as one node sees it. Sizes are bytes and 0 when it is
// not active.
type StorageStatus struct {
	Name    string `json:"storage"`
	Type    string `json:"type"` // dir, lvmthin, zfspool, pbs, …
	Content string `json:"content"`
	Enabled Bool   `json:"enabled"` // enabled, and allowed on this node
	Active  Bool   `json:"active"`  // reachable now
	Shared  Bool   `json:"shared"`
	Total   Int    `json:"total"`
	Used    Int    `json:"used"`
	Avail   Int    `json:"avail"`
}

// ContentTypes is the content as a sorted list.
func (s StorageStatus) ContentTypes() []string { return contentTypes(s.Content) }

// Allows reports whether a storage may hold a content type such as rootdir, images,
// vztmpl, iso, backup, snippets or import.
func (s StorageStatus) Allows(content string) bool {
	return slices.Contains(s.ContentTypes(), content)
}

// Storages lists the storages of the cluster as a node sees them, disabled ones
// too. Those without Datastore.Audit or Datastore.AllocateSpace are missing without
// a word.
func (c *Client) Storages(ctx context.Context, node string) ([]StorageStatus, error) {
	return call[[]StorageStatus](ctx, c, get(nil, "nodes", node, "storage"))
}

// Storage reads one storage; ErrNoSuch if there is none of this name, and
// ErrPermission if it may not be seen.
func (c *Client) Storage(ctx context.Context, node, storage string) (StorageStatus, error) {
	s, err := call[StorageStatus](ctx, c, get(nil, "nodes", node, "storage", storage, "status"))
	s.Name = storage
	if missing, ok := errors.AsType[*NoSuchError](err); ok && missing.Name == "" {
		missing.Name = storage // "No such storage." does not repeat it
	}
	return s, err
}
