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
		d.Append(r.checkStorage(ctx, node, use)...)
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

// storageUse is a storage that a volume is to be made on.
type storageUse struct {
	at      path.Path
	storage string
}

// storageUses are the storages that the plan makes volumes on and the state does
// not have them on, in the order of their keys.
func (m *model) storageUses(ctx context.Context, state *model, d *diag.Diagnostics) []storageUse {
	var before wanted
	after, more := m.wants(ctx)
	d.Append(more...)
	if state != nil {
		before, more = state.wants(ctx)
		d.Append(more...)
	}
	var uses []storageUse
	add := func(at path.Path, now, then types.String) {
		if attrs.Known(now) && !now.Equal(then) {
			uses = append(uses, storageUse{at.AtName("storage"), now.ValueString()})
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

// checkStorage looks into the shared listing first. A storage that is not listed
// may be hidden from the user, so the node is asked for it by name.
func (r *Resource) checkStorage(ctx context.Context, node string, use storageUse) diag.Diagnostics {
	rows, err := r.data.Guests.All(ctx)
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(use.at, fmt.Sprintf("Storage %s could not be checked", use.storage), err, diags.Nothing)}
	}
	for _, row := range rows {
		if row.Type == "storage" && row.Storage == use.storage && row.Node == node {
			if slices.Contains(row.ContentTypes(), "rootdir") {
				return nil
			}
			return diag.Diagnostics{noContainers(use, node)}
		}
	}
	storage, err := r.data.Client.Storage(ctx, node, use.storage)
	switch {
	case errors.Is(err, pve.ErrPermission):
		return nil // could not see: the call itself will tell
	case errors.Is(err, pve.ErrNoSuch):
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(use.at, fmt.Sprintf("There is no storage %s on node %s", use.storage, node),
			"Nothing has been changed.\n\nUse one of the storages that pvesm status shows on the node, with content rootdir.")}
	case err != nil:
		return diag.Diagnostics{diags.FailedAt(use.at, fmt.Sprintf("Storage %s on node %s could not be checked", use.storage, node), err, diags.Nothing)}
	case !storage.Allows("rootdir"):
		return diag.Diagnostics{noContainers(use, node)}
	}
	return nil
}

func noContainers(use storageUse, node string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(use.at, fmt.Sprintf("Storage %s on node %s does not take containers", use.storage, node),
		"Its content types do not include rootdir. Nothing has been changed.\n\nUse another storage, or allow it: pvesm set "+use.storage+" --content rootdir,… with the types that it has now.")
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
