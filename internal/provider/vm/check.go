package vm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// checkNew checks what a create needs and what follows from the configuration
// alone.
func (r *Resource) checkNew(ctx context.Context, plan *model) diag.Diagnostics {
	var d diag.Diagnostics
	d.Append(r.checkNumber(ctx, plan)...)
	d.Append(r.checkRootOnly(ctx, nil, plan)...)
	if plan.Clone.IsNull() && plan.Restore.IsNull() {
		d.Append(checkSources(ctx, plan)...)
	}
	return d
}

func (r *Resource) checkNumber(ctx context.Context, plan *model) diag.Diagnostics {
	if source, _ := plan.source(ctx); source != nil {
		if d := source.CheckSource(ctx, r.data, plan.id()); d.HasError() {
			return d
		}
	}
	if attrs.Known(plan.VMID) {
		if err := r.data.Boundary.Check(plan.id()); err != nil {
			return diag.Diagnostics{guests.Outside(guest.QEMU, plan.id(), err)}
		}
		return nil
	}
	if err := r.data.Boundary.Err(); err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("vmid"), "The VM cannot be created", err, diags.Nothing)}
	}
	return nil
}

// checkSources refuses disks that nothing is said about, when there is no source
// that might bring them.
func checkSources(ctx context.Context, plan *model) diag.Diagnostics {
	want, d := plan.settings(ctx)
	for _, key := range sortedKeys(want.Disks) {
		disk := want.Disks[key]
		unknown := disk.Storage.IsUnknown() || disk.Size.IsUnknown() || disk.Volume.IsUnknown() || disk.ImportFrom.IsUnknown()
		if _, err := (source{disk.Storage, disk.Volume, disk.ImportFrom, disk.Format, disk.Size}).file(key); err != nil && !unknown {
			d.Append(noSource(&SourceError{Key: key}))
		}
	}
	return d
}

// rootOnly are the keys that root@pam alone may set, and their sub-keys.
// Source: PVE::API2::Qemu $check_vm_modify_config_perm.
var rootOnly = []string{"args", "hookscript", "arch", "affinity", "hugepages", "keephugepages", "ivshmem", "spice_enhancements", "vmgenid", "amd-sev", "intel-tdx"}

// onlyRoot reports whether an API token is refused to set a flat key to a text.
func onlyRoot(name, text string) bool {
	key, sub := keyOf(name)
	base := strings.TrimRight(key, "0123456789")
	switch {
	case slices.Contains(rootOnly, key), base == "parallel":
		return true
	case base == "serial":
		return text != "socket"
	case base == "usb" && sub == "host":
		return !strings.EqualFold(text, "spice")
	case base == "hostpci":
		return sub == "host" || sub == "romfile"
	}
	return false
}

// checkRootOnly refuses at plan what Proxmox would refuse at apply: some things are
// for root@pam alone, and an API token never is root@pam. What the state has
// already is not touched and therefore allowed. state is nil for a create.
func (r *Resource) checkRootOnly(ctx context.Context, state, plan *model) diag.Diagnostics {
	if r.data.Client.IsRoot() {
		return nil
	}
	after, d := plan.settings(ctx)
	before := keys.Null[settings]()
	if state != nil {
		var more diag.Diagnostics
		before, more = state.settings(ctx)
		d.Append(more...)
	}
	was, wanted := flat{}, flat{}
	keys.Encode(before, was)
	keys.Encode(after, wanted)
	changed := keys.Changes[settings](was, was, wanted)
	paths := keys.Paths[settings](wanted)
	for _, name := range changed.Set {
		if onlyRoot(name, wanted[name]) {
			d.Append(r.refuseToken(paths[name], name))
		}
	}
	gone := keys.Paths[settings](was)
	for _, name := range changed.Gone {
		if onlyRoot(name, was[name]) {
			d.Append(r.refuseToken(gone[name], name))
		}
	}
	for _, key := range sortedKeys(after.Disks) {
		volume := after.Disks[key].Volume
		if strings.HasPrefix(volume.ValueString(), "/") && !volume.Equal(before.Disks[key].Volume) {
			d.Append(r.refuseToken(path.Root("disks").AtMapKey(key).AtName("volume"), key))
		}
	}
	return d
}

func (r *Resource) refuseToken(at path.Path, name string) diag.Diagnostic {
	key, _ := keyOf(name)
	return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("%s can only be changed by root@pam", key),
		fmt.Sprintf("The provider acts as %s, and Proxmox allows this to root@pam alone; an API token is never root@pam, not even root's own. Nothing has been changed.\n\n"+
			"Use username = \"root@pam\" and password in the provider block for this VM, use a mapping where there is one, or leave the attribute out and set it on the node with qm set.", r.data.Client.User()))
}

// checkTemplate refuses the way back from a template.
func checkTemplate(state, plan *model) diag.Diagnostics {
	if !state.Template.ValueBool() || !attrs.Known(plan.Template) || plan.Template.ValueBool() {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("template"), fmt.Sprintf("VM %d is a template and cannot be turned back", state.id()),
		"Its disks are base images, which other VMs may be linked to. Nothing has been changed.\n\nMake a full clone of it instead.")}
}

// detaches warns of disks that are left out: what becomes of their data is said
// before it happens.
func detaches(ctx context.Context, state, plan *model) diag.Diagnostics {
	if plan.Disks.IsUnknown() {
		return nil
	}
	before, d := attrs.Map[diskModel](ctx, state.Disks)
	after, more := attrs.Map[diskModel](ctx, plan.Disks)
	d.Append(more...)
	volumes, more := guests.Pairs(ctx, state.Volumes)
	d.Append(more...)
	cdroms := plan.CDROMs.Elements()
	for _, key := range sortedKeys(before) {
		_, stays := after[key]
		_, swapped := cdroms[key]
		if stays || swapped {
			continue
		}
		at := path.Root("disks").AtMapKey(key)
		if before[key].OnRemove.ValueString() == "delete" && owns(state.id(), volumes[key]) {
			d.AddAttributeWarning(at, fmt.Sprintf("%s of VM %d will be erased", key, state.id()),
				fmt.Sprintf("The disk %s is left out of the configuration, and its on_remove was applied as \"delete\": its data cannot be brought back.\n\nSet on_remove = \"detach\" and apply that first to keep the data.", volumes[key]))
			continue
		}
		d.AddAttributeWarning(at, fmt.Sprintf("%s of VM %d will be detached", key, state.id()),
			fmt.Sprintf("The disk %s is left out of the configuration. Its data stays: it becomes one of the VM's unused disks, and goes only when the VM is destroyed.\n\nTo have it erased instead, set on_remove = \"delete\" and apply that first.", volumes[key]))
	}
	return d
}
