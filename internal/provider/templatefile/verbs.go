package templatefile

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	tfpath "github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// sees reports whether files of the storage are shown to the identity: an empty
// list is no proof otherwise. Source: PVE::Storage check_volume_access.
func (r *Resource) sees(ctx context.Context, m *model) (bool, error) {
	on := "/storage/" + m.Storage.ValueString()
	p, err := r.data.Client.Permissions(ctx, on)
	return p.Has(on, "Datastore.Audit") || p.Has(on, "Datastore.AllocateSpace") || p.Has(on, "Datastore.Allocate"), err
}

// Read finds the file again. It is gone only when the list would show it.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	found, there, err := r.find(ctx, &m)
	if err == nil && !there {
		var sees bool
		if sees, err = r.sees(ctx, &m); err == nil && !sees {
			err = fmt.Errorf("the files of storage %s cannot be seen, which needs Datastore.Audit on /storage/%s", m.Storage.ValueString(), m.Storage.ValueString())
		}
	}
	switch {
	case err != nil:
		resp.Diagnostics.Append(diags.Failed("The file "+m.VolumeID.ValueString()+" cannot be read", err, "It stays in the state. "+diags.Nothing))
	case !there:
		resp.State.RemoveResource(ctx)
	default:
		if found.Size > 0 {
			m.Size = types.Int64Value(int64(found.Size))
		}
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	}
}

// Update has nothing to send: what is changed in place stands in the state alone.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// Delete removes the file, unless it is to be kept.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	limit, d := m.Timeouts.Delete(ctx, deleteTimeout)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() || m.KeepOnDestroy.ValueBool() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, there, err := r.find(ctx, &m)
	if err == nil && there {
		var task pve.UPID
		if task, err = r.data.Client.DeleteVolume(ctx, m.Node.ValueString(), m.VolumeID.ValueString()); err == nil {
			_, err = r.data.Client.Wait(ctx, task)
		}
	}
	if err != nil {
		resp.Diagnostics.Append(diags.Failed("The file "+m.VolumeID.ValueString()+" was not removed", err, ""))
	}
}

// ImportState takes NODE/VOLUME.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	node, volume, _ := strings.Cut(req.ID, "/")
	storage, name, ok := strings.Cut(volume, ":")
	content, file, parted := strings.Cut(name, "/")
	if !ok || !parted || node == "" {
		resp.Diagnostics.Append(diag.NewErrorDiagnostic(fmt.Sprintf("%q is not the id of a file", req.ID),
			"The id is the node and the volume id, for example pve1/local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst. Nothing has been imported."))
		return
	}
	for name, value := range map[string]string{"node": node, "storage": storage, "content": content, "file_name": file, "volume_id": volume} {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, tfpath.Root(name), value)...)
	}
}
