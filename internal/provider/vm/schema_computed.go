package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
)

// computedAttributes are what the cluster says.
func computedAttributes() attributes {
	addresses := guests.AddressesAttribute("the guest agent reports").(schema.SetAttribute)
	addresses.PlanModifiers = []planmodifier.Set{setplanmodifier.UseStateForUnknown()}
	return attributes{
		"volumes": guests.VolumesAttribute(guest.QEMU),
		"fingerprint": schema.StringAttribute{Computed: true,
			MarkdownDescription: "What the VM is recognised by before anything destructive.",
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"addresses": addresses,
		"reconcile": guests.ReconcileAttribute(guest.QEMU),
	}
}
