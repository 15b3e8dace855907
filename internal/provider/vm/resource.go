package vm

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// How long each verb may take when the user sets no timeout.
const (
	createTimeout = 60 * time.Minute
	readTimeout   = 2 * time.Minute
	updateTimeout = 60 * time.Minute
	deleteTimeout = 30 * time.Minute
)

// Resource is proxmox_vm.
type Resource struct {
	data *meta.Data
}

var (
	_ resource.Resource                   = &Resource{}
	_ resource.ResourceWithConfigure      = &Resource{}
	_ resource.ResourceWithIdentity       = &Resource{}
	_ resource.ResourceWithImportState    = &Resource{}
	_ resource.ResourceWithModifyPlan     = &Resource{}
	_ resource.ResourceWithValidateConfig = &Resource{}
)

// New makes the resource.
func New() resource.Resource { return &Resource{} }

// Metadata names the resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_vm"
}

// Configure takes what the provider block made.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	r.data = data
}

// ImportState takes "200", "pve1/200" or an identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	guests.Import(ctx, r.data, guest.QEMU, req, resp)
}

func (r *Resource) life() *lifecycle.Lifecycle { return lifecycle.New(r.data.Client, time.Now) }

// ref addresses the VM where it was last seen.
func (m *model) ref() guest.Ref {
	node := m.CurrentNode.ValueString()
	if node == "" {
		node = m.Node.ValueString()
	}
	return guest.Ref{Node: node, Kind: guest.QEMU, VMID: guest.VMID(m.VMID.ValueInt64())}
}

// id is the VM's number, 0 when it is not known.
func (m *model) id() guest.VMID { return guest.VMID(m.VMID.ValueInt64()) }

func replaceOnString() planmodifier.String { return guests.ReplaceOnString(guest.QEMU) }
func replaceOnInt64() planmodifier.Int64   { return guests.ReplaceOnInt64(guest.QEMU) }
