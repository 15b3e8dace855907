package pve

import (
	"context"
	"fmt"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Content is one volume on a storage.
type Content struct {
	VolID     string `json:"volid"`
	Content   string `json:"content"` // images, rootdir, vztmpl, iso, backup, snippets or import
	Format    string `json:"format"`
	Size      Int    `json:"size"` // bytes; 0 if the storage does not say
	Used      Int    `json:"used"` // bytes
	VMID      Int    `json:"vmid"` // the owner by name; 0 for none
	Parent    string `json:"parent"`
	CTime     Int    `json:"ctime"`   // seconds since 1970
	Notes     string `json:"notes"`   // the first line of them
	Subtype   string `json:"subtype"` // of a backup: qemu or lxc
	Protected Bool   `json:"protected"`
	Encrypted Text   `json:"encrypted"`
	Verify    struct {
		State string `json:"state"`
	} `json:"verification"`
}

// ContentFilter narrows a list of volumes; its zero value is everything.
type ContentFilter struct {
	Type string     // one content type
	VMID guest.VMID // volumes and backups of one guest
}

// Content lists volumes. Those that the identity may not see are missing without a
// word, and a type that the storage is not configured for is an empty list: an empty
// answer is no proof.
func (c *Client) Content(ctx context.Context, node, storage string, f ContentFilter) ([]Content, error) {
	p := Params{}
	if f.Type != "" {
		p["content"] = f.Type
	}
	if f.VMID != 0 {
		p["vmid"] = f.VMID.String()
	}
	return call[[]Content](ctx, c, get(p, "nodes", node, "storage", storage, "content"))
}

// VolumeInfo is one volume as its storage sees it.
type VolumeInfo struct {
	Path      string `json:"path"`
	Size      Int    `json:"size"` // bytes
	Used      Int    `json:"used"` // bytes
	Format    string `json:"format"`
	Notes     string `json:"notes"`
	Protected Bool   `json:"protected"`
}

// Volume reads one volume from its storage: the real size of a guest's disk, or the
// notes of a backup.
func (c *Client) Volume(ctx context.Context, node, volid string) (VolumeInfo, error) {
	return call[VolumeInfo](ctx, c, get(nil, volumePath(node, volid)...))
}

// volumePath is the path of a volume id STORAGE:NAME.
func volumePath(node, volid string) []any {
	storage, _, _ := strings.Cut(volid, ":")
	return []any{"nodes", node, "storage", storage, "content", volid}
}

// DeleteVolume frees a volume whoever uses it: Proxmox checks neither use nor
// existence. A protected backup fails in the task.
func (c *Client) DeleteVolume(ctx context.Context, node, volid string) (UPID, error) {
	return task(ctx, c, del(nil, volumePath(node, volid)...))
}

// AllocateVolume makes an empty volume and returns its id; sizeKiB is in KiB, which
// is what a bare number means there.
func (c *Client) AllocateVolume(ctx context.Context, node, storage, name string, owner guest.VMID, sizeKiB int64) (string, error) {
	volid, err := call[Text](ctx, c, post(Params{
		"filename": name, "vmid": owner.String(), "size": fmt.Sprint(sizeKiB),
	}, "nodes", node, "storage", storage, "content"))
	return string(volid), err
}
