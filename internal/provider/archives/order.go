package archives

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// Order is what the attribute restore of a managed guest says.
type Order struct {
	Archive string
	Storage string // for the disks of a VM; empty: where they were
	Unique  bool
}

// OrderOf is nil for a guest that is not to be restored, and while the archive is
// not known yet.
func OrderOf(v types.Object) *Order {
	of := v.Attributes()
	archive, ok := of["archive"].(types.String)
	if !ok || !attrs.Known(archive) {
		return nil
	}
	order := &Order{Archive: archive.ValueString(), Unique: true}
	if storage, ok := of["storage"].(types.String); ok {
		order.Storage = storage.ValueString()
	}
	if unique, ok := of["unique"].(types.Bool); ok && attrs.Known(unique) {
		order.Unique = unique.ValueBool()
	}
	return order
}

// OtherArchive reports whether a plan wants a guest of another archive. How it was
// restored is history, and an imported guest gets its archive written down.
func OtherArchive(before, after types.Object) bool {
	was, wanted := before.Attributes()["archive"], after.Attributes()["archive"]
	return was != nil && wanted != nil && guests.ForcesReplace(was, wanted)
}

// CheckKnown refuses to make a guest anew of an archive that is not there yet:
// Terraform may destroy the guest before the backup of it is made.
func CheckKnown(v types.Object) diag.Diagnostics {
	archive, ok := v.Attributes()["archive"].(types.String)
	if !v.IsUnknown() && (!ok || !archive.IsUnknown()) {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("restore"), "The guest would be destroyed for an archive that is not there yet",
		"The plan reinstalls it from an archive that this apply is to make or to replace, and Terraform may destroy the guest first. "+diags.Nothing+
			"\n\nMake the backup in an apply of its own, or write the volume id of an archive that exists.")}
}

// OrderAttribute is the attribute restore of proxmox_container and proxmox_vm. The
// volumes of a container say themselves where they go.
func OrderAttribute(kind guest.Kind) schema.Attribute {
	all := map[string]schema.Attribute{
		"archive": schema.StringAttribute{
			Required: true,
			MarkdownDescription: fmt.Sprintf("Volume id of the archive, for example `nas:backup/vzdump-%s-5001-2026_11_29-02_30_00.tar.zst`. It may be gone once the %s is there. "+
				"A change from one archive to another **reinstalls** the %s.", kind, kind.Noun(), kind.Noun()),
			Validators:    []validator.String{valid.Rule("the volume id of a backup archive of a "+kind.Noun(), func(text string) error { return checkKind(kind, text) })},
			PlanModifiers: []planmodifier.String{guests.ReplaceOnString(kind)},
		},
		"unique": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether network devices get new MAC addresses, as far as the configuration sets none. Default: `true`. " +
				"`false` is refused while the original runs. It matters only while the guest is restored.",
		},
	}
	if kind == guest.QEMU {
		all["storage"] = schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "The storage for all disks, of content `images`. Default: the storages that they were on. A `storage` of `disks` moves a disk after that.",
			Validators:          []validator.String{valid.StorageID()},
		}
	}
	return schema.SingleNestedAttribute{Optional: true, MarkdownDescription: orderDescription[kind], Attributes: all}
}

var orderDescription = map[guest.Kind]string{
	guest.LXC: "Makes the container of a backup archive instead of `ostemplate`. Data comes from the archive; everything else is as declared here, and what is not declared is not taken over from the archive. " +
		"Every mount point whose data is in the archive has to be declared, as a new volume at the same path. `password_wo` and `ssh_public_keys` are not set. Setting it for a container that is there changes nothing. " +
		"Needs VM.Backup on the VMID that the archive is of.",
	guest.QEMU: "Makes the VM of a backup archive instead of `clone`. What is declared here is laid over the configuration in the archive. Setting it for a VM that is there changes nothing. " +
		"Needs VM.Backup on the VMID that the archive is of.",
}

// KindError says that an archive is of the other kind of guest.
type KindError struct{ Kind guest.Kind }

func (e *KindError) Error() string { return fmt.Sprintf("it is the archive of a %s", e.Kind.Noun()) }

func checkKind(kind guest.Kind, text string) error {
	a, err := vzdump.ParseArchive(text)
	if err == nil && a.Kind != kind {
		return &KindError{Kind: a.Kind}
	}
	return err
}

// Open reads an archive. Whose archive it is has to be within the provider's range,
// too.
func Open(ctx context.Context, data *meta.Data, at path.Path, node, archive string) (Source, diag.Diagnostics) {
	a, err := vzdump.ParseArchive(archive)
	if err == nil {
		err = data.Boundary.Check(a.VMID)
	}
	if err != nil {
		return Source{}, diag.Diagnostics{Unusable(at, archive, err)}
	}
	source, err := ReadSource(ctx, data, node, archive)
	if err != nil {
		return source, diag.Diagnostics{Unusable(at, archive, err)}
	}
	return source, nil
}

// Open reads the archive of an order and checks what it asks for.
func (o Order) Open(ctx context.Context, data *meta.Data, kind guest.Kind, node string) (Source, diag.Diagnostics) {
	at := path.Root("restore")
	if err := checkKind(kind, o.Archive); err != nil { // known only now
		return Source{}, diag.Diagnostics{Unusable(at.AtName("archive"), o.Archive, err)}
	}
	source, d := Open(ctx, data, at.AtName("archive"), node, o.Archive)
	if d.HasError() {
		return source, d
	}
	return source, append(d, source.CheckUnique(ctx, data, at.AtName("unique"), o.Unique)...)
}

// Undeclared are the mount points of a container whose data is in the archive and
// would not get a volume of its own: it would be unpacked into the volume around
// it. declared tells of the mount point at a path whether it is a new volume.
func (s Source) Undeclared(declared map[string]bool) []vzdump.Content {
	var lost []vzdump.Content
	for _, c := range vzdump.Contents(s.Archive.Kind, s.Config) {
		if c.In && c.Key != "rootfs" && !declared[CleanPath(c.Path)] {
			lost = append(lost, c)
		}
	}
	return lost
}

// CleanPath is a path in a container in one spelling.
func CleanPath(p string) string { return "/" + strings.Trim(p, "/") }
