// Package snapshot is the resource proxmox_snapshot: a snapshot of a guest of
// either kind, of a VM with its memory if asked for.
//
// It decides when a snapshot can be taken and what of it is changed in place. It
// never rolls back: that throws away what the guest has done since.
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// How long each verb may take when the user sets no timeout.
const (
	createTimeout = 30 * time.Minute
	deleteTimeout = 30 * time.Minute
)

// Resource is proxmox_snapshot.
type Resource struct {
	data *meta.Data
}

var (
	_ resource.Resource                = &Resource{}
	_ resource.ResourceWithConfigure   = &Resource{}
	_ resource.ResourceWithModifyPlan  = &Resource{}
	_ resource.ResourceWithImportState = &Resource{}
)

// New makes the resource.
func New() resource.Resource { return &Resource{} }

// Metadata names the resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_snapshot"
}

// Configure takes what the provider block made.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	r.data = data
}

type model struct {
	VMID        types.Int64    `tfsdk:"vmid"`
	Name        types.String   `tfsdk:"name"`
	Description types.String   `tfsdk:"description"`
	Memory      types.Bool     `tfsdk:"memory"`
	Created     types.String   `tfsdk:"created"`
	Parent      types.String   `tfsdk:"parent"`
	Timeouts    timeouts.Value `tfsdk:"timeouts"`
}

func (m *model) id() guest.VMID { return guest.VMID(m.VMID.ValueInt64()) }

func (m *model) title() string {
	return fmt.Sprintf("Snapshot %s of guest %d", m.Name.ValueString(), m.id())
}

// locate finds the guest; one outside of the range is not looked at.
func (r *Resource) locate(ctx context.Context, m *model) (guest.Ref, diag.Diagnostics) {
	if err := r.data.Boundary.Check(m.id()); err != nil {
		return guest.Ref{}, diag.Diagnostics{diags.FailedAt(path.Root("vmid"), m.title()+" is not touched", err, diags.Nothing)}
	}
	g, err := archives.Locate(ctx, r.data, m.id())
	if err != nil {
		return guest.Ref{}, diag.Diagnostics{diags.FailedAt(path.Root("vmid"), fmt.Sprintf("Guest %d cannot be found", m.id()), err, diags.Nothing)}
	}
	return g.Ref, nil
}

// ModifyPlan refuses a snapshot that the storages of the guest cannot hold: Proxmox
// would say so in the task.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.data == nil || req.Plan.Raw.IsNull() || !req.State.Raw.IsNull() {
		return
	}
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || plan.VMID.IsUnknown() {
		return
	}
	if err := r.data.Boundary.Check(plan.id()); err != nil {
		resp.Diagnostics.Append(diags.FailedAt(path.Root("vmid"), plan.title()+" is not touched", err, diags.Nothing))
		return
	}
	g, err := archives.Locate(ctx, r.data, plan.id())
	if err != nil || req.ClientCapabilities.DeferralAllowed {
		return // the guest may be made in the same apply: the create is the judge
	}
	able, err := r.data.Client.Feature(ctx, g.Ref, "snapshot", "")
	switch {
	case err != nil:
		resp.Diagnostics.Append(diags.Failed(fmt.Sprintf("Whether guest %d can have snapshots cannot be seen", plan.id()), err, diags.Nothing))
	case !able:
		resp.Diagnostics.AddAttributeError(path.Root("vmid"), fmt.Sprintf("Guest %d cannot have snapshots", plan.id()),
			"A volume of it is on a storage or in a format without snapshots, or is a bind mount. "+diags.Nothing+
				"\n\nSnapshots need every volume on LVM-thin, ZFS, Ceph, Btrfs, or in a qcow2 file. A backup works on any storage: proxmox_backup.")
	}
}

// Create takes the snapshot and waits for it.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	limit, d := plan.Timeouts.Create(ctx, createTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ref, d := r.locate(ctx, &plan)
	resp.Diagnostics.Append(d...)
	if d.HasError() {
		return
	}
	task, err := r.data.Client.CreateSnapshot(ctx, ref, plan.Name.ValueString(), plan.Description.ValueString(), plan.Memory.ValueBool())
	if err == nil {
		var result pve.TaskResult
		result, err = r.data.Client.Wait(ctx, task, archives.FollowAll(ctx, task, nil))
		for _, text := range result.Warnings {
			resp.Diagnostics.AddWarning(plan.title()+" was taken with a warning", "The task is done and says: "+text)
		}
	}
	if errors.Is(err, pve.ErrExists) {
		resp.Diagnostics.Append(diags.FailedAt(path.Root("name"), plan.title()+" exists already", err,
			"It is not taken for the one of this configuration. "+diags.Nothing+"\n\nImport it, or choose another name."))
		return
	}
	if err != nil {
		resp.Diagnostics.Append(diags.Failed(plan.title()+" was not taken", err, changedBy(err)))
		return
	}
	found, there, err := r.find(ctx, ref, plan.Name.ValueString())
	if err != nil || !there {
		plan.Created, plan.Parent = types.StringNull(), types.StringNull()
		resp.Diagnostics.AddWarning(plan.title()+" was taken and cannot be read", fmt.Sprintf("The task %s has ended well. The next refresh reads the snapshot.", task))
	} else {
		plan.absorb(found)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

func changedBy(err error) string {
	if running, ok := errors.AsType[*pve.StillRunningError](err); ok {
		return fmt.Sprintf("The task %s goes on at node %s: look at the guest's snapshots, and import this one if it was taken.", running.UPID, running.UPID.Node())
	}
	return "Proxmox removes what it has begun."
}

func (r *Resource) find(ctx context.Context, ref guest.Ref, name string) (pve.Snapshot, bool, error) {
	list, err := r.data.Client.Snapshots(ctx, ref)
	i := slices.IndexFunc(list, func(s pve.Snapshot) bool { return s.Name == name })
	if err != nil || i < 0 {
		return pve.Snapshot{}, false, err
	}
	return list[i], true, nil
}

// absorb takes over what the snapshot is like.
func (m *model) absorb(s pve.Snapshot) {
	m.Created = types.StringValue(time.Unix(int64(s.Time), 0).UTC().Format(time.RFC3339))
	m.Parent = types.StringNull()
	if s.Parent != "" {
		m.Parent = types.StringValue(s.Parent)
	}
	if m.Memory.IsNull() || m.Memory.IsUnknown() {
		// What was asked for stays: a guest without memory to save has none here.
		m.Memory = types.BoolValue(bool(s.VMState))
	}
	// Containers end a description with a line feed, VMs do not.
	if !attrs.SameDescription(s.Description, m.Description.ValueString()) {
		m.Description = types.StringNull()
		if live := strings.TrimSuffix(s.Description, "\n"); live != "" {
			m.Description = types.StringValue(live)
		}
	}
}
