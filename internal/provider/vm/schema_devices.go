package vm

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Source: PVE::QemuServer::Network $nic_model_list.
var networkModels = []string{"virtio", "e1000", "e1000-82540em", "e1000-82544gc", "e1000-82545em", "e1000e", "i82551", "i82557b", "i82559er", "ne2k_isa", "ne2k_pci", "pcnet", "rtl8139", "vmxnet3"}

func deviceAttributes() attributes {
	hexID := func(what string) schemaAttribute {
		return text(what+" that the guest sees, for example `0x8086`. Default: the device's.", valid.Matching("0x and four hexadecimal digits", `^0x[0-9a-fA-F]{4}$`))
	}
	return attributes{
		"network": each("Network devices by their key, `net0` to `net31`. Bridge, VLAN, firewall, rate and link are changed in place, the rest with network hotplug, which the guest sees as another card. The MAC address is kept. Devices that are not declared are left alone. Needs VM.Config.Network, and SDN.Use on the bridge.",
			valid.NumberedKey("net", 31), networkAttributes()),
		guestfirewall.AttributeName: guestfirewall.Attribute(guest.QEMU),
		"hostpci": each("PCI devices of the node by their key, `hostpci0` to `hostpci15`. Needs a restart. Needs VM.Config.HWType, and Mapping.Use for a mapped device.", valid.NumberedKey("hostpci", 15), attributes{
			"host":          list("Addresses of the device's functions, for example `0000:01:00.0`. Only root@pam can set it, an API token cannot.", valid.Matching("a PCI address such as 0000:01:00.0", `^(?:[0-9a-fA-F]{4,}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(?:\.[0-9a-fA-F])?$`)),
			"mapping":       text("Instead of `host`: the id of a mapping.", valid.NoComma()),
			"mdev":          text("Type of mediated device. Default: none.", valid.NoComma()),
			"pcie":          flag("Whether it is a PCI Express device (machine `q35`). Default: `false`."),
			"rombar":        flag("Whether the guest sees its ROM. Default: `true`."),
			"romfile":       text("File in `/usr/share/kvm/` to use as its ROM. Default: none. Only root@pam can set it, an API token cannot.", valid.NoComma()),
			"x_vga":         flag("Whether it is the primary display. Default: `false`."),
			"legacy_igd":    flag("Whether it is an Intel graphics card in legacy mode. Default: `false`."),
			"driver":        word("`vfio` or `keep` (Proxmox VE 9). Default: `vfio`.", "vfio", "keep"),
			"device_id":     hexID("Device id"),
			"vendor_id":     hexID("Vendor id"),
			"sub_device_id": hexID("Subsystem device id"),
			"sub_vendor_id": hexID("Subsystem vendor id"),
		}),
		"usb": each("USB devices by their key, `usb0` to `usb13`. In place with USB hotplug, otherwise it needs a restart. Needs VM.Config.HWType, and Mapping.Use for a mapped device.", valid.NumberedKey("usb", 13), attributes{
			"host":    text("`spice`, an id such as `046d:c52b` or a port such as `1-3.2`; all but `spice` only root@pam can set, an API token cannot.", valid.Matching("spice, an id such as 046d:c52b or a port such as 1-3.2", `^(?i:spice|(?:0x)?[0-9a-f]{4}:(?:0x)?[0-9a-f]{4}|\d+-\d+(?:\.\d+)*)$`)),
			"mapping": text("Instead of `host`: the id of a mapping.", valid.NoComma()),
			"usb3":    flag("Whether it is a USB 3 device. Default: `false`."),
		}),
		"virtiofs": each("Directories of the node by their key, `virtiofs0` to `virtiofs9` (Proxmox VE 8.4 or newer). Needs a restart. Needs VM.Config.Disk and Mapping.Use.", valid.NumberedKey("virtiofs", 9), attributes{
			"dir_id":       required(text("The id of a directory mapping.", valid.NoComma())),
			"cache":        word("`auto`, `always`, `metadata` or `never`. Default: `auto`.", "auto", "always", "metadata", "never"),
			"direct_io":    flag("Whether O_DIRECT is passed on. Default: `false`."),
			"expose_acl":   flag("Whether POSIX access control lists are passed on. Default: `false`."),
			"expose_xattr": flag("Whether extended attributes are passed on. Default: `false`."),
		}),
		"serial": each("Serial ports by their key, `serial0` to `serial3`. Needs a restart. Needs VM.Config.HWType.", valid.NumberedKey("serial", 3), attributes{
			"device": required(text("`socket`, or a device of the node such as `/dev/ttyS0`, which only root@pam can set.", valid.Matching("socket or a path under /dev/", `^(?:socket|/dev/[^,\s]+)$`))),
		}),
		"parallel": each("Parallel ports by their key, `parallel0` to `parallel2`. Needs a restart. Only root@pam can set them, an API token cannot.", valid.NumberedKey("parallel", 2), attributes{
			"device": required(text("A device of the node, `/dev/parport0` or `/dev/usb/lp0`.", valid.Matching("a path under /dev/", `^/dev/[^,\s]+$`))),
		}),
		"display": displayAttribute(),
		"audio": object("Sound card (`audio0`). Needs a restart. Needs VM.Config.HWType.", attributes{
			"device": required(word("`ich9-intel-hda`, `intel-hda` or `AC97`.", "ich9-intel-hda", "intel-hda", "AC97")),
			"driver": word("`spice` or `none`. Default: `spice`.", "spice", "none"),
		}),
		"rng": object("Source of random numbers (`rng0`). Needs a restart. Needs VM.Config.HWType.", attributes{
			"source":    required(word("`/dev/urandom`, `/dev/random` or `/dev/hwrng`.", "/dev/urandom", "/dev/random", "/dev/hwrng")),
			"max_bytes": number("Most bytes in each period, 0 for no limit. Default: 1024.", atLeast(0)),
			"period":    number("Period in milliseconds. Default: 1000.", atLeast(0)),
		}),
		"watchdog": object("Watchdog. Needs a restart. Needs VM.Config.HWType.", attributes{
			"model":  word("`i6300esb` or `ib700`. Default: `i6300esb`.", "i6300esb", "ib700"),
			"action": word("`reset`, `shutdown`, `poweroff`, `pause`, `debug` or `none`. Default: QEMU's.", "reset", "shutdown", "poweroff", "pause", "debug", "none"),
		}),
		"ivshmem": object("Memory shared with other VMs. Needs a restart. Only root@pam can set it, an API token cannot.", attributes{
			"size": required(number("Size in MiB.", atLeast(1))),
			"name": text("Name of the file. Default: made from the VMID.", valid.NoComma()),
		}),
	}
}

