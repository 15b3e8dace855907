package guests

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// Import takes "5001", "pve1/5001" or an identity. Without a node the cluster is
// asked where the guest is.
func Import(ctx context.Context, data *meta.Data, kind guest.Kind, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	node, id, err := importID(ctx, req)
	if err != nil {
		resp.Diagnostics.AddError(fmt.Sprintf("%q is not the id of a %s", req.ID, kind.Noun()),
			fmt.Sprintf("The id is the VMID, or the node and the VMID, for example 5001 or pve1/5001: %v. Nothing has been imported.", err))
		return
	}
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("vmid"), types.Int64Value(int64(id)))...)
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("vmid"), types.Int64Value(int64(id)))...)
	if err := data.Boundary.Check(id); err != nil {
		resp.Diagnostics.Append(Outside(kind, id, err))
		return
	}
	asked := guest.Ref{Node: node, Kind: kind, VMID: id}
	f, err := Find(ctx, data, asked)
	switch {
	case err != nil:
		resp.Diagnostics.Append(NotImported(asked, err))
		return
	case node != "" && node != f.Ref.Node:
		resp.Diagnostics.AddError(fmt.Sprintf("%s is not on node %s", Title(kind, id), node),
			fmt.Sprintf("It is on node %s. Nothing has been imported.\n\nImport %d or %s/%d.", f.Ref.Node, id, f.Ref.Node, id))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("current_node"), f.Ref.Node)...)
}

func importID(ctx context.Context, req resource.ImportStateRequest) (node string, id guest.VMID, err error) {
	if req.ID == "" && req.Identity != nil {
		var number types.Int64
		if d := req.Identity.GetAttribute(ctx, path.Root("vmid"), &number); !d.HasError() && attrs.Known(number) {
			id, err = guest.ParseVMID(fmt.Sprint(number.ValueInt64()))
			return "", id, err
		}
	}
	number := req.ID
	if before, after, found := strings.Cut(req.ID, "/"); found {
		node, number = before, after
	}
	id, err = guest.ParseVMID(number)
	return node, id, err
}
