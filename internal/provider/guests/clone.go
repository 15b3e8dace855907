package guests

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// CloneAttribute is the source of a guest that is made as a copy of another one.
func CloneAttribute(kind guest.Kind, description, linkable string) schema.Attribute {
	noun := kind.Noun()
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: description + fmt.Sprintf(" A change from one source to another **reinstalls** the %s; setting it for an imported one does not. "+
			"Needs VM.Clone on the source and Datastore.AllocateSpace.", noun),
		Attributes: map[string]schema.Attribute{
			"vmid": schema.Int64Attribute{Required: true, MarkdownDescription: fmt.Sprintf("VMID of the %s or template to copy.", noun),
				Validators: []validator.Int64{int64validator.Between(int64(guest.MinVMID), int64(guest.MaxVMID))}},
			"node": schema.StringAttribute{Optional: true, MarkdownDescription: "The node that the source is on. Default: it is looked up.",
				Validators: []validator.String{valid.NodeName()}},
			"full": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether all data is copied. Default: `false` (a linked clone) for a template, `true` otherwise. A linked clone needs a storage that can (" + linkable + ")."},
			"storage": schema.StringAttribute{Optional: true, MarkdownDescription: "Where a full clone is put. Default: the storages of the source.",
				Validators: []validator.String{valid.StorageID()}},
			"snapshot": schema.StringAttribute{Optional: true, MarkdownDescription: "The snapshot of the source to copy. Default: its current state.",
				Validators: []validator.String{stringvalidator.LengthAtMost(40)}},
		},
		PlanModifiers: []planmodifier.Object{ReplaceOnClone(kind)},
	}
}

type cloneModel struct {
	VMID     types.Int64  `tfsdk:"vmid"`
	Node     types.String `tfsdk:"node"`
	Full     types.Bool   `tfsdk:"full"`
	Storage  types.String `tfsdk:"storage"`
	Snapshot types.String `tfsdk:"snapshot"`
}

// Clone is what the attribute clone says.
type Clone struct {
	// Source is the guest to copy; its node is empty when the user does not say.
	Source   guest.Ref
	Full     *bool // nil: as Proxmox decides
	Storage  string
	Snapshot string
}

// CloneOf reads the attribute clone. It is nil when the guest is no clone, and when
// the source is not known yet.
func CloneOf(ctx context.Context, kind guest.Kind, v types.Object) (*Clone, diag.Diagnostics) {
	m, d := attrs.Object[cloneModel](ctx, v)
	if m == nil || !attrs.Known(m.VMID) {
		return nil, d
	}
	c := &Clone{
		Source:  guest.Ref{Node: m.Node.ValueString(), Kind: kind, VMID: guest.VMID(m.VMID.ValueInt64())},
		Storage: m.Storage.ValueString(), Snapshot: m.Snapshot.ValueString(),
	}
	if attrs.Known(m.Full) {
		c.Full = m.Full.ValueBoolPointer()
	}
	return c, d
}

// At is the source, on the given node when the user names none.
func (c *Clone) At(otherwise string) guest.Ref {
	source := c.Source
	if source.Node == "" {
		source.Node = otherwise
	}
	return source
}

var cloneAt = path.Root("clone")

// CheckSource refuses a source on the wrong side of the provider's range, and a
// clone of itself.
func (c *Clone) CheckSource(ctx context.Context, data *meta.Data, self guest.VMID) diag.Diagnostics {
	if c.Source.VMID == self {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(cloneAt.AtName("vmid"), Title(c.Source.Kind, self)+" cannot be a clone of itself",
			"Nothing has been changed.\n\nName the template to copy.")}
	}
	if err := data.CheckSource(ctx, c.Source.VMID); err != nil {
		return diag.Diagnostics{diags.FailedAt(cloneAt.AtName("vmid"), fmt.Sprintf("Guest %d cannot be the source of a clone", c.Source.VMID), err, diags.Nothing)}
	}
	return nil
}

