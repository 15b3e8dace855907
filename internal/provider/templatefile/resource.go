// Package templatefile is the resource proxmox_template_file: a file that a node
// fetches to a storage, from a URL or from its appliance catalogue: a container
// template, an ISO image, or an image to import.
//
// It decides which file it is. The node does the work, by its own network.
package templatefile

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	tfpath "github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// How long each verb may take when the user sets no timeout.
const (
	createTimeout = time.Hour
	deleteTimeout = 10 * time.Minute
)

// Resource is proxmox_template_file.
type Resource struct {
	data *meta.Data
}

var (
	_ resource.Resource                   = &Resource{}
	_ resource.ResourceWithConfigure      = &Resource{}
	_ resource.ResourceWithModifyPlan     = &Resource{}
	_ resource.ResourceWithValidateConfig = &Resource{}
	_ resource.ResourceWithImportState    = &Resource{}
)

// New makes the resource.
func New() resource.Resource { return &Resource{} }

// Metadata names the resource.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_template_file"
}

// Configure takes what the provider block made.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	r.data = data
}

type model struct {
	Node               types.String   `tfsdk:"node"`
	Storage            types.String   `tfsdk:"storage"`
	Content            types.String   `tfsdk:"content"`
	URL                types.String   `tfsdk:"url"`
	Appliance          types.String   `tfsdk:"appliance"`
	FileName           types.String   `tfsdk:"file_name"`
	Checksum           types.String   `tfsdk:"checksum"`
	ChecksumAlgorithm  types.String   `tfsdk:"checksum_algorithm"`
	VerifyCertificates types.Bool     `tfsdk:"verify_certificates"`
	KeepOnDestroy      types.Bool     `tfsdk:"keep_on_destroy"`
	VolumeID           types.String   `tfsdk:"volume_id"`
	Size               types.Int64    `tfsdk:"size"`
	Timeouts           timeouts.Value `tfsdk:"timeouts"`
}

// name is the file's name on the storage, as far as it is known.
func (m *model) name() string {
	switch {
	case attrs.Known(m.FileName):
		return m.FileName.ValueString()
	case attrs.Known(m.Appliance):
		return m.Appliance.ValueString()
	case attrs.Known(m.URL):
		text, _, _ := strings.Cut(m.URL.ValueString(), "?")
		return path.Base(text)
	}
	return ""
}

func (m *model) volume() string {
	return m.Storage.ValueString() + ":" + m.Content.ValueString() + "/" + m.name()
}

// ValidateConfig wants exactly one source, and a checksum with its algorithm.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || config.URL.IsUnknown() || config.Appliance.IsUnknown() {
		return
	}
	if config.URL.IsNull() == config.Appliance.IsNull() {
		resp.Diagnostics.AddError("The file has to come from one place", "Exactly one of url and appliance says where it comes from. "+diags.Nothing)
	}
	if attrs.Known(config.Appliance) {
		for name, v := range map[string]types.String{"file_name": config.FileName, "checksum": config.Checksum, "content": config.Content} {
			if !v.IsNull() && (name != "content" || v.ValueString() != "vztmpl") {
				resp.Diagnostics.AddAttributeError(tfpath.Root(name), name+" has no meaning beside appliance",
					"The catalogue says the name, the checksum and that it is a container template. "+diags.Nothing)
			}
		}
	}
}

// ModifyPlan fills in the name and the node, and checks the storage.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.data == nil || req.Plan.Raw.IsNull() {
		return
	}
	var plan, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !req.State.Raw.IsNull() {
		planOther(ctx, &plan, &config, resp)
		return
	}
	if config.Node.IsNull() && r.data.DefaultNode != "" {
		plan.Node = types.StringValue(r.data.DefaultNode)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, tfpath.Root("node"), plan.Node)...)
	}
	if name := plan.name(); name != "" && !attrs.Known(plan.FileName) && config.FileName.IsNull() {
		plan.FileName = types.StringValue(name)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, tfpath.Root("file_name"), plan.FileName)...)
	}
	// volume_id stays unknown until the file is there, although it could be told:
	// whoever uses it would look for the file in vain.
	if attrs.Known(plan.Storage) && attrs.Known(plan.Node) && !req.ClientCapabilities.DeferralAllowed {
		resp.Diagnostics.Append(archives.CheckStorage(ctx, r.data, tfpath.Root("storage"), archives.Use{
			Storage: plan.Storage.ValueString(), Nodes: []string{plan.Node.ValueString()}, Content: plan.Content.ValueString(), For: "the file " + plan.name()})...)
	}
}

