// Package vzdumppolicy is the resource proxmox_vzdump_policy: a job in the
// cluster's configuration that backs guests up on a schedule. The web interface
// calls it a backup job.
//
// It decides which of Proxmox's options are sent, and with what text. What they
// mean is decided in internal/vzdump. It starts no backup.
package vzdumppolicy

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// Resource is proxmox_vzdump_policy.
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

// Metadata names the resource. Its identity changes with its id, which is
// changed in place.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_vzdump_policy"
	resp.ResourceBehavior.MutableIdentity = true
}

// Configure takes what the provider block made.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	r.data = data
}

// IdentitySchema names a policy by its id, which is unique in a cluster.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true, Description: "The id of the policy."},
	}}
}

// ImportState takes the id of the policy, or its identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("id"), path.Root("id"), req, resp)
}
