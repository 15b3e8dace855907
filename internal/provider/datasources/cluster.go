package datasources

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// version is the data source proxmox_version.
type version struct{ source }

// Schema describes the version.
func (s *version) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The version of Proxmox VE that answers. Every user may read it.",
		Attributes: map[string]schema.Attribute{
			"version": text("Version, such as `9.2.11`."),
			"release": text("Release, such as `9.2`."),
		},
	}
}

// Read asks the node that answers.
func (s *version) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	v, err := s.data.Client.Version(ctx)
	if err != nil {
		resp.Diagnostics.Append(diags.Failed("The version of Proxmox VE cannot be read", err, ""))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &struct {
		Version types.String `tfsdk:"version"`
		Release types.String `tfsdk:"release"`
	}{types.StringValue(v.Version), types.StringValue(v.Release)})...)
}

// nodes is the data source proxmox_nodes.
type nodes struct{ source }

type nodeRow struct {
	Name   types.String `tfsdk:"name"`
	Status types.String `tfsdk:"status"`
	CPUs   types.Int64  `tfsdk:"cpus"`
	Memory types.Int64  `tfsdk:"memory"`
}

// Schema describes the nodes.
func (s *nodes) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The nodes of the cluster, by name. Their sizes need Sys.Audit on `/nodes/NODE`.",
		Attributes: map[string]schema.Attribute{
			"nodes": list("The nodes.", map[string]schema.Attribute{
				"name":   text("Name."),
				"status": text("`online`, `offline` or `unknown`."),
				"cpus":   count("Number of CPUs, null if it cannot be seen."),
				"memory": count("Memory in bytes, null if it cannot be seen."),
			}),
		},
	}
}

// Read lists the nodes.
func (s *nodes) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	all, err := s.data.Client.Nodes(ctx)
	if err != nil {
		resp.Diagnostics.Append(diags.Failed("The nodes cannot be listed", err, ""))
		return
	}
	slices.SortFunc(all, func(a, b pve.Node) int { return strings.Compare(a.Name, b.Name) })
	rows := []nodeRow{}
	for _, n := range all {
		rows = append(rows, nodeRow{types.StringValue(n.Name), types.StringValue(n.Status), size(n.MaxCPU), size(n.MaxMem)})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &struct {
		Nodes []nodeRow `tfsdk:"nodes"`
	}{rows})...)
}

// size is a number that is 0 when it cannot be seen.
func size(n pve.Int) types.Int64 {
	if n == 0 {
		return types.Int64Null()
	}
	return types.Int64Value(int64(n))
}

// guestList is the data source proxmox_guests.
type guestList struct{ source }

type guestListModel struct {
	Kind   types.String `tfsdk:"kind"`
	Node   types.String `tfsdk:"node"`
	Pool   types.String `tfsdk:"pool"`
	Tag    types.String `tfsdk:"tag"`
	Status types.String `tfsdk:"status"`
	Guests []guestRow   `tfsdk:"guests"`
}

type guestRow struct {
	VMID     types.Int64  `tfsdk:"vmid"`
	Kind     types.String `tfsdk:"kind"`
	Name     types.String `tfsdk:"name"`
	Node     types.String `tfsdk:"node"`
	Status   types.String `tfsdk:"status"`
	Pool     types.String `tfsdk:"pool"`
	Tags     types.Set    `tfsdk:"tags"`
	Template types.Bool   `tfsdk:"template"`
	Lock     types.String `tfsdk:"lock"`
	Memory   types.Int64  `tfsdk:"memory"`
}

func guestAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"vmid":     count("VMID."),
		"kind":     text("`lxc` or `qemu`."),
		"name":     text("Name; null for some seconds after the guest was made."),
		"node":     text("Node."),
		"status":   text("`running`, `stopped` or `unknown`, as of some seconds ago."),
		"pool":     text("Pool, null for none or one that the user may not audit."),
		"tags":     textSet("Tags."),
		"template": flag("Whether it is a template."),
		"lock":     text("Lock, such as `backup`, null for none."),
		"memory":   count("Memory in bytes, null if it is not known yet."),
	}
}

// Schema describes the filters and the guests.
func (s *guestList) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The guests of the cluster, containers and VMs, by VMID, within the provider's `vmid_range`. Guests without VM.Audit for the user are missing without a word.",
		Attributes: map[string]schema.Attribute{
			"kind":   schema.StringAttribute{Optional: true, MarkdownDescription: "Only containers (`lxc`) or VMs (`qemu`). Default: both.", Validators: []validator.String{stringvalidator.OneOf("lxc", "qemu")}},
			"node":   filter("Only guests on this node."),
			"pool":   filter("Only guests of this pool."),
			"tag":    filter("Only guests with this tag."),
			"status": filter("Only guests that are `running` or `stopped`."),
			"guests": list("The guests.", guestAttributes()),
		},
	}
}

// Read filters the listing that the whole process shares.
func (s *guestList) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m guestListModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	err := s.data.Boundary.Err()
	var rows []pve.Resource
	if err == nil {
		rows, err = s.data.Guests.All(ctx)
	}
	if err != nil {
		resp.Diagnostics.Append(diags.Failed("The guests cannot be listed", err, ""))
	}
	if resp.Diagnostics.HasError() {
		return
	}
	m.Guests = []guestRow{}
	for _, row := range rows {
		ref, ok := row.Guest()
		tags := attrs.SplitTags(row.Tags)
		if !ok || s.data.Boundary.Check(ref.VMID) != nil || !fits(m.Kind, row.Type) || !fits(m.Node, row.Node) || !fits(m.Pool, row.Pool) ||
			!fits(m.Status, row.Status) || !m.Tag.IsNull() && !slices.Contains(tags, m.Tag.ValueString()) {
			continue
		}
		m.Guests = append(m.Guests, guestOf(row, ref, tags))
	}
	slices.SortFunc(m.Guests, func(a, b guestRow) int { return int(a.VMID.ValueInt64() - b.VMID.ValueInt64()) })
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

func guestOf(row pve.Resource, ref guest.Ref, tags []string) guestRow {
	return guestRow{
		VMID: types.Int64Value(int64(ref.VMID)), Kind: types.StringValue(row.Type), Name: optional(row.Name), Node: types.StringValue(row.Node),
		Status: types.StringValue(row.Status), Pool: optional(row.Pool), Tags: stringSet(tags), Template: types.BoolValue(bool(row.Template)),
		Lock: optional(row.Lock), Memory: size(row.MaxMem),
	}
}
