package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Schema groups the attributes: a flat schema of this size costs several
// milliseconds of CPU a resource in every plan.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schemaOf(ctx)
}

// IdentitySchema names a container by its number, which is unique in a cluster
// and never changes; the node may.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"vmid": identityschema.Int64Attribute{
				RequiredForImport: true,
				Description:       "The VMID of the container, 100 to 999999999.",
			},
		},
	}
}

func schemaOf(ctx context.Context) schema.Schema {
	all := map[string]schema.Attribute{}
	for _, group := range []map[string]schema.Attribute{
		placeAttributes(), installAttributes(), settingAttributes(),
		groupAttributes(), storageAttributes(), deviceAttributes(), computedAttributes(),
	} {
		for name, attribute := range group {
			all[name] = attribute
		}
	}
	all["timeouts"] = timeouts.Attributes(ctx, timeouts.Opts{
		Create: true, Read: true, Update: true, Delete: true,
		CreateDescription: "How long creating and starting may take. Default: 30m.",
		ReadDescription:   "How long reading may take. Default: 2m.",
		UpdateDescription: "How long an update may take, moves of volumes and restarts included. Default: 60m.",
		DeleteDescription: "How long the shutdown and the destruction may take. Default: 30m.",
	})
	return schema.Schema{MarkdownDescription: resourceDescription, Attributes: all}
}

const resourceDescription = "A container (LXC) of a Proxmox VE cluster.\n\n" +
	"**A change of `ostemplate`, `clone`, `restore.archive`, `unprivileged`, `vmid` or `reinstall_trigger` reinstalls the container: it is destroyed and created again.** " +
	"Nothing else does. The plan prints the attribute `volumes` with a data label for every volume, so that a reviewer sees which data goes."

// placeAttributes say which guest it is and where.
func placeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"node": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The node that the container is created on. Default: the provider's `default_node`. A change migrates the container (a running one is stopped and started again by Proxmox); " +
				"a container that somebody else migrated stays where it is, see `current_node`. Needs VM.Migrate for a change.",
			Validators: []validator.String{valid.NodeName()},
		},
		"vmid": schema.Int64Attribute{
			Optional: true, Computed: true,
			MarkdownDescription: "The VMID, 100 to 999999999, within the provider's `vmid_range` if that is set. Default: the lowest free number of `vmid_range`. A change **reinstalls** the container under the other number.",
			Validators:          []validator.Int64{valid.VMID()},
			PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown(), replaceOnInt64()},
		},
		"current_node": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "The node that the container is on, as last read.",
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"pool": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "The resource pool. Default: none. A change is in place. Needs Pool.Allocate.",
		},
	}
}

// installAttributes matter when the container is created or reinstalled.
func installAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"ostemplate": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "The template that the container is created from, a volume id with content `vztmpl`, for example `local:vztmpl/debian-13-standard_13.1-1_amd64.tar.zst`. Required to create a container, unless `clone` or `restore` is set. " +
				"A change **reinstalls** the container; setting it for an imported one does not.",
			Validators:    []validator.String{valid.TemplateVolume()},
			PlanModifiers: []planmodifier.String{replaceOnString()},
		},
		"restore": archives.OrderAttribute(guest.LXC),
		"clone": guests.CloneAttribute(guest.LXC, "Instead of `ostemplate`: makes the container as a copy of another one. Then everything that is declared is brought about, and what the source has and is not declared is taken off, except for its mount points. "+
			"MAC addresses are new. A container with a directory or device of the node mounted cannot be cloned.",
			"LVM-thin, ZFS, Ceph or Btrfs; not a directory, NFS or plain LVM"),
		"unprivileged": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(true),
			MarkdownDescription: "Whether root in the container is an ordinary user on the node. Default: `true`. Always sent. A change **reinstalls** the container. Creating a privileged one needs Sys.Modify on `/`.",
			PlanModifiers:       []planmodifier.Bool{replaceOnBool()},
		},
		"reinstall_trigger": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Any text. A change from one text to another **reinstalls** the container; setting it for the first time does not.",
			PlanModifiers:       []planmodifier.String{replaceOnString()},
		},
		"password_wo": schema.StringAttribute{
			Optional: true, Sensitive: true, WriteOnly: true,
			MarkdownDescription: "The password of root in the container, at least 5 characters. Never stored in the state. Proxmox sets it only when the container is created, so a change takes effect with the next reinstall.",
			Validators:          []validator.String{stringvalidator.LengthAtLeast(5)},
		},
		"password_wo_version": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "A number to change together with `password_wo`. It changes nothing by itself: Proxmox sets passwords only at creation.",
		},
		"ssh_public_keys": schema.ListAttribute{
			ElementType: types.StringType, Optional: true,
			MarkdownDescription: "OpenSSH public keys for root in the container, one a line. Proxmox writes them only when the container is created, so a change takes effect with the next reinstall.",
			Validators:          []validator.List{listvalidator.ValueStringsAre(valid.SSHPublicKey())},
		},
		"waive_blockers": schema.SetAttribute{
			ElementType: types.StringType, Optional: true,
			MarkdownDescription: "Reasons against a reinstall or a destruction that are waived. Only `protected_restore_point` can be.",
			Validators:          []validator.Set{setvalidator.ValueStringsAre(stringvalidator.OneOf("protected_restore_point"))},
		},
	}
}

// settingAttributes are single keys of the configuration.
func settingAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"hostname": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "The host name. Default: `CT` and the VMID, written by Proxmox. In place; seen in a running container after its next start. Needs VM.Config.Network.",
			Validators:          []validator.String{valid.HostName()},
		},
		"description": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Notes, in Markdown, at most 8192 bytes. A trailing newline does not count. Default: none. In place. Needs VM.Config.Options.",
			Validators:          []validator.String{stringvalidator.LengthAtMost(8192)},
			PlanModifiers:       []planmodifier.String{attrs.KeepText("A trailing newline does not count.", attrs.SameDescription)},
		},
		"tags": schema.SetAttribute{
			ElementType: types.StringType, Optional: true,
			MarkdownDescription: "Tags; order and case do not count. Default: none. In place. Needs VM.Config.Options.",
			Validators:          []validator.Set{setvalidator.ValueStringsAre(valid.TagName())},
			PlanModifiers:       []planmodifier.Set{attrs.KeepTags()},
		},
		"protection": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(false),
			MarkdownDescription: "Whether Proxmox refuses to destroy the container and to change its disks; this provider refuses a reinstall then, too. Default: `false`. In place. Needs VM.Config.Options.",
		},
		"hookscript": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Volume id of a script (content `snippets`) that the node runs at the start and the stop of the container. Default: none. In place. Only root@pam can set it, an API token cannot.",
			Validators:          []validator.String{valid.VolumeID()},
		},
		"timezone": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Time zone, `host` for the node's own or a name such as `Europe/Vienna`. Default: unchanged. Seen after the next start. Needs VM.Config.Options.",
		},
		"started": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(true),
			MarkdownDescription: "Whether the container runs. Default: `true`. A change starts it or shuts it down. Needs VM.PowerMgmt.",
			PlanModifiers:       []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
		},
		"restart_for_pending": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether a running container is restarted when a change waits for its next start. Default: `false`: the change stays pending and a warning names the keys.",
		},
		"read_addresses": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether `addresses` is filled, at the price of one more request for each refresh. Default: `false`.",
		},
	}
}

func computedSet(description string) schema.SetAttribute {
	return schema.SetAttribute{
		ElementType: types.StringType, Computed: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.Set{setplanmodifier.UseStateForUnknown()},
	}
}
