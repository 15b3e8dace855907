package container

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// computedAttributes are what the cluster says.
func computedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"volumes": guests.VolumesAttribute(guest.LXC),
		"fingerprint": schema.StringAttribute{Computed: true,
			MarkdownDescription: "What the container is recognised by before anything destructive.",
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"raw_lxc": schema.ListAttribute{ElementType: types.StringType, Computed: true,
			MarkdownDescription: "Raw `lxc.*` lines of the configuration. The API cannot set them: they are lost in a reinstall.",
			PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()}},
		"addresses": computedSet("IP addresses that the running container has, without loopback and link-local ones. Null unless `read_addresses` is set."),
		"reconcile": guests.ReconcileAttribute(guest.LXC),
	}
}
