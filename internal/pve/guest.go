package pve

import (
	"context"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// GuestStatus is the state of a guest now, from its own node.
type GuestStatus struct {
	VMID     Int    `json:"vmid"`
	Name     string `json:"name"`   // "CT<vmid>" or "VM <vmid>" when there is none
	Status   string `json:"status"` // running or stopped
	QMP      string `json:"qmpstatus"`
	Lock     string `json:"lock"`
	Template Bool   `json:"template"`
	Agent    Bool   `json:"agent"`   // configured; says nothing of whether it answers
	Uptime   Int    `json:"uptime"`  // seconds
	MaxDisk  Int    `json:"maxdisk"` // bytes
	MaxMem   Int    `json:"maxmem"`  // bytes
	HA       struct {
		Managed Bool   `json:"managed"`
		State   string `json:"state"`
	} `json:"ha"`
}

// Running reports whether the guest runs.
func (s GuestStatus) Running() bool { return s.Status == "running" }

// Status asks the guest's node for its state now. Needs VM.Audit.
func (c *Client) Status(ctx context.Context, ref guest.Ref) (GuestStatus, error) {
	return call[GuestStatus](ctx, c, get(nil, guestPath(ref, "status", "current")...))
}

// Start starts a guest; needs VM.PowerMgmt. A guest that HA manages is started
// later than its task ends.
func (c *Client) Start(ctx context.Context, ref guest.Ref) (UPID, error) {
	return task(ctx, c, post(nil, guestPath(ref, "status", "start")...))
}

// Stop cuts the power; needs VM.PowerMgmt. Shutdown tasks of ours that still run
// are ended first. Stopping a container that is stopped is ErrNotRunning, a VM that
// is stopped a task that ends well.
func (c *Client) Stop(ctx context.Context, ref guest.Ref) (UPID, error) {
	return task(ctx, c, post(Params{"overrule-shutdown": "1"}, guestPath(ref, "status", "stop")...))
}
