package vm

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Schema groups the attributes: a flat schema of this size costs tens of
// milliseconds of CPU a resource in every plan.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schemaOf(ctx)
}

// IdentitySchema names a VM by its number, which is unique in a cluster and never
// changes; the node may.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"vmid": identityschema.Int64Attribute{RequiredForImport: true, Description: "The VMID of the VM, 100 to 999999999."},
		},
	}
}

func schemaOf(ctx context.Context) schema.Schema {
	all := attributes{}
	for _, group := range []attributes{
		placeAttributes(), sourceAttributes(), powerAttributes(), settingAttributes(), hardwareAttributes(), systemAttributes(),
		storageAttributes(), deviceAttributes(), computedAttributes(),
	} {
		maps.Copy(all, group)
	}
	all["cloud_init"] = cloudInitAttribute()
	all["timeouts"] = timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Read: true, Update: true, Delete: true,
		CreateDescription: "How long cloning, importing, configuring and starting may take. Default: 60m.",
		ReadDescription:   "How long reading may take. Default: 2m.",
		UpdateDescription: "How long an update may take, moves of disks, migration and restarts included. Default: 60m.",
		DeleteDescription: "How long the shutdown and the destruction may take. Default: 30m.",
	})
	return schema.Schema{MarkdownDescription: resourceDescription, Attributes: all}
}

const resourceDescription = "A virtual machine (QEMU) of a Proxmox VE cluster.\n\n" +
	"**A change of `clone`, `restore.archive`, `vmid` or `reinstall_trigger` reinstalls the VM: it is destroyed and made again.** Nothing else does. " +
	"The plan prints the attribute `volumes` with a data label for every disk, so that a reviewer sees which data goes.\n\n" +
	"**Only what is declared here is managed.** A disk, a network device or a setting that the template brought and that is not declared is left alone. " +
	"Leaving out something that was declared resets it; a disk is detached then and becomes `unusedN`, its data stays.\n\n" +
	"\"In place\" means without an interruption. \"Needs a restart\" means that Proxmox keeps the change pending on a running VM until it is stopped and started: see `restart_for_pending`."

// placeAttributes say which guest it is and where.
func placeAttributes() attributes {
	return attributes{
		"node": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The node that the VM is made on. Default: the provider's `default_node`. A change migrates the VM, online while it runs, with its local disks; a VM that somebody else migrated stays where it is, see `current_node`. Needs VM.Migrate for a change.",
			Validators:          []validator.String{valid.NodeName()},
		},
		"vmid": schema.Int64Attribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The VMID, 100 to 999999999, within the provider's `vmid_range` if that is set. Default: the lowest free number of `vmid_range`. A change **reinstalls** the VM under the other number.",
			Validators:          []validator.Int64{valid.VMID()},
			PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown(), replaceOnInt64()},
		},
		"current_node": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "The node that the VM is on, as last read.",
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"pool": text("The resource pool. Default: none. A change is in place. Needs Pool.Allocate."),
	}
}

// sourceAttributes matter when the VM is made or reinstalled.
func sourceAttributes() attributes {
	return attributes{
		"clone": guests.CloneAttribute(guest.QEMU, "Makes the VM as a copy of another one. Without it the VM is made empty, from `import_from` of its disks, or to be installed from a CD-ROM.",
			"LVM-thin, ZFS, Ceph, Btrfs, or qcow2 files; not plain LVM"),
		"restore": archives.OrderAttribute(guest.QEMU),
		"reinstall_trigger": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Any text. A change from one text to another **reinstalls** the VM; setting it for the first time does not.",
			PlanModifiers:       []planmodifier.String{replaceOnString()},
		},
		"waive_blockers": set("Reasons against a reinstall or a destruction that are waived. Only `protected_restore_point` can be.", stringvalidator.OneOf("protected_restore_point")),
	}
}

// powerAttributes say whether the VM runs.
func powerAttributes() attributes {
	return attributes{
		"started": schema.BoolAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Whether the VM runs. Default: `true`, `false` for a template. A change starts it, or shuts it down and cuts the power if it does not go. No other change starts a stopped VM. Needs VM.PowerMgmt.",
		},
		"template":            flag("Whether the VM is a template. Default: `false`. Setting it converts the VM in place, which cannot be undone. Needs VM.Allocate."),
		"restart_for_pending": flag("Whether a running VM is shut down and started again when a change waits for that. Default: `false`: the change stays pending and a warning names the keys."),
		"read_addresses":      flag("Whether `addresses` is filled, at the price of one call of the guest agent for each refresh. Default: `false`."),
		"wait_for_addresses": object("What to wait for after the VM was made and started. Default: nothing. A guest agent that does not answer ends in a warning. A refresh never waits. Needs VM.GuestAgent.Audit (VM.Monitor on Proxmox VE 8).", attributes{
			"ipv4":    flag("Whether to wait for an IPv4 address that is not link-local. Default: `false`."),
			"ipv6":    flag("Whether to wait for an IPv6 address that is not link-local. Default: `false`."),
			"timeout": text("The longest wait, for example `90s` or `3m`. Default: `2m`.", duration()),
		}),
	}
}

// settingAttributes are single keys of the configuration.
func settingAttributes() attributes {
	return attributes{
		"name": text("The name, which cloud-init uses as the host name. Default: none; a clone is called `Copy-of-VM-` and its source. In place. Needs VM.Config.Options.", valid.HostName()),
		"description": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Notes, in Markdown, at most 8192 bytes. A trailing newline does not count. Default: none. In place. Needs VM.Config.Options.",
			Validators:          []validator.String{stringvalidator.LengthAtMost(8192)},
			PlanModifiers:       []planmodifier.String{attrs.KeepText("A trailing newline does not count.", attrs.SameDescription)},
		},
		"tags":       tagsAttribute(),
		"protection": flag("Whether Proxmox refuses to destroy the VM and its disks; this provider refuses a reinstall then, too. Default: `false`. In place. Needs VM.Config.Options."),
		"hookscript": text("Volume id of a script (content `snippets`) that the node runs at the start and the stop of the VM. Default: none. In place. Only root@pam can set it, an API token cannot.", valid.VolumeID()),
		"args":       text("Arguments for QEMU, for experts. Default: none. Needs a restart. Only root@pam can set it, an API token cannot.", stringvalidator.LengthAtLeast(1)),
	}
}

func tagsAttribute() schema.Attribute {
	a := set("Tags; order and case do not count. Default: none. In place. Needs VM.Config.Options.", valid.TagName()).(schema.SetAttribute)
	a.Validators, a.PlanModifiers = a.Validators[1:], []planmodifier.Set{attrs.KeepTags()}
	return a
}
