package guests

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

func text(description string) schema.Attribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: description}
}

// VolumesAttribute is the computed map volumes.
func VolumesAttribute(kind guest.Kind) schema.Attribute {
	what := "Every volume, bind mount, device, unused disk and pending volume"
	if kind == guest.QEMU {
		what = "Every disk, image, cloud-init drive, unused disk and pending volume"
	}
	return schema.MapNestedAttribute{
		Computed: true,
		MarkdownDescription: fmt.Sprintf("%s of the %s by its key, as last read from the live configuration. ", what, kind.Noun()) +
			"A replace and a destroy print it as removed lines, so that a reviewer sees which data goes.",
		PlanModifiers: []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"id":    text("Volume id, or path on the node."),
			"size":  text("Size as Proxmox records it, null when it records none."),
			"owner": schema.Int64Attribute{Computed: true, MarkdownDescription: "VMID that the volume belongs to by its name, null when it names none."},
			"data": text(fmt.Sprintf("What happens to the data when the %s is destroyed: `erased` (a volume of its own), `excluded` (somebody else's volume, an image), ", kind.Noun()) +
				"`host_managed` (a directory or device of the node), `unknown` (cannot be read; blocks a reinstall)."),
			"mount": text("What becomes of the key in the guest that comes after a reinstall: `as_configured` (a volume comes back EMPTY or from its image, a path is attached again) " +
				"or `dropped` (not declared, it will not come back)."),
		}},
	}
}

// ReconcileAttribute is the computed record of an operation that stopped half-way.
func ReconcileAttribute(kind guest.Kind) schema.Attribute {
	return schema.SingleNestedAttribute{
		Computed: true,
		MarkdownDescription: fmt.Sprintf("Null in good times. The record of an operation that stopped half-way: while it is open nothing is planned for this %s. "+
			"A human closes it with the provider's `acknowledge`.", kind.Noun()),
		PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
		Attributes: map[string]schema.Attribute{
			"vmid":   schema.Int64Attribute{Computed: true, MarkdownDescription: "The VMID."},
			"node":   text("The node."),
			"stage":  text("The stage it stopped in: `inspect`, `stop`, `destroy`, `create`, `configure` or `start`."),
			"task":   text("Id of the task (UPID), null when there was none."),
			"exists": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the guest exists. Null means that it could not be determined, never that the number is free."},
			"since":  text("When, in UTC (RFC 3339)."),
			"token":  text("What to put into the provider's `acknowledge` to close the record."),
		},
	}
}

// AddressesAttribute is the computed set addresses.
func AddressesAttribute(from string) schema.Attribute {
	return schema.SetAttribute{
		ElementType: types.StringType, Computed: true,
		MarkdownDescription: "IP addresses that " + from + ", without loopback and link-local ones. Null unless `read_addresses` is set.",
	}
}
