package vm

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Allowed values of enumerated keys. Source: PVE::QemuServer $confdesc and the
// formats of its parts.
var (
	scsiControllers = []string{"lsi", "lsi53c810", "virtio-scsi-pci", "virtio-scsi-single", "megasas", "pvscsi"}
	osTypes         = []string{"other", "wxp", "w2k", "w2k3", "w2k8", "wvista", "win7", "win8", "win10", "win11", "l24", "l26", "solaris"}
	displays        = []string{"cirrus", "none", "qxl", "qxl2", "qxl3", "qxl4", "serial0", "serial1", "serial2", "serial3", "std", "virtio", "virtio-gl", "vmware"}
	keyboards       = []string{"da", "de", "de-ch", "en-gb", "en-us", "es", "fi", "fr", "fr-be", "fr-ca", "fr-ch", "hu", "is", "it", "ja", "lt", "mk", "nl", "no", "pl", "pt", "pt-br", "sl", "sv", "tr"}
	hotpluggable    = []string{"0", "network", "disk", "cpu", "memory", "usb", "cloudinit"}
)

// hardwareAttributes are processor, memory and board.
func hardwareAttributes() attributes {
	return attributes{
		"cpu":    cpuAttribute(),
		"memory": memoryAttribute(),
		"bios":   word("Firmware: `seabios` or `ovmf` (UEFI, which wants an `efi_disk`). Default: `seabios`. Needs a restart. Needs VM.Config.Options.", "seabios", "ovmf"),
		"scsi_hardware": word("SCSI controller: `lsi`, `lsi53c810`, `virtio-scsi-pci`, `virtio-scsi-single`, `megasas` or `pvscsi`. Default: `lsi`; `virtio-scsi-single` is what the web interface chooses. Needs a restart. Needs VM.Config.HWType.",
			scsiControllers...),
		"machine": object("Machine type. Needs a restart. Needs VM.Config.HWType.", attributes{
			"type":      text("`pc`, `q35` or a version of them, for example `pc-q35-10.1`. Default: `pc`; Proxmox pins a version for Windows.", valid.Matching("a machine type such as q35 or pc-q35-10.1", `^(?:pc|q35|virt|pc(?:-i440fx|-q35)?-\d+(?:\.\d+)+(?:\+pve\d+)?(?:\.pxe)?|virt-\d+(?:\.\d+)+(?:\+pve\d+)?)$`)),
			"viommu":    word("Virtual IOMMU: `intel` (with q35) or `virtio`. Default: none.", "intel", "virtio"),
			"aw_bits":   number("Address width of the IOMMU in bits, 32 to 64 (Proxmox VE 9). Default: QEMU's.", between(32, 64)),
			"enable_s3": flag("Whether the guest may suspend to memory. Default: as the machine type has it."),
			"enable_s4": flag("Whether the guest may suspend to disk. Default: as the machine type has it."),
		}),
		"confidential": object("Encryption of the guest's memory. Needs a restart. Only root@pam can set it, an API token cannot.", attributes{
			"amd_sev": object("AMD SEV.", attributes{
				"type":           required(word("`std`, `es` or `snp`.", "std", "es", "snp")),
				"no_debug":       flag("Whether debugging by the host is forbidden. Default: `false`."),
				"no_key_sharing": flag("Whether sharing the key with other guests is forbidden. Default: `false`."),
				"allow_smt":      flag("Whether simultaneous multithreading is allowed (`snp`)."),
				"kernel_hashes":  flag("Whether hashes of the kernel are measured. Default: `false`."),
			}),
			"intel_tdx": object("Intel TDX (Proxmox VE 9).", attributes{
				"type":        required(word("`tdx`.", "tdx")),
				"attestation": flag("Whether attestation is enabled. Default: `true`."),
				"vsock_cid":   number("CID of the quote service. Default: 2.", atLeast(2)),
				"vsock_port":  number("Port of the quote service. Default: 4050.", between(0, 65535)),
			}),
		}),
	}
}

