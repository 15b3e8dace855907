package guestfirewall

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Allowed values. Source: PVE::Firewall $vm_option_properties, $rule_properties.
var (
	policies  = []string{"ACCEPT", "REJECT", "DROP"}
	logLevels = []string{"emerg", "alert", "crit", "err", "warning", "notice", "info", "debug", "nolog"}
	ruleTypes = []string{"in", "out", "group"}
)

// The types of the attribute and its parts.
var (
	Types         = Attribute(guest.LXC).GetType().(types.ObjectType).AttrTypes
	ruleType      = Types["rules"].(types.ListType).ElemType
	addressesType = types.SetType{ElemType: types.StringType}
)

// AttributeName is the name of the attribute in both resources.
const AttributeName = "firewall"

// Attribute is the schema of the attribute for one kind of guest.
func Attribute(kind guest.Kind) schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: fmt.Sprintf(description, kind.Noun()),
		Attributes:          all(options(kind), lists(kind)),
	}
}

const description = "The %[1]s's own firewall. It filters only while the firewall of the datacenter is on (a warning says so when it is off), " +
	"and only network devices with `firewall = true`. Not declared: it is neither read nor changed. " +
	"Declared: it is managed as a whole, so options that are left out are Proxmox's defaults, and rules and allowed addresses that are left out are removed; " +
	"each refresh then costs three more requests, and one for each device with allowed addresses. " +
	"A new %[1]s has it before its first start, and so has a reinstalled one. A change is in place and takes effect within about ten seconds; " +
	"on its way the %[1]s is never more open than before the change or after it. Leaving the block out again keeps the firewall as it is, and an import leaves it undeclared. " +
	"Needs VM.Config.Network, and VM.Audit to read it."

func all(groups ...map[string]schema.Attribute) map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for _, group := range groups {
		for name, attribute := range group {
			attributes[name] = attribute
		}
	}
	return attributes
}

func flag(description string) schema.Attribute {
	return schema.BoolAttribute{Optional: true, MarkdownDescription: description}
}

func oneOf(allowed []string, description string) schema.Attribute {
	return schema.StringAttribute{
		Optional: true, MarkdownDescription: description + " One of `" + strings.Join(allowed, "`, `") + "`.",
		Validators: []validator.String{stringvalidator.OneOf(allowed...)},
	}
}

func options(kind guest.Kind) map[string]schema.Attribute {
	own := "The addresses in `network` of a container are allowed by themselves, unless it gets them by DHCP."
	if kind == guest.QEMU {
		own = "A VM may then send from nothing but its link-local address and what `allowed_addresses` names."
	}
	return map[string]schema.Attribute{
		"enabled": schema.BoolAttribute{
			Required:            true,
			MarkdownDescription: fmt.Sprintf("Whether the firewall of the %s is on. Required, because Proxmox's own default is off; on alone refuses everything that comes in.", kind.Noun()),
		},
		"ip_filter":     flag("Whether every network device may send only from its own IP addresses (against spoofing). " + own + " Default: `false`; a device in `allowed_addresses` is filtered in any case."),
		"mac_filter":    flag("Whether every network device may send only from its own MAC address. Default: `true`."),
		"dhcp":          flag("Whether DHCP is let through. Default: `true`, which is what Proxmox does when nothing is set."),
		"ndp":           flag("Whether the neighbour discovery of IPv6 is let through. Default: `true`."),
		"radv":          flag(fmt.Sprintf("Whether the %s may send router advertisements. Default: `false`.", kind.Noun())),
		"policy_in":     oneOf(policies, "What becomes of incoming packets that fit no rule. Default: `DROP`."),
		"policy_out":    oneOf(policies, "What becomes of outgoing packets that fit no rule. Default: `ACCEPT`."),
		"log_level_in":  oneOf(logLevels, "Log level for incoming packets. Default: `nolog`."),
		"log_level_out": oneOf(logLevels, "Log level for outgoing packets. Default: `nolog`."),
	}
}

func lists(kind guest.Kind) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"allowed_addresses": schema.MapAttribute{
			ElementType: addressesType, Optional: true,
			MarkdownDescription: "Addresses and networks that a network device may send from, by its key, for example `{ net0 = [\"192.0.2.10\", \"2001:db8::/64\"] }`. " +
				"Proxmox keeps them in a set called `ipfilter-net0`; its mere existence filters the device, even without `ip_filter` and when it is empty. The device needs `firewall = true`. Default: none.",
			Validators: []validator.Map{mapvalidator.KeysAre(valid.NumberedKey("net", 31)), mapvalidator.ValueSetsAre(setvalidator.ValueStringsAre(valid.Network()))},
		},
		"rules": schema.ListNestedAttribute{
			Optional: true,
			MarkdownDescription: fmt.Sprintf("The rules of the %s in their order: the first one that fits decides. A rule that is not declared here is planned for removal. Default: none. ", kind.Noun()) +
				"New rules are put in place disabled; then those that refuse are enabled, those that accept and are to go are removed, and only then new ones that accept are enabled.",
			NestedObject: schema.NestedAttributeObject{Attributes: ruleAttributes()},
		},
	}
}

func ruleAttributes() map[string]schema.Attribute {
	text := func(description string, validators ...validator.String) schema.Attribute {
		return schema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: validators}
	}
	word := valid.Matching("free of spaces and control characters", `^[^\s\x00-\x1f\x7f]+$`)
	return map[string]schema.Attribute{
		"type": schema.StringAttribute{Required: true, MarkdownDescription: "`in` for incoming packets, `out` for outgoing ones, `group` for all rules of a security group.",
			Validators: []validator.String{stringvalidator.OneOf(ruleTypes...)}},
		"action": schema.StringAttribute{Required: true, MarkdownDescription: "`ACCEPT`, `DROP` or `REJECT`; for type `group` the name of the security group.",
			Validators: []validator.String{valid.Matching("ACCEPT, DROP, REJECT or the name of a security group, at most 20 characters", `^[A-Za-z][A-Za-z0-9\-_]{1,19}$`)}},
		"enabled":   flag("Whether the rule is on. Default: `true`."),
		"macro":     text("Name of a macro of Proxmox, for example `SSH`. Default: none.", stringvalidator.LengthAtMost(128), word),
		"iface":     text("Key of the network device that it is for, for example `net0`. Default: all.", valid.NumberedKey("net", 31)),
		"source":    text("Where packets come from: an address, network, range, alias, or `+` and the name of an IP set; a list with commas. Default: anywhere.", stringvalidator.LengthAtMost(512), word),
		"dest":      text("Where packets go to, in the same forms. Default: anywhere.", stringvalidator.LengthAtMost(512), word),
		"proto":     text("Protocol, for example `tcp`. Default: any.", word),
		"sport":     text("Source port, range `80:85` or list with commas. Needs `proto`. Default: any.", word),
		"dport":     text("Destination port in the same forms. Needs `proto` or `macro`. Default: any.", word),
		"icmp_type": text("Type of ICMP packets, for example `echo-request`, with `proto` `icmp` or `icmpv6`. Default: any.", word),
		"log":       oneOf(logLevels, "Log level of the rule. Default: `nolog`."),
		"comment": text("Comment, one line. A change alone never touches what the rule filters. Default: none.",
			valid.Matching("one line without spaces at its ends", `^\S(?:[^\x00-\x1f\x7f]*\S)?$`)),
	}
}
