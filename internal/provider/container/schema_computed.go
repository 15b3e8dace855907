package container

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// computedAttributes are what the cluster says.
func computedAttributes() map[string]schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"volumes": schema.MapNestedAttribute{
			Computed: true,
			MarkdownDescription: "Every volume, bind mount, device, unused disk and pending volume of the container by its key, as last read from the live configuration. " +
				"A replace and a destroy print it as removed lines, so that a reviewer sees which data goes.",
			PlanModifiers: []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"id":    text("Volume id, or path on the node."),
				"size":  text("Size as Proxmox records it, null when it records none."),
				"owner": schema.Int64Attribute{Computed: true, MarkdownDescription: "VMID that the volume belongs to by its name, null when it names none."},
				"data": text("What happens to the data when the container is destroyed: `erased` (a volume of this container), `excluded` (somebody else's volume), " +
					"`host_managed` (a directory or device of the node), `unknown` (cannot be read; blocks a reinstall)."),
				"mount": text("What becomes of the mount in the container that comes after a reinstall: `as_configured` (a volume comes back EMPTY, a bind mount is attached again) " +
					"or `dropped` (not declared, it will not come back)."),
			}},
		},
		"fingerprint": schema.StringAttribute{Computed: true,
			MarkdownDescription: "What the container is recognised by before anything destructive.",
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"raw_lxc": schema.ListAttribute{ElementType: types.StringType, Computed: true,
			MarkdownDescription: "Raw `lxc.*` lines of the configuration. The API cannot set them: they are lost in a reinstall.",
			PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()}},
		"addresses": computedSet("IP addresses that the running container has, without loopback and link-local ones. Null unless `read_addresses` is set."),
		"reconcile": schema.SingleNestedAttribute{
			Computed: true,
			MarkdownDescription: "Null in good times. The record of an operation that stopped half-way: while it is open nothing is planned for this container. " +
				"A human closes it with the provider's `acknowledge`.",
			PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
			Attributes: map[string]schema.Attribute{
				"vmid":   schema.Int64Attribute{Computed: true, MarkdownDescription: "The VMID."},
				"node":   text("The node."),
				"stage":  text("The stage it stopped in: `inspect`, `stop`, `destroy`, `create`, `configure` or `start`."),
				"task":   text("Id of the task (UPID), null when there was none."),
				"exists": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the container exists. Null means that it could not be determined, never that the number is free."},
				"since":  text("When, in UTC (RFC 3339)."),
				"token":  text("What to put into the provider's `acknowledge` to close the record."),
			},
		},
	}
}