// Look finds the source before anything is done, and says whether it will be copied
// in full.
func (c *Clone) Look(ctx context.Context, data *meta.Data) (f Found, full bool, d diag.Diagnostics) {
	f, err := Find(ctx, data, c.Source)
	if err != nil {
		return f, false, diag.Diagnostics{c.notFound(err)}
	}
	template, _ := keys.ParseBool(f.Config.Values["template"])
	full = !template
	if c.Full != nil {
		full = *c.Full
	}
	if !full && c.Storage != "" {
		d.AddAttributeError(cloneAt.AtName("storage"), "A linked clone cannot be put on another storage",
			fmt.Sprintf("A clone of a template is linked unless clone.full says otherwise: it lives on the storage of its base. Source: %s. Nothing has been changed.\n\nSet clone.full = true, or leave clone.storage out.", f.Ref))
	}
	return f, full, d
}

// Can checks that the volumes of the source can be copied in this way and to this
// node.
func (c *Clone) Can(ctx context.Context, data *meta.Data, node types.String, f Found, full bool) diag.Diagnostics {
	return append(c.checkFeature(ctx, data, f.Ref, full), c.checkTarget(ctx, data, node, f)...)
}

func (c *Clone) notFound(err error) diag.Diagnostic {
	at, noun := cloneAt.AtName("vmid"), c.Source.Kind.Noun()
	if _, gone := errors.AsType[*GoneError](err); gone {
		return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("There is no %s %d to clone", noun, c.Source.VMID),
			"The cluster says that the number is free. Nothing has been changed.\n\nMake the template first, or name another one.")
	}
	if e, ok := errors.AsType[*OtherKindError](err); ok {
		return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("Guest %d is a %s and cannot be cloned as a %s", c.Source.VMID, e.Ref.Kind.Noun(), noun),
			fmt.Sprintf("It is on node %s. Nothing has been changed.", e.Ref.Node))
	}
	return diags.FailedAt(at, Title(c.Source.Kind, c.Source.VMID)+" cannot be looked at before it is cloned", err, diags.Nothing)
}

// checkFeature asks whether the storages of the source can do it, once a process.
func (c *Clone) checkFeature(ctx context.Context, data *meta.Data, ref guest.Ref, full bool) diag.Diagnostics {
	feature, what := "clone", "a linked clone"
	if full {
		feature, what = "copy", "a full clone"
	}
	title := Title(ref.Kind, ref.VMID)
	can, err := data.Templates.Ask(fmt.Sprintf("feature %s of %s at %q", feature, ref, c.Snapshot), func() (bool, error) {
		return data.Client.Feature(ctx, ref, feature, c.Snapshot)
	})
	switch {
	case errors.Is(err, pve.ErrPermission):
		return nil // could not see: the clone itself will tell
	case err != nil:
		return diag.Diagnostics{diags.FailedAt(cloneAt, fmt.Sprintf("Whether %s of %s is possible could not be asked", what, title), err, diags.Nothing)}
	case can:
		return nil
	}
	help := "Set clone.full = true."
	if full {
		help = "Name a snapshot on a storage that can copy from one, or leave clone.snapshot out."
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(cloneAt.AtName("full"), fmt.Sprintf("The storages of %s cannot make %s of it", title, what),
		"A linked clone needs a template on a storage with base images, and what Proxmox cannot copy (a directory or device of the node) makes any clone impossible. Nothing has been changed.\n\n"+help)}
}

// checkTarget refuses a clone to another node from a storage that only one node
// has. Source: PVE::API2::Qemu clone_vm: every drive counts, images too.
func (c *Clone) checkTarget(ctx context.Context, data *meta.Data, node types.String, f Found) diag.Diagnostics {
	if !attrs.Known(node) || node.ValueString() == f.Ref.Node {
		return nil
	}
	shared, err := sharedStorages(ctx, data, f.Ref.Node)
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("node"), "The storages of the clone's source could not be checked", err, diags.Nothing)}
	}
	var local []string
	for key, value := range f.Config.Values {
		if !datalabel.IsVolumeKey(f.Ref.Kind, key) || datalabel.IsUnused(key) {
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
		fmt.Sprintf("%s on node %s cannot be cloned to node %s", Title(f.Ref.Kind, f.Ref.VMID), f.Ref.Node, node.ValueString()),
		fmt.Sprintf("Proxmox clones to another node only from storages that both have, and these volumes are on local ones: %v. Nothing has been changed.\n\n"+
			"Clone to node %s and set node to %s in a second step, which migrates the guest; or keep a template on each node.", local, f.Ref.Node, node.ValueString()))}
}

func sharedStorages(ctx context.Context, data *meta.Data, node string) (map[string]bool, error) {
	rows, err := data.Guests.All(ctx)
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
