package vm

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

// Allowed values of drives. Source: PVE::QemuServer::Drive.
var (
	caches  = []string{"none", "writethrough", "writeback", "unsafe", "directsync"}
	formats = []string{"raw", "qcow2", "vmdk"}
)

func storageAttributes() attributes {
	return attributes{
		"disks": each("Disks by their key: `scsi0` to `scsi30`, `virtio0` to `virtio15`, `sata0` to `sata5`, `ide0` to `ide3`. "+
			"Each is a new disk (`storage` and `size`), a copy of an image (`import_from`), an existing volume (`volume`), or a disk of the clone's source, of which any attribute may be set. "+
			"Adding one is in place with disk hotplug on `scsi` and `virtio`, otherwise it needs a restart. Leaving out one that was declared detaches it: it becomes `unusedN` and its data stays, see `on_remove`. "+
			"Disks that are not declared are left alone; `volumes` shows them. Needs VM.Config.Disk, and Datastore.AllocateSpace on the storage.",
			driveKey(true), diskAttributes()),
		"cdroms": each("CD-ROM drives by their key: `ide0` to `ide3`, `sata0` to `sata5`, `scsi0` to `scsi30`. Changing the medium is in place, adding a drive needs a restart. Leaving out one that was declared removes the drive. Needs VM.Config.CDROM.",
			driveKey(false), attributes{
				"volume": text("Volume id of an image (content `iso`), or `cdrom` for the node's own drive. Default: the drive is empty.", cdromVolume()),
			}),
		"efi_disk": object("Disk for the variables of the UEFI firmware (`efidisk0`). Needs a restart. Needs VM.Config.Disk.", attributes{
			"storage":           text("The storage; its size follows from the type. A change moves the disk.", valid.StorageID()),
			"volume":            text("Instead of `storage`: an existing volume.", existingVolume()),
			"import_from":       text("A volume to copy from. Used when the disk is made, later changes have no effect.", valid.VolumeID()),
			"format":            word("Format on a file storage: `raw`, `qcow2` or `vmdk`. Default: the storage's. Used when the disk is made.", formats...),
			"type":              word("`2m` or `4m`, which Secure Boot needs. Default: `2m`.", "2m", "4m"),
			"pre_enrolled_keys": flag("Whether it is made with the keys of Microsoft and the distributions, for Secure Boot. Default: `false`."),
			"ms_cert":           word("Which certificate of Microsoft is enrolled: `2011`, `2023`, `2023w` or `2023k`. Default: Proxmox writes it.", "2011", "2023", "2023w", "2023k"),
		}),
		"tpm_state": object("State of a TPM (`tpmstate0`), 4 MiB. Needs a restart. Needs VM.Config.Disk.", attributes{
			"storage":     text("The storage. A change moves the state; the VM must be stopped.", valid.StorageID()),
			"volume":      text("Instead of `storage`: an existing volume.", existingVolume()),
			"import_from": text("A volume to copy from. Used when it is made, later changes have no effect.", valid.VolumeID()),
			"format":      word("Format on a file storage: `raw` or `qcow2`. Default: the storage's. Used when it is made.", "raw", "qcow2"),
			"version":     word("`v1.2` or `v2.0`, fixed when it is made. Default: `v1.2`.", "v1.2", "v2.0"),
		}),
	}
}

