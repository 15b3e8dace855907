package vm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// cloneOf is what the attribute clone says.
type cloneOf struct {
	id       guest.VMID
	where    string // the node, empty when the user does not say
	full     *bool  // nil: as Proxmox decides
	storage  string
	snapshot string
}

// cloneSource is nil when the VM is no clone, and when the source is not known yet.
func (r *Resource) cloneSource(ctx context.Context, m *model) (*cloneOf, diag.Diagnostics) {
	c, d := attrs.Object[cloneModel](ctx, m.Clone)
	if c == nil || !attrs.Known(c.VMID) {
		return nil, d
	}
	source := &cloneOf{
		id: guest.VMID(c.VMID.ValueInt64()), where: c.Node.ValueString(), storage: c.Storage.ValueString(), snapshot: c.Snapshot.ValueString(),
	}
	if attrs.Known(c.Full) {
		source.full = c.Full.ValueBoolPointer()
	}
	return source, d
}

// node is where the source is: as the user says, else on the node of the new VM.
func (c *cloneOf) node(otherwise string) string {
	if c.where != "" {
		return c.where
	}
	return otherwise
}

// checkClone looks at the source before anything is done: that it is there, that
// its disks can be copied in this way and to this node, and that they are not
// larger than what is wanted.
func (r *Resource) checkClone(ctx context.Context, plan *model) diag.Diagnostics {
	source, d := r.cloneSource(ctx, plan)
	if source == nil || d.HasError() {
		return d
	}
	at := path.Root("clone").AtName("vmid")
	f, err := guests.Find(ctx, r.data, guest.Ref{Node: source.where, Kind: guest.QEMU, VMID: source.id})
	if err != nil {
		return diag.Diagnostics{notCloned(at, source, err)}
	}
	template, _ := keys.ParseBool(f.Config.Values["template"])
	full := !template
	if source.full != nil {
		full = *source.full
	}
	if !full && source.storage != "" {
		d.AddAttributeError(path.Root("clone").AtName("storage"), "A linked clone cannot be put on another storage",
			fmt.Sprintf("VM %d is a template, and a clone of a template is linked unless clone.full says otherwise: it lives on the storage of its base. Nothing has been changed.\n\nSet clone.full = true, or leave clone.storage out.", source.id))
		return d
	}
	d.Append(r.checkFeature(ctx, source, f.Ref, full)...)
	d.Append(r.checkTarget(ctx, plan, source, f)...)
	d.Append(checkSizes(ctx, plan, f)...)
	return d
}

func notCloned(at path.Path, source *cloneOf, err error) diag.Diagnostic {
	if _, gone := errors.AsType[*guests.GoneError](err); gone {
		return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("There is no VM %d to clone", source.id),
			"The cluster says that the number is free. Nothing has been changed.\n\nMake the template first, or name another one.")
	}
	if e, ok := errors.AsType[*guests.OtherKindError](err); ok {
		return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("Guest %d is a container and cannot be cloned as a VM", source.id),
			fmt.Sprintf("It is on node %s. Nothing has been changed.", e.Ref.Node))
	}
	return diags.FailedAt(at, fmt.Sprintf("VM %d cannot be looked at before it is cloned", source.id), err, diags.Nothing)
}

// checkFeature asks whether the storages of the source can do it, once a process.
func (r *Resource) checkFeature(ctx context.Context, source *cloneOf, ref guest.Ref, full bool) diag.Diagnostics {
	feature, what := "clone", "a linked clone"
	if full {
		feature, what = "copy", "a full clone"
	}
	can, err := r.data.Templates.Ask(fmt.Sprintf("feature %s of %s at %q", feature, ref, source.snapshot), func() (bool, error) {
		return r.data.Client.Feature(ctx, ref, feature, source.snapshot)
	})
	switch {
	case errors.Is(err, pve.ErrPermission):
		return nil // could not see: the clone itself will tell
	case err != nil:
		return diag.Diagnostics{diags.FailedAt(path.Root("clone"), fmt.Sprintf("Whether %s of VM %d is possible could not be asked", what, source.id), err, diags.Nothing)}
	case can:
		return nil
	}
	help := "Set clone.full = true."
	if full {
		help = "Name a snapshot on a storage that can copy from one, or leave clone.snapshot out."
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("clone").AtName("full"), fmt.Sprintf("The storages of VM %d cannot make %s of it", source.id, what),
		"Linked clones need a template on a storage with base images (LVM-thin, ZFS, Ceph, Btrfs, or qcow2 files; not plain LVM). Nothing has been changed.\n\n"+help)}
}

