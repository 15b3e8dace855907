// Package guestlist is what the list resources of both kinds of guest share:
// their filters, and which guests of the cluster's listing they name.
//
// It decides that nothing outside the provider's range is shown, and that nothing
// but the listing is asked, which the whole process shares. How a guest is read
// when the query wants it whole is the resource's affair.
package guestlist

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	tfpath "github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// List names the guests of one kind.
type List struct {
	Data *meta.Data
	Kind guest.Kind
	// Read fills in a whole guest, for queries that want it. The number is in it
	// already.
	Read func(ctx context.Context, ref guest.Ref, into *tfsdk.Resource) diag.Diagnostics
}

// filter is the block config of a query.
type filter struct {
	Node     types.String `tfsdk:"node"`
	Pool     types.String `tfsdk:"pool"`
	Name     types.String `tfsdk:"name"`
	Tags     types.List   `tfsdk:"tags"`
	Template types.Bool   `tfsdk:"template"`
}

// Results are the guests that a request asks for, by number.
func (l List) Results(ctx context.Context, req list.ListRequest) iter.Seq[list.ListResult] {
	rows, d := l.rows(ctx, req.Config)
	if d.HasError() {
		return list.ListResultsStreamDiagnostics(d)
	}
	return func(push func(list.ListResult) bool) {
		for i, row := range rows {
			if req.Limit > 0 && int64(i) >= req.Limit {
				return
			}
			if !push(l.result(ctx, req, row)) {
				return
			}
		}
	}
}

func (l List) rows(ctx context.Context, config tfsdk.Config) ([]pve.Resource, diag.Diagnostics) {
	var f filter
	var d diag.Diagnostics
	if !config.Raw.IsNull() {
		d.Append(config.Get(ctx, &f)...)
	}
	if d.HasError() {
		return nil, d
	}
	what := fmt.Sprintf("The %ss of the cluster cannot be listed", l.Kind.Noun())
	if err := l.Data.Boundary.Err(); err != nil {
		return nil, append(d, diags.Failed(what, err, ""))
	}
	all, err := l.Data.Guests.All(ctx)
	if err != nil {
		return nil, append(d, diags.Failed(what, err, ""))
	}
	var found []pve.Resource
	for _, row := range all {
		ref, ok := row.Guest()
		if ok && ref.Kind == l.Kind && l.Data.Boundary.Check(ref.VMID) == nil && f.fits(row) {
			found = append(found, row)
		}
	}
	slices.SortFunc(found, func(a, b pve.Resource) int { return int(a.VMID - b.VMID) })
	return found, d
}

func (f filter) fits(row pve.Resource) bool {
	switch {
	case attrs.Known(f.Node) && f.Node.ValueString() != row.Node,
		attrs.Known(f.Pool) && f.Pool.ValueString() != row.Pool,
		attrs.Known(f.Template) && f.Template.ValueBool() != bool(row.Template):
		return false
	case attrs.Known(f.Name):
		if fits, err := path.Match(f.Name.ValueString(), row.Name); err != nil || !fits {
			return false
		}
	}
	has := attrs.SplitTags(row.Tags)
	for _, tag := range attrs.Strings(f.Tags) {
		if !slices.ContainsFunc(has, func(t string) bool { return strings.EqualFold(t, tag) }) {
			return false
		}
	}
	return true
}

func (l List) result(ctx context.Context, req list.ListRequest, row pve.Resource) list.ListResult {
	ref, _ := row.Guest()
	result := req.NewListResult(ctx)
	result.DisplayName = displayName(row)
	number := types.Int64Value(int64(ref.VMID))
	result.Diagnostics.Append(result.Identity.SetAttribute(ctx, tfpath.Root("vmid"), number)...)
	if !req.IncludeResource || result.Diagnostics.HasError() {
		return result
	}
	result.Diagnostics.Append(result.Resource.SetAttribute(ctx, tfpath.Root("vmid"), number)...)
	result.Diagnostics.Append(result.Resource.SetAttribute(ctx, tfpath.Root("current_node"), ref.Node)...)
	if !result.Diagnostics.HasError() {
		result.Diagnostics.Append(l.Read(ctx, ref, result.Resource)...)
	}
	return result
}

// displayName is one line for people. A template is flagged: it is not meant to be
// changed or started.
func displayName(row pve.Resource) string {
	name := fmt.Sprintf("%d on %s", row.VMID, row.Node)
	if row.Name != "" {
		name = fmt.Sprintf("%d %s on %s", row.VMID, row.Name, row.Node)
	}
	if row.Template {
		name += " (template)"
	}
	return name
}
