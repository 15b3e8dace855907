package container

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

func deviceAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"network": schema.MapNestedAttribute{
			Optional: true,
			MarkdownDescription: "Network devices by their key, `net0` to `net31`. A device that is not declared here is planned for removal. " +
				"Changes are in place and take effect at once; the MAC address is kept. Needs VM.Config.Network, and SDN.Use on the bridge.",
			NestedObject: schema.NestedAttributeObject{Attributes: networkAttributes()},
			Validators:   []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.KeysAre(valid.NumberedKey("net", 31))},
		},
		"devices": schema.MapNestedAttribute{
			Optional: true,
			MarkdownDescription: "Devices of the node passed through, by their key, `dev0` to `dev255`. A device that is not declared here is planned for removal. " +
				"Adding is in place, a change is seen after the next start. Only root@pam can set them, an API token cannot.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"path": schema.StringAttribute{Required: true, MarkdownDescription: "The device, for example `/dev/net/tun`. It must exist on the node.", Validators: []validator.String{valid.DevicePath()}},
				"mode": schema.StringAttribute{Optional: true, MarkdownDescription: "Access mode in octal, for example `0660`. Default: `0660`.", Validators: []validator.String{valid.OctalMode()}},
				"uid":  schema.Int64Attribute{Optional: true, MarkdownDescription: "Owner in the container. Default: 0.", Validators: []validator.Int64{int64validator.AtLeast(0)}},
				"gid":  schema.Int64Attribute{Optional: true, MarkdownDescription: "Group in the container. Default: 0.", Validators: []validator.Int64{int64validator.AtLeast(0)}},
				"deny_write": schema.BoolAttribute{Optional: true,
					MarkdownDescription: "Whether the container is refused to write to it. Default: `false`."},
			}},
			Validators: []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.KeysAre(valid.NumberedKey("dev", 255))},
		},
		guestfirewall.AttributeName: guestfirewall.Attribute(guest.LXC),
	}
}

func networkAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":   schema.StringAttribute{Required: true, MarkdownDescription: "Name of the interface in the container, for example `eth0`.", Validators: []validator.String{valid.NoComma()}},
		"bridge": schema.StringAttribute{Optional: true, MarkdownDescription: "Bridge or SDN vnet of the node. Default: not connected.", Validators: []validator.String{valid.NoComma()}},
		"hwaddr": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "MAC address. Default: Proxmox makes one, which is then kept.",
			Validators: []validator.String{valid.MACAddress()},
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown(),
				attrs.KeepText("The case of a MAC address does not count.", strings.EqualFold)}},
		"ip":   schema.StringAttribute{Optional: true, MarkdownDescription: "IPv4 address with prefix, `dhcp` or `manual`. Default: none.", Validators: []validator.String{valid.AddressOr(4, "dhcp", "manual")}},
		"gw":   schema.StringAttribute{Optional: true, MarkdownDescription: "IPv4 gateway. Default: none.", Validators: []validator.String{valid.IPAddress()}},
		"ip6":  schema.StringAttribute{Optional: true, MarkdownDescription: "IPv6 address with prefix, `auto`, `dhcp` or `manual`. Default: none.", Validators: []validator.String{valid.AddressOr(6, "auto", "dhcp", "manual")}},
		"gw6":  schema.StringAttribute{Optional: true, MarkdownDescription: "IPv6 gateway. Default: none.", Validators: []validator.String{valid.IPAddress()}},
		"tag":  schema.Int64Attribute{Optional: true, MarkdownDescription: "VLAN, 1 to 4094. Default: none.", Validators: []validator.Int64{int64validator.Between(1, 4094)}},
		"mtu":  schema.Int64Attribute{Optional: true, MarkdownDescription: "MTU, 64 to 65535. Default: the bridge's.", Validators: []validator.Int64{int64validator.Between(64, 65535)}},
		"rate": schema.Float64Attribute{Optional: true, MarkdownDescription: "Most traffic in MB/s. Default: unlimited.", Validators: []validator.Float64{float64validator.AtLeast(0)}},
		"trunks": schema.SetAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: "VLANs that pass through, for example `10`. Default: none.",
			Validators: []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(valid.VLAN())}},
		"firewall":     schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the container's firewall rules apply to it. Default: `false`."},
		"link_down":    schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether it is disconnected. Default: `false`."},
		"host_managed": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the node configures the interface (Proxmox VE 9.1 or newer). Default: `false`."},
	}
}