// planOther requires another file when the source has another name: from a URL to
// the catalogue no attribute goes from one value to another.
func planOther(ctx context.Context, plan, config *model, resp *resource.ModifyPlanResponse) {
	if !config.FileName.IsNull() || config.URL.IsUnknown() || config.Appliance.IsUnknown() {
		return
	}
	source := model{URL: config.URL, Appliance: config.Appliance}
	if name := source.name(); name != "" && name != plan.FileName.ValueString() {
		plan.FileName = types.StringValue(name)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, tfpath.Root("file_name"), plan.FileName)...)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, tfpath.Root("volume_id"), types.StringUnknown())...)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, tfpath.Root("size"), types.Int64Unknown())...)
		resp.RequiresReplace = append(resp.RequiresReplace, tfpath.Root("file_name"))
	}
}

// Create has the node fetch the file. A file that is there already is never taken
// for ours: nobody knows what it is.
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
	if plan.Node.ValueString() == "" {
		resp.Diagnostics.AddAttributeError(tfpath.Root("node"), "There is no node to fetch the file", diags.Nothing+"\n\nSet node, or default_node in the provider block.")
		return
	}
	plan.FileName = types.StringValue(plan.name())
	plan.VolumeID = types.StringValue(plan.volume())
	summary := "The file " + plan.VolumeID.ValueString() + " was not fetched"
	_, there, err := r.find(ctx, &plan)
	if err != nil {
		resp.Diagnostics.Append(diags.Failed(summary, err, diags.Nothing))
		return
	}
	if there {
		resp.Diagnostics.AddError("There is a file "+plan.VolumeID.ValueString()+" already",
			"It is not taken for the one of this configuration, and not overwritten. "+diags.Nothing+"\n\nImport it as "+plan.Node.ValueString()+"/"+plan.VolumeID.ValueString()+", or choose another file_name.")
		return
	}
	task, err := r.fetch(ctx, &plan)
	if err == nil {
		_, err = r.data.Client.Wait(ctx, task, archives.FollowAll(ctx, task, nil))
	}
	if err != nil {
		resp.Diagnostics.Append(diags.Failed(summary, err, leftBy(err)))
		return
	}
	found, there, err := r.find(ctx, &plan)
	plan.Size = types.Int64Null()
	if err == nil && there && found.Size > 0 {
		plan.Size = types.Int64Value(int64(found.Size))
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

func leftBy(err error) string {
	if running, ok := errors.AsType[*pve.StillRunningError](err); ok {
		return fmt.Sprintf("The task %s goes on at node %s; import the file when it is there.", running.UPID, running.UPID.Node())
	}
	return "No file was left behind."
}

func (r *Resource) fetch(ctx context.Context, plan *model) (pve.UPID, error) {
	node, storage := plan.Node.ValueString(), plan.Storage.ValueString()
	if attrs.Known(plan.Appliance) {
		return r.data.Client.DownloadAppliance(ctx, node, storage, plan.Appliance.ValueString())
	}
	p := pve.Params{"url": plan.URL.ValueString(), "content": plan.Content.ValueString(), "filename": plan.FileName.ValueString()}
	if attrs.Known(plan.Checksum) {
		p["checksum"], p["checksum-algorithm"] = plan.Checksum.ValueString(), plan.ChecksumAlgorithm.ValueString()
	}
	if attrs.Known(plan.VerifyCertificates) {
		p["verify-certificates"] = keys.FormatBool(plan.VerifyCertificates.ValueBool())
	}
	return r.data.Client.Download(ctx, node, storage, p)
}

// find looks for the file in the list of its storage.
func (r *Resource) find(ctx context.Context, m *model) (pve.Content, bool, error) {
	node, err := archives.NodeFor(ctx, r.data, m.Storage.ValueString(), m.Node.ValueString())
	if err != nil {
		return pve.Content{}, false, err
	}
	rows, err := r.data.Client.Content(ctx, node, m.Storage.ValueString(), pve.ContentFilter{Type: m.Content.ValueString()})
	i := slices.IndexFunc(rows, func(c pve.Content) bool { return c.VolID == m.VolumeID.ValueString() })
	if err != nil || i < 0 {
		return pve.Content{}, false, err
	}
	return rows[i], true, nil
}
