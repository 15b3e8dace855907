package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestlist"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// listResource is the list resource proxmox_container.
type listResource struct{ Resource }

var (
	_ list.ListResource              = &listResource{}
	_ list.ListResourceWithConfigure = &listResource{}
)

// NewList makes the list resource.
func NewList() list.ListResource { return &listResource{} }

// ListResourceConfigSchema is the block config of a list block.
func (r *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = guestlist.Schema(guest.LXC)
}

// List names the containers within the provider's range.
func (r *listResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	stream.Results = guestlist.List{Data: r.data, Kind: guest.LXC, Read: r.readListed}.Results(ctx, req)
}

// readListed reads a container as an import does.
func (r *listResource) readListed(ctx context.Context, ref guest.Ref, into *tfsdk.Resource) diag.Diagnostics {
	var m model
	d := into.Get(ctx, &m)
	if d.HasError() {
		return d
	}
	f, err := r.find(ctx, ref.VMID, ref.Node)
	if err != nil {
		return append(d, guests.NotRead(ref, err))
	}
	_, more := r.refresh(ctx, &m, f, guests.Seen{})
	d.Append(more...)
	return append(d, into.Set(ctx, &m)...)
}
