// Package restore is the resource proxmox_restore: a guest made of a backup
// archive, beside the original, and managed from then on as far as its existence
// goes.
//
// It decides when a restore may be begun and what is said of what does not come
// back. It never overwrites a guest. To manage everything of a restored guest,
// the attribute restore of proxmox_container and proxmox_vm is there.
package restore

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// How long each verb may take when the user sets no timeout.
const (
	createTimeout = 6 * time.Hour
	deleteTimeout = 30 * time.Minute
)

// Resource is proxmox_restore.
type Resource struct {
	data *meta.Data
	life *lifecycle.Lifecycle
}

var (
	_ resource.Resource                   = &Resource{}
	_ resource.ResourceWithConfigure      = &Resource{}
	_ resource.ResourceWithModifyPlan     = &Resource{}
	_ resource.ResourceWithValidateConfig = &Resource{}
)

// New makes the resource.
func New() resource.Resource { return &Resource{} }

// Metadata names the resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_restore"
}

// Configure takes what the provider block made.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	if r.data = data; data != nil {
		r.life = lifecycle.New(data.Client, time.Now)
	}
}

func (r *Resource) doors() guests.Doors { return guests.Doors{Data: r.data, Life: r.life} }

// model is the resource as configuration, plan and state hold it.
type model struct {
	Archive       types.String `tfsdk:"archive"`
	VMID          types.Int64  `tfsdk:"vmid"`
	Node          types.String `tfsdk:"node"`
	Storage       types.String `tfsdk:"storage"`
	Mounts        types.Map    `tfsdk:"mounts"`
	Unique        types.Bool   `tfsdk:"unique"`
	Name          types.String `tfsdk:"name"`
	Pool          types.String `tfsdk:"pool"`
	Started       types.Bool   `tfsdk:"started"`
	WaiveBlockers types.Set    `tfsdk:"waive_blockers"`

	Kind         types.String `tfsdk:"kind"`
	CurrentNode  types.String `tfsdk:"current_node"`
	MACAddresses types.Map    `tfsdk:"mac_addresses"`
	Consistency  types.String `tfsdk:"consistency"`
	Volumes      types.Map    `tfsdk:"volumes"`
	Fingerprint  types.String `tfsdk:"fingerprint"`
	Reconcile    types.Object `tfsdk:"reconcile"`

	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

type mountModel struct {
	Storage types.String `tfsdk:"storage"`
	Size    attrs.Size   `tfsdk:"size"`
}

func (m *model) id() guest.VMID { return guest.VMID(m.VMID.ValueInt64()) }

// kind follows from the archive's name, which is known when the resource is.
func (m *model) kind() guest.Kind {
	a, err := vzdump.ParseArchive(m.Archive.ValueString())
	if err != nil {
		return guest.Kind(m.Kind.ValueString())
	}
	return a.Kind
}

// ref addresses the guest where it was last seen.
func (m *model) ref() guest.Ref {
	node := m.CurrentNode.ValueString()
	if node == "" {
		node = m.Node.ValueString()
	}
	return guest.Ref{Node: node, Kind: m.kind(), VMID: m.id()}
}
