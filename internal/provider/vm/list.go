package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	frameworklist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestlist"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// listResource is the list resource proxmox_vm.
type listResource struct{ Resource }

var (
	_ frameworklist.ListResource              = &listResource{}
	_ frameworklist.ListResourceWithConfigure = &listResource{}
)

// NewList makes the list resource.
func NewList() frameworklist.ListResource { return &listResource{} }

// ListResourceConfigSchema is the block config of a list block.
func (r *listResource) ListResourceConfigSchema(_ context.Context, _ frameworklist.ListResourceSchemaRequest, resp *frameworklist.ListResourceSchemaResponse) {
	resp.Schema = guestlist.Schema(guest.QEMU)
}

// List names the VMs within the provider's range.
func (r *listResource) List(ctx context.Context, req frameworklist.ListRequest, stream *frameworklist.ListResultsStream) {
	stream.Results = guestlist.List{Data: r.data, Kind: guest.QEMU, Read: r.readListed}.Results(ctx, req)
}

// readListed reads a VM as an import does.
func (r *listResource) readListed(ctx context.Context, ref guest.Ref, into *tfsdk.Resource) diag.Diagnostics {
	var m model
	d := into.Get(ctx, &m)
	if d.HasError() {
		return d
	}
	f, err := guests.Find(ctx, r.data, ref)
	if err != nil {
		return append(d, guests.NotRead(ref, err))
	}
	_, more := r.refresh(ctx, &m, f, guests.Seen{})
	d.Append(more...)
	return append(d, into.Set(ctx, &m)...)
}
