package pve

import (
	"context"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// ReplicationJob copies the volumes of a guest to another node from time to time.
type ReplicationJob struct {
	ID     string `json:"id"` // VMID-NUMBER
	Guest  Int    `json:"guest"`
	Target string `json:"target"`
}

// Replications lists the replication jobs of a guest. Those of a guest that the
// identity may not see (VM.Audit) are missing without a word.
func (c *Client) Replications(ctx context.Context, id guest.VMID) ([]ReplicationJob, error) {
	rows, err := call[[]ReplicationJob](ctx, c, get(nil, "cluster", "replication"))
	return slices.DeleteFunc(rows, func(j ReplicationJob) bool { return guest.VMID(j.Guest) != id }), err
}
