package datasources

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// storages is the data source proxmox_storages.
type storages struct{ source }

type storagesModel struct {
	Node     types.String `tfsdk:"node"`
	Content  types.String `tfsdk:"content"`
	Storages []storageRow `tfsdk:"storages"`
}

type storageRow struct {
	Name      types.String `tfsdk:"name"`
	Node      types.String `tfsdk:"node"`
	Type      types.String `tfsdk:"type"`
	Content   types.Set    `tfsdk:"content"`
	Enabled   types.Bool   `tfsdk:"enabled"`
	Active    types.Bool   `tfsdk:"active"`
	Shared    types.Bool   `tfsdk:"shared"`
	Total     types.Int64  `tfsdk:"total"`
	Available types.Int64  `tfsdk:"available"`
}

// Schema describes the filters and the storages.
func (s *storages) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The storages as the nodes see them, by node and name. Those without Datastore.Audit or Datastore.AllocateSpace for the user are missing without a word.",
		Attributes: map[string]schema.Attribute{
			"node":    filter("Only as this node sees them. Default: every node that is online."),
			"content": filter("Only those that take this content: `images`, `rootdir`, `vztmpl`, `iso`, `backup`, `snippets` or `import`."),
			"storages": list("The storages.", map[string]schema.Attribute{
				"name":      text("Name."),
				"node":      text("The node that sees it so."),
				"type":      text("Type, such as `dir`, `lvmthin`, `zfspool` or `pbs`."),
				"content":   textSet("What it takes."),
				"enabled":   flag("Whether it is enabled for the node."),
				"active":    flag("Whether it is reachable now."),
				"shared":    flag("Whether all nodes see the same content."),
				"total":     count("Size in bytes, null while it is not active."),
				"available": count("Free space in bytes, null while it is not active."),
			}),
		},
	}
}

// Read asks each node in question.
func (s *storages) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m storagesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	names := []string{m.Node.ValueString()}
	if m.Node.IsNull() {
		all, err := s.data.Client.Nodes(ctx)
		if err != nil {
			resp.Diagnostics.Append(diags.Failed("The nodes cannot be listed", err, ""))
			return
		}
		names = nil
		for _, n := range all {
			if n.Status == "online" {
				names = append(names, n.Name)
			}
		}
		slices.Sort(names)
	}
	m.Storages = []storageRow{}
	for _, node := range names {
		list, err := s.data.Client.Storages(ctx, node)
		if err != nil {
			resp.Diagnostics.Append(diags.Failed("The storages of node "+node+" cannot be listed", err, ""))
			continue
		}
		slices.SortFunc(list, func(a, b pve.StorageStatus) int { return strings.Compare(a.Name, b.Name) })
		for _, st := range list {
			if m.Content.IsNull() || st.Allows(m.Content.ValueString()) {
				m.Storages = append(m.Storages, storageOf(node, st))
			}
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

func storageOf(node string, st pve.StorageStatus) storageRow {
	row := storageRow{
		Name: types.StringValue(st.Name), Node: types.StringValue(node), Type: types.StringValue(st.Type), Content: stringSet(st.ContentTypes()),
		Enabled: types.BoolValue(bool(st.Enabled)), Active: types.BoolValue(bool(st.Active)), Shared: types.BoolValue(bool(st.Shared)),
		Total: types.Int64Null(), Available: types.Int64Null(),
	}
	if st.Active {
		row.Total, row.Available = types.Int64Value(int64(st.Total)), types.Int64Value(int64(st.Avail))
	}
	return row
}

// templates is the data source proxmox_templates.
type templates struct{ source }

type templatesModel struct {
	Node   types.String  `tfsdk:"node"`
	Files  []templateRow `tfsdk:"files"`
	Guests []guestRow    `tfsdk:"guests"`
	Unseen types.Set     `tfsdk:"unseen"`
}

type templateRow struct {
	VolumeID types.String `tfsdk:"volume_id"`
	Node     types.String `tfsdk:"node"`
	Storage  types.String `tfsdk:"storage"`
	Size     types.Int64  `tfsdk:"size"`
}

// Schema describes the templates.
func (s *templates) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "What guests can be made of: container template files on the storages, and guests that are templates, of either kind. " +
			"Templates live outside of a provider's `vmid_range`, so the range does not limit this list. What the user may not audit is missing without a word.",
		Attributes: map[string]schema.Attribute{
			"node": filter("Only what this node sees. Default: every node."),
			"files": list("Container templates, by volume id.", map[string]schema.Attribute{
				"volume_id": text("Volume id, for `ostemplate`."),
				"node":      text("A node that reaches the file."),
				"storage":   text("Storage."),
				"size":      count("Size in bytes, null if the storage does not say."),
			}),
			"guests": list("Guests that are templates, by VMID, for `clone`.", guestAttributes()),
			"unseen": textSet("Storages that could not be looked into now, as `STORAGE on NODE`."),
		},
	}
}

// Read lists the files of every storage in question, and the listing's templates.
func (s *templates) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m templatesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	rows, err := s.data.Guests.All(ctx)
	if err != nil {
		resp.Diagnostics.Append(diags.Failed("The templates cannot be listed", err, ""))
	}
	if resp.Diagnostics.HasError() {
		return
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r pve.Resource) bool { return !fits(m.Node, r.Node) })
	stores, unseen := reachable(rows, "vztmpl")
	m.Unseen, m.Files, m.Guests = stringSet(unseen), []templateRow{}, []guestRow{}
	for _, store := range stores {
		content, err := s.data.Client.Content(ctx, store.Node, store.Storage, pve.ContentFilter{Type: "vztmpl"})
		if err != nil {
			resp.Diagnostics.Append(diag.NewErrorDiagnostic(fmt.Sprintf("The templates on storage %s cannot be listed", store.Storage), err.Error()+"."))
			continue
		}
		for _, c := range content {
			m.Files = append(m.Files, templateRow{types.StringValue(c.VolID), types.StringValue(store.Node), types.StringValue(store.Storage), size(c.Size)})
		}
	}
	for _, row := range rows {
		if ref, ok := row.Guest(); ok && bool(row.Template) {
			m.Guests = append(m.Guests, guestOf(row, ref, nil))
		}
	}
	slices.SortFunc(m.Files, func(a, b templateRow) int {
		return strings.Compare(a.VolumeID.ValueString()+a.Node.ValueString(), b.VolumeID.ValueString()+b.Node.ValueString())
	})
	slices.SortFunc(m.Guests, func(a, b guestRow) int { return int(a.VMID.ValueInt64() - b.VMID.ValueInt64()) })
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