func diskAttributes() attributes {
	return attributes{
		"storage": text("The storage. For a new disk it is required. A change moves the disk, also while the VM runs; the old copy becomes `unusedN`.", valid.StorageID()),
		"size": schema.StringAttribute{CustomType: attrs.SizeType{}, Optional: true,
			MarkdownDescription: "Size with a unit, for example `32G`; `32768M` and `32GiB` are the same. For a new disk it is required; an imported or cloned one is grown to it. It grows in place and never shrinks.",
			PlanModifiers:       []planmodifier.String{attrs.GrowOnly()}},
		"volume":        text("Instead of `storage` and `size`: a volume id that exists, or a disk of the node (`/dev/disk/by-id/…`, which only root@pam can set).", existingVolume()),
		"import_from":   text("Volume id of an image to copy (content `import` or `images`). Used when the disk is made: later changes, in the configuration or of the image, have no effect.", valid.VolumeID()),
		"format":        word("Format on a file storage: `raw`, `qcow2` or `vmdk`. Default: the storage's, or the one of the image. Used when the disk is made or moved.", formats...),
		"on_remove":     word("What becomes of the disk when it is left out of the configuration: `detach` keeps the data as `unusedN`, `delete` frees it. Default: `detach`. It counts as it was applied last.", "detach", "delete"),
		"cache":         word("Cache mode. Default: `none`. Needs a restart.", caches...),
		"aio":           word("`io_uring`, `native` or `threads`. Default: chosen by Proxmox. Needs a restart.", "native", "threads", "io_uring"),
		"discard":       word("Whether freed blocks are given back to the storage: `on` or `ignore`. Default: `ignore`. Needs a restart.", "on", "ignore"),
		"detect_zeroes": flag("Whether writes of zeroes are detected. Default: `true`. Needs a restart."),
		"iothread":      flag("Whether the disk has a thread of its own (`scsi` with `virtio-scsi-single`, `virtio`). Default: `false`. Needs a restart."),
		"ssd":           flag("Whether the guest sees a solid state disk (not `virtio`). Default: `false`. Needs a restart."),
		"read_only":     flag("Read-only (`ro`; `scsi` and `virtio`). Default: `false`. Needs a restart."),
		"backup":        flag("Whether backups include the disk. Default: `true`. In place."),
		"replicate":     flag("Whether storage replication includes the disk. Default: `true`. In place."),
		"shared":        flag("Marks a disk that every node has under the same name. It does not share anything by itself. Default: `false`. In place."),
		"snapshot":      flag("Whether changes are thrown away when the VM stops. Default: `false`. Needs a restart."),
		"serial":        text("Serial number that the guest sees, at most 20 characters. Default: none. Needs a restart.", valid.NoComma()),
		"wwn":           text("World wide name (not `virtio`), `0x` and 16 hexadecimal digits. Default: none. Needs a restart.", valid.Matching("0x and 16 hexadecimal digits", `^0x[0-9a-fA-F]{16}$`)),
		"read_error":    word("What to do on read errors: `ignore`, `report` or `stop`. Default: `report`. Needs a restart.", "ignore", "report", "stop"),
		"write_error":   word("What to do on write errors: `enospc`, `ignore`, `report` or `stop`. Default: `enospc`. Needs a restart.", "enospc", "ignore", "report", "stop"),
		"media":         word("`disk`: an image of content `iso` is attached as a disk. Default: `disk`.", "disk"),
		"model":         text("Model that the guest sees (`ide`). Default: none. Needs a restart.", valid.NoComma()),
		"queues":        number("Queues (`scsi` with `virtio-scsi-single`), at least 2. Default: one for each processor. Needs a restart.", atLeast(2)),
		"vendor":        text("Vendor that the guest sees (`scsi`), at most 8 characters. Default: QEMU. Needs a restart.", valid.Matching("1 to 8 characters without comma", `^[^,\s]{1,8}$`)),
		"product":       text("Product that the guest sees (`scsi`), at most 16 characters. Default: QEMU HARDDISK. Needs a restart.", valid.Matching("1 to 16 characters without comma", `^[^,\s]{1,16}$`)),
		"scsi_block":    flag("Whether a disk of the node is passed through with all SCSI commands. Default: `false`. Needs a restart."),
		"limits":        object("Limits of throughput. Default: none. In place.", limitAttributes()),
	}
}

func limitAttributes() attributes {
	all := attributes{}
	for suffix, what := range map[string]string{"": "read and written", "_rd": "read", "_wr": "written"} {
		all["mbps"+suffix] = decimal("Most MiB/s "+what+".", 1e9)
		all["mbps"+suffix+"_max"] = decimal("Most MiB/s "+what+" in a burst; needs `mbps"+suffix+"`.", 1e9)
		all["iops"+suffix] = number("Most operations a second "+what+".", atLeast(0))
		all["iops"+suffix+"_max"] = number("Most operations a second "+what+" in a burst.", atLeast(0))
		all["bps"+suffix+"_max_length"] = number("Longest burst of throughput in seconds; needs `mbps"+suffix+"_max`.", atLeast(1))
		all["iops"+suffix+"_max_length"] = number("Longest burst of operations in seconds; needs `iops"+suffix+"_max`.", atLeast(1))
	}
	return all
}
