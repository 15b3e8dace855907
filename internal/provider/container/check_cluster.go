package container

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// checkCluster asks the cluster for what the planned change needs: that storages
// exist and take containers, and that the template is there. An unchanged
// container asks nothing. state is nil for a create.
func (r *Resource) checkCluster(ctx context.Context, plan, state *model) diag.Diagnostics {
	if !attrs.Known(plan.Node) {
		return nil
	}
	var d diag.Diagnostics
	node := plan.Node.ValueString()
	for _, use := range plan.storageUses(ctx, state, &d) {
		d.Append(guests.CheckStorage(ctx, r.data, use)...)
	}
	if attrs.Known(plan.OSTemplate) && (state == nil || forcesReplace(state.OSTemplate, plan.OSTemplate)) {
		d.Append(r.checkTemplate(ctx, node, plan.OSTemplate.ValueString())...)
	}
	if state == nil || reinstalls(state, plan) {
		d.Append(r.planRestore(ctx, plan, state != nil)...)
		d.Append(r.checkClone(ctx, plan)...)
	}
	return d
}

// storageUses are the storages that the plan makes volumes on and the state does
// not have them on, in the order of their keys.
func (m *model) storageUses(ctx context.Context, state *model, d *diag.Diagnostics) []guests.StorageUse {
	var before wanted
	after, more := m.wants(ctx)
	d.Append(more...)
	if state != nil {
		before, more = state.wants(ctx)
		d.Append(more...)
	}
	var uses []guests.StorageUse
	add := func(at path.Path, now, then types.String) {
		if attrs.Known(now) && !now.Equal(then) {
			uses = append(uses, guests.StorageUse{At: at.AtName("storage"), Node: m.Node.ValueString(), Storage: now.ValueString(), Content: "rootdir"})
		}
	}
	if after.rootfs != nil {
		var then types.String
		if before.rootfs != nil {
			then = before.rootfs.Storage
		}
		add(path.Root("rootfs"), after.rootfs.Storage, then)
	}
	for _, key := range slices.Sorted(maps.Keys(after.mounts)) {
		add(path.Root("mount_points").AtMapKey(key), after.mounts[key].Storage, before.mounts[key].Storage)
	}
	return uses
}

// checkTemplate asks for the template by its volume id, once a process.
func (r *Resource) checkTemplate(ctx context.Context, node, template string) diag.Diagnostics {
	at := path.Root("ostemplate")
	present, err := r.data.Templates.Ask(node+" "+template, func() (bool, error) {
		return r.templatePresent(ctx, node, template)
	})
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(at, fmt.Sprintf("The template %s could not be checked on node %s", template, node), err, diags.Nothing)}
	}
	if !present {
		id, _ := volume.Parse(template)
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("The template %s is not on node %s", template, node),
			fmt.Sprintf("Nothing has been changed.\n\nDownload it first, for example with proxmox_template_file or with pveam download on the node; pveam list %s shows what is there.", id.Storage))}
	}
	return nil
}

// templatePresent lists the templates of the storage. A list without it is
// believed only if the storage itself may be seen.
func (r *Resource) templatePresent(ctx context.Context, node, template string) (bool, error) {
	id, err := volume.Parse(template)
	if err != nil {
		return false, err
	}
	list, err := r.data.Client.Content(ctx, node, id.Storage, pve.ContentFilter{Type: "vztmpl"})
	switch {
	case errors.Is(err, pve.ErrPermission):
		return true, nil // could not see: the create will tell
	case errors.Is(err, pve.ErrNoSuch):
		return false, nil
	case err != nil:
		return false, err
	}
	for _, one := range list {
		if one.VolID == template {
			return true, nil
		}
	}
	return false, nil
}