// checkTarget refuses a clone to another node from a storage that only one node
// has. Source: PVE::API2::Qemu clone_vm: every drive counts, images too.
func (r *Resource) checkTarget(ctx context.Context, plan *model, source *cloneOf, f guests.Found) diag.Diagnostics {
	if !attrs.Known(plan.Node) || plan.Node.ValueString() == f.Ref.Node {
		return nil
	}
	shared, err := r.sharedStorages(ctx, f.Ref.Node)
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("node"), "The storages of the clone's source could not be checked", err, diags.Nothing)}
	}
	var local []string
	for key, value := range f.Config.Values {
		if !datalabel.IsVolumeKey(guest.QEMU, key) || datalabel.IsUnused(key) {
			continue
		}
		v := volume.ParseValue(value)
		if is, known := shared[v.ID.Storage]; v.Kind == volume.Volume && known && !is {
			local = append(local, fmt.Sprintf("%s (%s)", key, v.ID.Storage))
		}
	}
	if len(local) == 0 {
		return nil
	}
	slices.Sort(local)
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("node"),
		fmt.Sprintf("VM %d on node %s cannot be cloned to node %s", source.id, f.Ref.Node, plan.Node.ValueString()),
		fmt.Sprintf("Proxmox clones to another node only from storages that both have, and these drives are on local ones: %v. Nothing has been changed.\n\n"+
			"Clone to node %s and set node to %s in a second step, which migrates the VM; or keep a template on each node.", local, f.Ref.Node, plan.Node.ValueString()))}
}

func (r *Resource) sharedStorages(ctx context.Context, node string) (map[string]bool, error) {
	rows, err := r.data.Guests.All(ctx)
	if err != nil {
		return nil, err
	}
	shared := map[string]bool{}
	for _, row := range rows {
		if row.Type == "storage" && row.Node == node {
			shared[row.Storage] = bool(row.Shared)
		}
	}
	return shared, nil
}

// checkSizes compares the disks of the source with what is wanted: a clone never
// allocates a disk for a key that the source has, and disks never shrink.
func checkSizes(ctx context.Context, plan *model, f guests.Found) diag.Diagnostics {
	want, d := plan.settings(ctx)
	if d.HasError() {
		return d
	}
	c := change{self: f.Ref.VMID, before: keys.Null[settings](), after: want, live: withoutUnused(f.Config.Values)}
	err := c.plan()
	if e, ok := errors.AsType[*ShrinkError](err); ok {
		return diag.Diagnostics{shrinks(e)}
	}
	if e, ok := errors.AsType[*SourceError](err); ok {
		return diag.Diagnostics{noSource(e)}
	}
	if e, ok := errors.AsType[*ConflictError](err); ok {
		return diag.Diagnostics{occupied(f.Ref.VMID, e)}
	}
	return d
}

// withoutUnused is a configuration as a clone gets it.
func withoutUnused(values map[string]string) map[string]string {
	left := maps.Clone(values)
	maps.DeleteFunc(left, func(key, _ string) bool { return datalabel.IsUnused(key) })
	return left
}

// options are the parameters of the clone call.
func (c *cloneOf) options(m *model, id guest.VMID, sourceNode string) pve.CloneOptions {
	o := pve.CloneOptions{
		NewID: id, Name: m.Name.ValueString(), Pool: m.Pool.ValueString(), Snapshot: c.snapshot, Full: c.full, Storage: c.storage,
	}
	if node := m.Node.ValueString(); node != sourceNode {
		o.Target = node
	}
	return o
}