func cpuAttribute() schemaAttribute {
	return object("Processor. Needs a restart, except for `limit` and `units`, which are in place, and `vcpus`, which is in place with CPU hotplug. Needs VM.Config.CPU.", attributes{
		"cores":           number("Cores of each socket. Default: 1.", atLeast(1)),
		"sockets":         number("Sockets. Default: 1.", atLeast(1)),
		"vcpus":           number("Processors plugged in at the start, at most cores × sockets. Default: all.", atLeast(1)),
		"type":            text("CPU type, for example `x86-64-v2-AES`, `host` or `custom-NAME`. Default: `kvm64`.", valid.NoComma()),
		"flags":           set("Flags switched on or off, for example `+aes` and `-pcid`. Default: none.", valid.Matching("a flag with its sign, for example +aes", `^[+-][a-zA-Z0-9.-]+$`)),
		"hidden":          flag("Whether the guest is not told that it is virtual. Default: `false`."),
		"hv_vendor_id":    text("Vendor id for Hyper-V, 1 to 12 letters and digits. Default: none.", valid.Matching("1 to 12 letters and digits", `^[a-zA-Z0-9]{1,12}$`)),
		"phys_bits":       text("Physical address bits, 8 to 64 or `host`. Default: QEMU's.", valid.Matching("a number from 8 to 64 or host", `^(?:host|[89]|[1-5]\d|6[0-4])$`)),
		"guest_phys_bits": number("Physical address bits as the guest may use them, 32 to 64 (Proxmox VE 9). Default: QEMU's.", between(32, 64)),
		"level":           number("CPUID level (Proxmox VE 9). Default: QEMU's.", atLeast(0)),
		"limit":           decimal("Most CPU time in cores, 0 to 128, 0 for no limit. Default: 0.", 128),
		"units":           number("Weight against other guests, 1 to 262144; Proxmox stores at most 10000 on cgroup v2. Default: 100.", between(1, 262144)),
		"affinity":        text("Processors of the node that the VM may use, for example `0,5,8-11`. Default: all. Only root@pam can set it, an API token cannot.", valid.Matching("a list of processors, for example 0,5,8-11", `^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$`)),
		"arch":            word("Architecture: `x86_64` or `aarch64`. Default: the node's. Only root@pam can set it, an API token cannot.", "x86_64", "aarch64"),
		"numa":            flag("Whether the guest sees NUMA nodes. Default: `false`."),
		"numa_nodes": each("NUMA topology by key, `numa0` to `numa7`. Their memory adds up to `memory.size`.", valid.NumberedKey("numa", 7), attributes{
			"cpus":       required(set("Processors of this node, for example `0-3`.", valid.VLANRange())),
			"memory":     decimal("Memory in MiB.", 1<<40),
			"host_nodes": set("NUMA nodes of the host.", valid.VLANRange()),
			"policy":     word("`preferred`, `bind` or `interleave`.", "preferred", "bind", "interleave"),
		}),
	})
}

func memoryAttribute() schemaAttribute {
	return object("Memory. Needs a restart, except for `minimum`, which is in place between values above 0, and `size` with memory hotplug. Needs VM.Config.Memory.", attributes{
		"size":           number("Memory in MiB, at least 16. Default: 512.", atLeast(16)),
		"minimum":        number("Least memory in MiB that ballooning leaves (`balloon`); 0 removes the balloon device. Default: `size`.", atLeast(0)),
		"shares":         number("Weight for automatic ballooning, 0 to 50000, 0 for none. Default: 1000. In place.", between(0, 50000)),
		"hugepages":      word("Pages of `2` or `1024` MiB, or `any`. Default: none. Only root@pam can set it, an API token cannot.", "any", "2", "1024"),
		"keep_hugepages": flag("Whether the pages are kept after the VM stops. Default: `false`. Only root@pam can set it, an API token cannot."),
		"allow_ksm":      flag("Whether pages are shared with other VMs (Proxmox VE 9). Default: `true`."),
	})
}

