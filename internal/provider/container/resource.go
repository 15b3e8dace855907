// Package container is the resource proxmox_container.
//
// It decides what of the plan and the state of a container goes to the cluster
// and what comes back: schema, model, and the verbs, a file each. What a
// destroy does to data, and the order of a reinstall, are decided in
// internal/datalabel, internal/blocker and internal/lifecycle.
package container

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// How long each verb may take when the user sets no timeout.
const (
	createTimeout = 30 * time.Minute
	readTimeout   = 2 * time.Minute
	updateTimeout = 60 * time.Minute
	deleteTimeout = 30 * time.Minute
)

// Resource is proxmox_container.
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
	resp.TypeName = req.ProviderTypeName + "_container"
}

// Configure takes what the provider block made.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	r.data = data
}

// ref addresses the container where it was last seen.
func (m *model) ref() guest.Ref {
	node := m.CurrentNode.ValueString()
	if node == "" {
		node = m.Node.ValueString()
	}
	return guest.Ref{Node: node, Kind: guest.LXC, VMID: guest.VMID(m.VMID.ValueInt64())}
}

// id is the container's number, 0 when it is not known.
func (m *model) id() guest.VMID { return guest.VMID(m.VMID.ValueInt64()) }
