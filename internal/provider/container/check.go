package container

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// checkNew checks what a create needs and what follows from the configuration
// alone.
func (r *Resource) checkNew(ctx context.Context, plan *model) diag.Diagnostics {
	var d diag.Diagnostics
	if plan.OSTemplate.IsNull() && plan.Restore.IsNull() && plan.Clone.IsNull() {
		d.Append(missing("ostemplate", `"local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"`))
	}
	if plan.Rootfs.IsNull() {
		d.Append(missing("rootfs", `{ storage = "local-lvm", size = "8G" }`))
	}
	d.Append(r.checkNumber(plan)...)
	if source, _ := plan.source(ctx); source != nil {
		d.Append(source.CheckSource(ctx, r.data, plan.id())...)
	}
	d.Append(r.checkRootOnly(ctx, nil, plan)...)
	return d
}

func missing(name, example string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root(name), fmt.Sprintf("A container cannot be created without %s", name),
		fmt.Sprintf("Set %s, for example %s. Only a container that was imported can do without. Nothing has been changed.", name, example))
}

func (r *Resource) checkNumber(plan *model) diag.Diagnostics {
	if attrs.Known(plan.VMID) {
		if err := r.data.Boundary.Check(plan.id()); err != nil {
			return diag.Diagnostics{guests.Outside(guest.LXC, plan.id(), err)}
		}
		return nil
	}
	if err := r.data.Boundary.Err(); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("vmid"), "The container cannot be created", err, diags.Nothing)}
	}
	return nil
}

func withoutNumber() diag.Diagnostic {
	return diags.FailedAt(path.Root("vmid"), "The container has no VMID and the provider no range to take one from", meta.ErrNoBoundary, diags.Nothing)
}
