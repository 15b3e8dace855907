package pve

import (
	"context"
	"fmt"
	"net/http"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// NothingToDoError says that vzdump answered "OK" instead of a task: none of the
// guests is on the node. Source: PVE::API2::VZDump vzdump.
type NothingToDoError struct{ Node, VMIDs string }

func (e *NothingToDoError) Error() string {
	return fmt.Sprintf("node %s holds none of the guests to back up (%s), so no backup was started", e.Node, e.VMIDs)
}

// Backup starts a vzdump of guests on their node; p has Proxmox's own parameters.
// The storage is not checked before the task runs, and a failure of any guest ends
// the task with "job errors": the reason is in its log only. The error is a
// *NothingToDoError when the guests are on another node. Needs VM.Backup on the
// guests and Datastore.AllocateSpace on the storage.
func (c *Client) Backup(ctx context.Context, node string, p Params) (UPID, error) {
	r := post(p, "nodes", node, "vzdump")
	text, err := call[Text](ctx, c, r)
	if err != nil {
		return "", err
	}
	if text == "OK" {
		return "", &NothingToDoError{Node: node, VMIDs: p["vmid"]}
	}
	u, err := ParseUPID(string(text))
	if err != nil {
		return "", r.fail(http.StatusOK, err.Error(), ErrProtocol)
	}
	return u, nil
}

// ArchiveConfig is the configuration of a guest within an archive, as its file.
// Needs what a restore of the archive needs.
func (c *Client) ArchiveConfig(ctx context.Context, node, archive string) (string, error) {
	text, err := call[Text](ctx, c, get(Params{"volume": archive}, "nodes", node, "vzdump", "extractconfig"))
	return string(text), err
}

// Restore starts a restore of an archive to a number that is free; p has Proxmox's
// own parameters besides vmid and the archive. It never overwrites: "force" is not
// among what may be sent. ErrExists: the number is taken. Needs VM.Allocate, and
// VM.Backup on the guest that the archive is of.
func (c *Client) Restore(ctx context.Context, ref guest.Ref, archive string, p Params) (UPID, error) {
	all := Params{}
	for key, value := range p {
		if key != "force" {
			all[key] = value
		}
	}
	all["vmid"] = ref.VMID.String()
	if ref.Kind == guest.LXC {
		all["ostemplate"], all["restore"] = archive, "1"
	} else {
		all["archive"] = archive
	}
	return task(ctx, c, post(all, "nodes", ref.Node, string(ref.Kind)))
}

// UpdateArchive sets notes and protected of an archive. Be sure that it exists:
// Proxmox protects also what is not there. Needs Datastore.AllocateSpace and
// VM.Backup on the guest that the archive is of.
func (c *Client) UpdateArchive(ctx context.Context, node, storage, volume string, p Params) error {
	return send(ctx, c, put(p, "nodes", node, "storage", storage, "content", volume))
}