func networkAttributes() attributes {
	return attributes{
		"model": word("Card: `virtio`, `e1000`, `e1000e`, `rtl8139`, `vmxnet3` and others. Default: `virtio`.", networkModels...),
		"macaddr": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "MAC address. Default: Proxmox makes one, which is then kept.",
			Validators: []validator.String{valid.MACAddress()},
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown(),
				attrs.KeepText("The case of a MAC address does not count.", strings.EqualFold)}},
		"bridge":      text("Bridge or SDN vnet of the node. Default: none, the VM reaches the network through the node (NAT).", valid.NoComma()),
		"tag":         number("VLAN, 1 to 4094. Default: none.", between(1, 4094)),
		"trunks":      set("VLANs that pass through, numbers or ranges such as `10` and `20-30`. Default: none.", valid.VLANRange()),
		"firewall":    flag("Whether the VM's firewall rules apply to it. Default: `false`."),
		"rate":        decimal("Most traffic in MB/s. Default: unlimited.", 1e6),
		"queues":      number("Packet queues, 0 to 64. Default: 1.", between(0, 64)),
		"mtu":         number("MTU, 1 for the bridge's, otherwise 576 to 65520 (`virtio` only). Default: 1500.", mtu{}),
		"link_down":   flag("Whether it is disconnected. Default: `false`."),
		"host_tunnel": flag("Whether the node handles tunnelled packets (Proxmox VE 9.1). Default: `false`. Needs a restart."),
	}
}

