package container

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Source: PVE::LXC::Config $rootfs_desc.
var mountOptions = []string{"discard", "lazytime", "noatime", "nodev", "noexec", "nosuid"}

func storageAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"rootfs": schema.SingleNestedAttribute{
			Optional: true,
			MarkdownDescription: "The root disk. Required to create a container. Growing it is in place and online; another `storage` moves the volume, for which a running container is shut down and started again. " +
				"Needs VM.Config.Disk, and Datastore.AllocateSpace on the storage.",
			Attributes: rootfsAttributes(),
		},
		"mount_points": schema.MapNestedAttribute{
			Optional: true,
			MarkdownDescription: "Mount points by their key, `mp0` to `mp255`. Each is a new volume (`storage` and `size`), an existing volume, or a directory or device of the node (`volume`). " +
				"Adding and growing one is in place and online. Removing one detaches it: its volume becomes `unusedN` and nothing is erased. " +
				"A mount point that somebody else attached and that is not declared here is left alone; `volumes` shows it with the mount fate `dropped`.",
			NestedObject: schema.NestedAttributeObject{Attributes: mountPointAttributes()},
			Validators:   []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.KeysAre(valid.NumberedKey("mp", 255))},
		},
	}
}

func rootfsAttributes() map[string]schema.Attribute {
	all := map[string]schema.Attribute{
		"storage": schema.StringAttribute{Required: true, MarkdownDescription: "The storage, with content `rootdir`.", Validators: []validator.String{valid.StorageID()}},
		"size":    sizeAttribute("Size with a unit, for example `8G`; `8192M` and `8GiB` are the same. It grows in place and never shrinks. Required to create a container."),
	}
	maps.Copy(all, volumeOptions())
	return all
}

func mountPointAttributes() map[string]schema.Attribute {
	all := map[string]schema.Attribute{
		"path": schema.StringAttribute{Required: true, MarkdownDescription: "Where it is mounted in the container (`mp`).", Validators: []validator.String{valid.AbsolutePath()}},
		"storage": schema.StringAttribute{Optional: true, MarkdownDescription: "The storage of a new volume. A change moves the volume; the old copy becomes `unusedN`.",
			Validators: []validator.String{valid.StorageID()}},
		"size": sizeAttribute("Size of a new volume, with a unit. It grows in place and never shrinks."),
		"volume": schema.StringAttribute{Optional: true,
			MarkdownDescription: "Instead of `storage` and `size`: a volume id that exists, a directory of the node (bind mount) or a device of the node (`/dev/…`). Directories and devices can only be set by root@pam, an API token cannot.",
			Validators:          []validator.String{valid.MountSource()}},
		"backup":    schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether backups include the volume. Default: `false`. Bind mounts and devices are never in a backup."},
		"keepattrs": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether owner and mode of the mount target in the container are kept (Proxmox VE 9.1 or newer). Default: `false`."},
	}
	maps.Copy(all, volumeOptions())
	return all
}

// volumeOptions are the options that the root disk and mount points share.
func volumeOptions() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"acl": schema.BoolAttribute{Optional: true, MarkdownDescription: "POSIX access control lists, on or off. Default: the file system's."},
		"mount_options": schema.SetAttribute{ElementType: types.StringType, Optional: true,
			MarkdownDescription: "Options of the mount: `discard`, `lazytime`, `noatime`, `nodev`, `noexec`, `nosuid`. Default: none. Seen after the next start.",
			Validators:          []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(stringvalidator.OneOf(mountOptions...))}},
		"quota":     schema.BoolAttribute{Optional: true, MarkdownDescription: "User quotas; not for unprivileged containers. Default: `false`."},
		"read_only": schema.BoolAttribute{Optional: true, MarkdownDescription: "Read-only (`ro`). Default: `false`."},
		"replicate": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether storage replication includes the volume. Default: `true`."},
		"shared":    schema.BoolAttribute{Optional: true, MarkdownDescription: "Marks a volume that every node has under the same name. It does not share anything by itself. Default: `false`."},
		"idmap": schema.StringAttribute{Optional: true, MarkdownDescription: "Mapping of user ids of the mount, `passthrough` or a map as Proxmox writes it (Proxmox VE 9.1 or newer). Default: none.",
			Validators: []validator.String{valid.NoComma()}},
	}
}

func sizeAttribute(description string) schema.Attribute {
	return schema.StringAttribute{
		CustomType: attrs.SizeType{}, Optional: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.String{attrs.GrowOnly()},
	}
}
