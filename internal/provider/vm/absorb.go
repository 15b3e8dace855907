package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// settings reads the part of the model that stands for the VM's configuration.
func (m *model) settings(ctx context.Context) (*settings, diag.Diagnostics) {
	s := keys.Null[settings]()
	d := attrs.Unpack(ctx, m, s)
	return s, d
}

// absorb reads the VM's configuration into the model, which holds what was known
// before. Only what is declared there is read. With first, nothing was known:
// everything that is there is read.
//
// A value that cannot be read is left out with a warning: it is left alone, and
// the rest of the VM can be managed.
func (m *model) absorb(ctx context.Context, live map[string]string, first bool) diag.Diagnostics {
	s, diags := m.settings(ctx)
	if diags.HasError() {
		return diags
	}
	now, unreadable := flatten(live)
	for _, err := range unreadable {
		diags.Append(unreadableKey(m.id(), err))
	}
	prior := *s
	keys.DecodeDeclared(s, now, first)
	a := absorbing{self: m.id(), now: now, first: first}
	a.disks(prior.Disks, s.Disks)
	a.cdroms(s.CDROMs)
	s.EFIDisk = a.efiDisk(prior.EFIDisk, s.EFIDisk)
	s.TPMState = a.tpmState(prior.TPMState, s.TPMState)
	s.CloudInit = a.cloudInit(prior.CloudInit, s.CloudInit)
	diags.Append(attrs.Pack(ctx, s, m)...)
	return diags
}

// absorbing reads where the drives are and how large.
type absorbing struct {
	self  guest.VMID
	now   flat
	first bool
}
