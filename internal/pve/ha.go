package pve

import (
	"context"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// HAResource is a guest that the cluster keeps running.
type HAResource struct {
	SID         string `json:"sid"`   // ct:100 or vm:100
	State       string `json:"state"` // started, stopped, disabled or ignored
	MaxRestart  Int    `json:"max_restart"`
	MaxRelocate Int    `json:"max_relocate"`
	Comment     string `json:"comment"`
	Failback    Bool   `json:"failback"`
	Group       string `json:"group"` // until Proxmox VE 8
}

// haID is the name of a guest among HA resources.
func haID(ref guest.Ref) string {
	if ref.Kind == guest.LXC {
		return "ct:" + ref.VMID.String()
	}
	return "vm:" + ref.VMID.String()
}

// HAResource reads the HA entry of a guest; ErrNoSuch if HA does not manage it. Needs
// Sys.Audit on /.
func (c *Client) HAResource(ctx context.Context, ref guest.Ref) (HAResource, error) {
	return call[HAResource](ctx, c, get(nil, "cluster", "ha", "resources", haID(ref)))
}

// AddHAResource has the cluster keep a guest in a state; needs Sys.Console on /. p may
// have state, max_restart, max_relocate, failback and comment.
func (c *Client) AddHAResource(ctx context.Context, ref guest.Ref, p Params) error {
	form := Params{"sid": haID(ref)}
	for key, value := range p {
		form[key] = value
	}
	return send(ctx, c, post(form, "cluster", "ha", "resources"))
}

// UpdateHAResource changes the HA entry of a guest; needs Sys.Console on /.
func (c *Client) UpdateHAResource(ctx context.Context, ref guest.Ref, ch ConfigChange) error {
	if ch.Empty() {
		return nil
	}
	return send(ctx, c, put(ch.params(), "cluster", "ha", "resources", haID(ref)))
}

// RemoveHAResource has the cluster leave a guest alone; needs Sys.Console on /.
func (c *Client) RemoveHAResource(ctx context.Context, ref guest.Ref) error {
	return send(ctx, c, del(nil, "cluster", "ha", "resources", haID(ref)))
}
