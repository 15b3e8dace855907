// Package vmidrange is the resource proxmox_vmid_range: a range of VMIDs that
// gives each reserved name a number of its own, and never a number twice.
//
// It brings what the cluster holds into the state and lets the rule package
// internal/vmidrange decide. It writes nothing to the cluster: a number is a
// promise of the state, and the guest that uses it is another resource.
package vmidrange

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// Resource is proxmox_vmid_range.
type Resource struct {
	data *meta.Data
}

var (
	_ resource.Resource                   = &Resource{}
	_ resource.ResourceWithConfigure      = &Resource{}
	_ resource.ResourceWithImportState    = &Resource{}
	_ resource.ResourceWithModifyPlan     = &Resource{}
	_ resource.ResourceWithValidateConfig = &Resource{}
)

// New makes the resource.
func New() resource.Resource { return &Resource{} }

// Metadata names the resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_vmid_range"
}

// Configure takes what the provider block made.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	r.data = data
}