func displayAttribute() schemaAttribute {
	return object("Display. Needs a restart. Needs VM.Config.HWType.", attributes{
		"type":      word("`std`, `virtio`, `qxl`, `serial0`, `none` and others. Default: `std`.", displays...),
		"memory":    number("Memory of the card in MiB, 4 to 512. Default: chosen by Proxmox.", between(4, 512)),
		"clipboard": word("`vnc`. Default: none.", "vnc"),
		"keyboard":  word("Keyboard layout of the console, for example `de` or `en-us`. Default: none.", keyboards...),
		"spice": object("Extras of a SPICE display. Only root@pam can set them, an API token cannot.", attributes{
			"folder_sharing":  flag("Whether a folder can be shared. Default: `false`."),
			"video_streaming": word("`off`, `all` or `filter`. Default: `off`.", "off", "all", "filter"),
		}),
	})
}

func cloudInitAttribute() schemaAttribute {
	file := func(what string) schemaAttribute {
		return text("Volume id of a file (content `snippets`) that takes the place of the whole "+what+" that Proxmox would generate.", valid.VolumeID())
	}
	return object("cloud-init. A change writes the cloud-init drive anew, in place; cloud-init runs again at the next start. It never reinstalls the VM. Needs VM.Config.Cloudinit, for the drive VM.Config.CDROM too.", attributes{
		"storage": text("The storage of the drive. Required to make one; a clone brings its own. A change moves it.", valid.StorageID()),
		"drive":   text("The key of the drive. Default: where it is, else `ide2`.", driveKey(false)),
		"user":    text("The user to set up. Default: the image's.", stringvalidator.LengthAtLeast(1)),
		"password_wo": schema.StringAttribute{Optional: true, Sensitive: true, WriteOnly: true,
			MarkdownDescription: "The user's password. Never stored in the state. It is sent when the VM is made and when `password_wo_version` changes."},
		"password_wo_version": number("A number to change together with `password_wo`, so that a new password is sent."),
		"ssh_keys":            list("OpenSSH public keys of the user. Default: none.", valid.SSHPublicKey()),
		"upgrade":             flag("Whether packages are upgraded at the first start. Default: `true`."),
		"type":                word("`nocloud`, `configdrive2` or `opennebula`. Default: `nocloud`, `configdrive2` for Windows.", "nocloud", "configdrive2", "opennebula"),
		"ip_config": each("Addresses of the network devices by key, `ipconfig0` for `net0`, to `ipconfig31`. A device without one is not set up.", valid.NumberedKey("ipconfig", 31), attributes{
			"ip":  text("IPv4 address with prefix, or `dhcp`. Default: none.", valid.AddressOr(4, "dhcp")),
			"gw":  text("IPv4 gateway; needs an address in `ip`. Default: none.", valid.IPAddress()),
			"ip6": text("IPv6 address with prefix, `auto` or `dhcp`. Default: none.", valid.AddressOr(6, "auto", "dhcp")),
			"gw6": text("IPv6 gateway; needs an address in `ip6`. Default: none.", valid.IPAddress()),
		}),
		"dns": object("Name resolution. Default: the node's.", attributes{
			"nameservers":   list("Addresses of name servers, in order.", valid.NoSeparators()),
			"search_domain": text("Search domain.", valid.NoComma()),
		}),
		"custom": object("Files that replace what Proxmox would generate. Default: none.", attributes{
			"user": file("user data"), "network": file("network configuration"), "meta": file("meta data"), "vendor": file("vendor data"),
		}),
	})
}
