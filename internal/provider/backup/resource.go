// Package backup is the resource proxmox_backup: one archive of one guest, made
// now, and described as it came out.
//
// It decides what of an archive stands in the state and when it may be removed.
// How a backup is made and what became of it is in internal/lifecycle; what may
// be said of it in internal/vzdump.
package backup

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// How long each verb may take when the user sets no timeout.
const (
	createTimeout = 3 * time.Hour
	deleteTimeout = 30 * time.Minute
)

// The values of the attribute state.
const (
	running = "running"
	done    = "done"
)

// Resource is proxmox_backup.
type Resource struct {
	data *meta.Data
	life *lifecycle.Lifecycle
}

var (
	_ resource.Resource               = &Resource{}
	_ resource.ResourceWithConfigure  = &Resource{}
	_ resource.ResourceWithModifyPlan = &Resource{}
)

// New makes the resource.
func New() resource.Resource { return &Resource{} }

// Metadata names the resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_backup"
}

// Configure takes what the provider block made.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	if r.data = data; data != nil {
		r.life = lifecycle.New(data.Client, time.Now)
	}
}

// ref addresses the guest where it was when the backup was begun.
func (m *model) ref() guest.Ref {
	return guest.Ref{Node: m.Node.ValueString(), Kind: guest.Kind(m.Kind.ValueString()), VMID: m.id()}
}

func (m *model) id() guest.VMID { return guest.VMID(m.VMID.ValueInt64()) }
