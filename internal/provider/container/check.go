package container

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// checkNew checks what a create needs and what follows from the configuration
// alone.
func (r *Resource) checkNew(ctx context.Context, plan *model) diag.Diagnostics {
	var d diag.Diagnostics
	missing := func(name, example string) {
		d.AddAttributeError(path.Root(name), fmt.Sprintf("A container cannot be created without %s", name),
			fmt.Sprintf("Set %s, for example %s. Only a container that was imported can do without. Nothing has been changed.", name, example))
	}
	if plan.OSTemplate.IsNull() {
		missing("ostemplate", `"local:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst"`)
	}
	if plan.Rootfs.IsNull() {
		missing("rootfs", `{ storage = "local-lvm", size = "8G" }`)
	}
	if plan.Node.IsNull() || plan.Node.IsUnknown() && r.data.DefaultNode == "" {
		missing("node", `"pve1", or default_node in the provider block`)
	}
	d.Append(r.checkNumber(plan)...)
	d.Append(r.checkRootOnly(ctx, nil, plan)...)
	return d
}

func (r *Resource) checkNumber(plan *model) diag.Diagnostics {
	if attrs.Known(plan.VMID) {
		if err := r.data.Boundary.Check(plan.id()); err != nil {
			return diag.Diagnostics{outside(plan.id(), err)}
		}
		return nil
	}
	if err := r.data.Boundary.Err(); err != nil {
		return diag.Diagnostics{outside(0, err)}
	}
	return nil
}

func withoutNumber() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("vmid"), "The container has no VMID and the provider no range to take one from",
		meta.ErrNoBoundary.Error()+". Nothing has been changed.\n\nSet vmid, or set vmid_range in the provider block, for example \"5000-8999\": then the lowest free number is taken.")
}
