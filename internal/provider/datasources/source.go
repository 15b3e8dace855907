// Package datasources holds the data sources: what the cluster has, bounded by the
// provider's VMID range.
//
// It decides what is shown and how much of it could be seen. An empty answer is
// never passed on as "none" where a missing privilege would make it empty.
package datasources

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// All are the constructors of the data sources.
func All() []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return &backups{source: source{name: "backups"}} },
		func() datasource.DataSource { return &unprotected{source: source{name: "unprotected_guests"}} },
		func() datasource.DataSource { return &storages{source: source{name: "storages"}} },
		func() datasource.DataSource { return &nodes{source: source{name: "nodes"}} },
		func() datasource.DataSource { return &guestList{source: source{name: "guests"}} },
		func() datasource.DataSource { return &templates{source: source{name: "templates"}} },
		func() datasource.DataSource { return &version{source: source{name: "version"}} },
	}
}

// source is what all data sources share.
type source struct {
	name string
	data *meta.Data
}

// Metadata names the data source.
func (s *source) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + s.name
}

// Configure takes what the provider block made.
func (s *source) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	s.data = data
}

func text(what string) schema.Attribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: what}
}

func count(what string) schema.Attribute {
	return schema.Int64Attribute{Computed: true, MarkdownDescription: what}
}

func flag(what string) schema.Attribute {
	return schema.BoolAttribute{Computed: true, MarkdownDescription: what}
}

func list(what string, of map[string]schema.Attribute) schema.Attribute {
	return schema.ListNestedAttribute{Computed: true, MarkdownDescription: what, NestedObject: schema.NestedAttributeObject{Attributes: of}}
}

func textSet(what string) schema.Attribute {
	return schema.SetAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: what}
}

func filter(what string) schema.Attribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: what}
}

// optional is a text, null when it is empty.
func optional(s string) types.String {
	if s == "" {
		return types.StringNull()
	}
	return types.StringValue(s)
}

func stringSet(items []string) types.Set {
	elements := make([]attr.Value, len(items))
	for i, item := range items {
		elements[i] = types.StringValue(item)
	}
	return types.SetValueMust(types.StringType, elements)
}

// fits reports whether a filter is not set or equal.
func fits(filter types.String, value string) bool {
	return filter.IsNull() || filter.ValueString() == value
}

// reachable picks the storage rows that take a content, a shared storage once, and
// names those that cannot be looked into now. Sorted.
func reachable(rows []pve.Resource, content string) (seen []pve.Resource, unseen []string) {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b pve.Resource) int {
		return strings.Compare(a.Storage+"\x00"+a.Node, b.Storage+"\x00"+b.Node)
	})
	shared := map[string]bool{}
	for _, row := range rows {
		switch {
		case row.Type != "storage" || !slices.Contains(row.ContentTypes(), content):
		case row.Status != "available":
			unseen = append(unseen, row.Storage+" on "+row.Node)
		case bool(row.Shared) && shared[row.Storage]:
		default:
			shared[row.Storage] = bool(row.Shared)
			seen = append(seen, row)
		}
	}
	return seen, slices.DeleteFunc(unseen, func(name string) bool {
		storage, _, _ := strings.Cut(name, " on ")
		return shared[storage]
	})
}