// systemAttributes are what the guest's system sees of firmware and options.
func systemAttributes() attributes {
	return attributes{
		"os": object("Guest system. Needs a restart. Needs VM.Config.Options.", attributes{
			"type":       word("`l26` (Linux), `win11`, `win10`, `other` and others. Default: `other`.", osTypes...),
			"localtime":  flag("Whether the clock has local time. Default: `true` for Windows."),
			"start_date": text("Date of the clock at the start: `now`, `2026-07-01` or `2026-07-01T12:00:00`. Default: `now`.", valid.Matching("now, a date or a date with time", `^(?:now|\d{4}-\d{1,2}-\d{1,2}(?:T\d{1,2}:\d{1,2}:\d{1,2})?)$`)),
		}),
		"boot": object("What the VM boots from, and what happens when the node boots. `on_boot` and `startup` are in place, `order` needs a restart.", attributes{
			"order":   list("Devices in the order in which they are tried, for example `scsi0` and `net0`. Default: first disk, first CD-ROM, first network device. Needs VM.Config.Disk.", valid.Matching("the key of a drive, network, USB or PCI device", `^(?:ide|sata|scsi|virtio|net|usb|hostpci)\d+$`)),
			"on_boot": flag("Whether the VM starts with the node. Default: `false`. Needs VM.Config.Options."),
			"startup": object("Order and delays of starting and stopping with the node. Default: none. Needs Sys.Modify on `/`.", attributes{
				"order": number("Place in the order: low numbers start first and stop last.", atLeast(0)),
				"up":    number("Seconds to wait after the start before the next guest starts.", atLeast(0)),
				"down":  number("Seconds that the shutdown may take.", atLeast(0)),
			}),
		}),
		"options": optionsAttribute(),
		"agent": object("Guest agent. Needs a restart. Needs VM.Config.Options.", attributes{
			"enabled":             flag("Whether the VM has a channel for the agent. Default: `false`."),
			"type":                word("`virtio` or `isa`. Default: `virtio`.", "virtio", "isa"),
			"fstrim_cloned_disks": flag("Whether file systems are trimmed after a clone or a move. Default: `false`. In place."),
			"freeze_fs":           flag("Whether file systems are frozen during a backup. Default: `true`."),
		}),
		"smbios": object("What the firmware tells of the machine. Needs a restart. Needs VM.Config.HWType.", attributes{
			"uuid":         text("UUID. Default: Proxmox makes one.", valid.Matching("a UUID", `^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)),
			"manufacturer": text("Manufacturer."), "product": text("Product."), "version": text("Version."),
			"serial": text("Serial number."), "sku": text("SKU."), "family": text("Family."),
		}),
	}
}

func optionsAttribute() schemaAttribute {
	return object("Options. Needs a restart, unless said otherwise. Needs VM.Config.Options, for `tablet`, `acpi`, `kvm` and `hotplug` VM.Config.HWType.", attributes{
		"hotplug":          set("What can be changed while the VM runs: `network`, `disk`, `cpu`, `memory`, `usb`, `cloudinit`, or `0` alone for nothing. Default: `network`, `disk` and `usb`.", stringvalidator.OneOf(hotpluggable...)),
		"tablet":           flag("Whether there is a pointer device with absolute positions. Default: `true`."),
		"acpi":             flag("ACPI. Default: `true`."),
		"kvm":              flag("Hardware virtualisation. Default: `true`."),
		"reboot":           flag("Whether a reboot of the guest is allowed; otherwise it stops. Default: `true`."),
		"freeze":           flag("Whether the CPU is stopped at the start. Default: `false`. Needs VM.PowerMgmt."),
		"autostart":        flag("Whether the VM starts again after a crash; Proxmox ignores it today. Default: `false`."),
		"time_drift_fix":   flag("Time drift fix. Default: `false`."),
		"generation_id":    text("VM generation id, a UUID, `1` for a new one or `0` for none. Only root@pam can set it, an API token cannot.", valid.Matching("a UUID, 0 or 1", `^(?:[01]|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`)),
		"vmstate_storage":  text("Storage for the memory of a hibernated VM. Default: chosen by Proxmox. In place.", valid.StorageID()),
		"migrate_speed":    number("Most speed of a migration in MB/s, 0 for no limit. Default: 0. In place.", atLeast(0)),
		"migrate_downtime": decimal("Most downtime of a migration in seconds. Default: 0.1. In place.", 1e6),
	})
}
