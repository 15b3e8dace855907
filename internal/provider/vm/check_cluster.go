package vm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// checkCluster asks the cluster for what the planned change needs: that storages
// exist and take disks of VMs, and that images are there. An unchanged VM asks
// nothing. state is nil for a create.
func (r *Resource) checkCluster(ctx context.Context, plan, state *model) diag.Diagnostics {
	if !attrs.Known(plan.Node) {
		return nil
	}
	after, d := plan.settings(ctx)
	before := keys.Null[settings]()
	if state != nil {
		var more diag.Diagnostics
		before, more = state.settings(ctx)
		d.Append(more...)
	}
	c := checking{r: r, ctx: ctx, node: plan.Node.ValueString(), diags: &d}
	for _, key := range sortedKeys(after.Disks) {
		now, then, at := after.Disks[key], before.Disks[key], path.Root("disks").AtMapKey(key)
		c.storage(at.AtName("storage"), now.Storage, then.Storage)
		if _, there := before.Disks[key]; !there {
			c.image(at.AtName("import_from"), now.ImportFrom)
		}
	}
	if e := after.EFIDisk; e != nil && (before.EFIDisk == nil || !e.Storage.Equal(before.EFIDisk.Storage)) {
		c.storage(path.Root("efi_disk").AtName("storage"), e.Storage, types.StringNull())
	}
	if t := after.TPMState; t != nil && (before.TPMState == nil || !t.Storage.Equal(before.TPMState.Storage)) {
		c.storage(path.Root("tpm_state").AtName("storage"), t.Storage, types.StringNull())
	}
	if i := after.CloudInit; i != nil && (before.CloudInit == nil || !i.Storage.Equal(before.CloudInit.Storage)) {
		c.storage(path.Root("cloud_init").AtName("storage"), i.Storage, types.StringNull())
	}
	if source, _ := plan.source(ctx); state == nil && source != nil && source.Storage != "" {
		c.storage(path.Root("clone").AtName("storage"), types.StringValue(source.Storage), types.StringNull())
	}
	return d
}

type checking struct {
	r     *Resource
	ctx   context.Context //nolint:containedctx // lives as long as one plan call
	node  string
	diags *diag.Diagnostics
}

func (c checking) storage(at path.Path, now, then types.String) {
	if attrs.Known(now) && !now.Equal(then) {
		c.diags.Append(guests.CheckStorage(c.ctx, c.r.data, guests.StorageUse{At: at, Node: c.node, Storage: now.ValueString(), Content: "images"})...)
	}
}

// image asks for a volume that is to be copied, once a process. A disk of another
// VM may be hidden from the user, so only images are looked for; the create is the
// judge of the rest.
func (c checking) image(at path.Path, from types.String) {
	id, err := volume.Parse(from.ValueString())
	if err != nil || !strings.HasPrefix(id.Name, "import/") {
		return
	}
	present, err := c.r.data.Templates.Ask(c.node+" "+id.String(), func() (bool, error) {
		list, err := c.r.data.Client.Content(c.ctx, c.node, id.Storage, pve.ContentFilter{Type: "import"})
		switch {
		case errors.Is(err, pve.ErrPermission):
			return true, nil // could not see: the create will tell
		case errors.Is(err, pve.ErrNoSuch):
			return false, nil
		}
		// A disk in an appliance is a part of what is listed.
		return slices.ContainsFunc(list, func(one pve.Content) bool {
			return one.VolID == id.String() || strings.HasPrefix(id.String(), one.VolID+"/")
		}), err
	})
	switch {
	case err != nil:
		c.diags.Append(diags.FailedAt(at, fmt.Sprintf("The image %s could not be checked on node %s", id, c.node), err, diags.Nothing))
	case !present:
		c.diags.AddAttributeError(at, fmt.Sprintf("The image %s is not on node %s", id, c.node),
			"Nothing has been changed.\n\nDownload it first, for example with proxmox_template_file, or with the web interface to a storage with content import.")
	}
}
