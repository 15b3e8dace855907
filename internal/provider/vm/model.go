package vm

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// model is the resource as configuration, plan and state hold it. Nested
// attributes are framework objects here because a plan may hold them unknown;
// those that stand for the VM's configuration are read into a settings.
type model struct {
	Node        types.String `tfsdk:"node"`
	VMID        types.Int64  `tfsdk:"vmid"`
	CurrentNode types.String `tfsdk:"current_node"`
	Pool        types.String `tfsdk:"pool"`

	Clone             types.Object `tfsdk:"clone"`
	Restore           types.Object `tfsdk:"restore"`
	ReinstallTrigger  types.String `tfsdk:"reinstall_trigger"`
	WaiveBlockers     types.Set    `tfsdk:"waive_blockers"`
	Started           types.Bool   `tfsdk:"started"`
	Template          types.Bool   `tfsdk:"template"`
	RestartForPending types.Bool   `tfsdk:"restart_for_pending"`
	ReadAddresses     types.Bool   `tfsdk:"read_addresses"`
	WaitForAddresses  types.Object `tfsdk:"wait_for_addresses"`

	Name         types.String `tfsdk:"name"`
	Description  types.String `tfsdk:"description"`
	Tags         types.Set    `tfsdk:"tags"`
	Protection   types.Bool   `tfsdk:"protection"`
	Hookscript   types.String `tfsdk:"hookscript"`
	Args         types.String `tfsdk:"args"`
	BIOS         types.String `tfsdk:"bios"`
	SCSIHardware types.String `tfsdk:"scsi_hardware"`

	CPU          types.Object `tfsdk:"cpu"`
	Memory       types.Object `tfsdk:"memory"`
	Machine      types.Object `tfsdk:"machine"`
	OS           types.Object `tfsdk:"os"`
	Boot         types.Object `tfsdk:"boot"`
	Options      types.Object `tfsdk:"options"`
	Agent        types.Object `tfsdk:"agent"`
	Display      types.Object `tfsdk:"display"`
	Audio        types.Object `tfsdk:"audio"`
	RNG          types.Object `tfsdk:"rng"`
	Watchdog     types.Object `tfsdk:"watchdog"`
	SMBIOS       types.Object `tfsdk:"smbios"`
	Confidential types.Object `tfsdk:"confidential"`
	CloudInit    types.Object `tfsdk:"cloud_init"`

	Disks    types.Map    `tfsdk:"disks"`
	CDROMs   types.Map    `tfsdk:"cdroms"`
	EFIDisk  types.Object `tfsdk:"efi_disk"`
	TPMState types.Object `tfsdk:"tpm_state"`
	Network  types.Map    `tfsdk:"network"`
	Firewall types.Object `tfsdk:"firewall"`
	HostPCI  types.Map    `tfsdk:"hostpci"`
	USB      types.Map    `tfsdk:"usb"`
	VirtioFS types.Map    `tfsdk:"virtiofs"`
	Serial   types.Map    `tfsdk:"serial"`
	Parallel types.Map    `tfsdk:"parallel"`
	IVSHMem  types.Object `tfsdk:"ivshmem"`

	Volumes     types.Map    `tfsdk:"volumes"`
	Fingerprint types.String `tfsdk:"fingerprint"`
	Addresses   types.Set    `tfsdk:"addresses"`
	Reconcile   types.Object `tfsdk:"reconcile"`

	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// waitModel says for which addresses a create waits.
type waitModel struct {
	IPv4    types.Bool   `tfsdk:"ipv4"`
	IPv6    types.Bool   `tfsdk:"ipv6"`
	Timeout types.String `tfsdk:"timeout"`
}

// diskModel is one disk. Where it is and how large are read and written apart
// from its options: see drives.go.
type diskModel struct {
	Storage    types.String `tfsdk:"storage"`
	Size       attrs.Size   `tfsdk:"size"`
	Volume     types.String `tfsdk:"volume"`
	ImportFrom types.String `tfsdk:"import_from"`
	Format     types.String `tfsdk:"format"`
	OnRemove   types.String `tfsdk:"on_remove"`

	Cache        types.String `tfsdk:"cache" pve:"cache,default=none"`
	AIO          types.String `tfsdk:"aio" pve:"aio"`
	Discard      types.String `tfsdk:"discard" pve:"discard,default=ignore"`
	DetectZeroes types.Bool   `tfsdk:"detect_zeroes" pve:"detect_zeroes,default=1"`
	IOThread     types.Bool   `tfsdk:"iothread" pve:"iothread,default=0"`
	SSD          types.Bool   `tfsdk:"ssd" pve:"ssd,default=0"`
	ReadOnly     types.Bool   `tfsdk:"read_only" pve:"ro,default=0"`
	Backup       types.Bool   `tfsdk:"backup" pve:"backup,default=1"`
	Replicate    types.Bool   `tfsdk:"replicate" pve:"replicate,default=1"`
	Shared       types.Bool   `tfsdk:"shared" pve:"shared,default=0"`
	Snapshot     types.Bool   `tfsdk:"snapshot" pve:"snapshot,default=0"`
	Serial       types.String `tfsdk:"serial" pve:"serial"`
	WWN          types.String `tfsdk:"wwn" pve:"wwn"`
	ReadError    types.String `tfsdk:"read_error" pve:"rerror"`
	WriteError   types.String `tfsdk:"write_error" pve:"werror"`
	Media        types.String `tfsdk:"media" pve:"media,default=disk"`
	Model        types.String `tfsdk:"model" pve:"model"`
	Queues       types.Int64  `tfsdk:"queues" pve:"queues"`
	Vendor       types.String `tfsdk:"vendor" pve:"vendor"`
	Product      types.String `tfsdk:"product" pve:"product"`
	SCSIBlock    types.Bool   `tfsdk:"scsi_block" pve:"scsiblock,default=0"`
	Limits       *limitsModel `tfsdk:"limits" pve:",group"`
}

// limitsModel caps a disk. bps is left out: Proxmox stores it as no limit at all.
// Source: PVE::QemuServer::Drive parse_drive.
type limitsModel struct {
	MBps            types.Float64 `tfsdk:"mbps" pve:"mbps"`
	MBpsRead        types.Float64 `tfsdk:"mbps_rd" pve:"mbps_rd"`
	MBpsWrite       types.Float64 `tfsdk:"mbps_wr" pve:"mbps_wr"`
	MBpsMax         types.Float64 `tfsdk:"mbps_max" pve:"mbps_max"`
	MBpsReadMax     types.Float64 `tfsdk:"mbps_rd_max" pve:"mbps_rd_max"`
	MBpsWriteMax    types.Float64 `tfsdk:"mbps_wr_max" pve:"mbps_wr_max"`
	IOps            types.Int64   `tfsdk:"iops" pve:"iops"`
	IOpsRead        types.Int64   `tfsdk:"iops_rd" pve:"iops_rd"`
	IOpsWrite       types.Int64   `tfsdk:"iops_wr" pve:"iops_wr"`
	IOpsMax         types.Int64   `tfsdk:"iops_max" pve:"iops_max"`
	IOpsReadMax     types.Int64   `tfsdk:"iops_rd_max" pve:"iops_rd_max"`
	IOpsWriteMax    types.Int64   `tfsdk:"iops_wr_max" pve:"iops_wr_max"`
	BpsLength       types.Int64   `tfsdk:"bps_max_length" pve:"bps_max_length"`
	BpsReadLength   types.Int64   `tfsdk:"bps_rd_max_length" pve:"bps_rd_max_length"`
	BpsWriteLength  types.Int64   `tfsdk:"bps_wr_max_length" pve:"bps_wr_max_length"`
	IOpsLength      types.Int64   `tfsdk:"iops_max_length" pve:"iops_max_length"`
	IOpsReadLength  types.Int64   `tfsdk:"iops_rd_max_length" pve:"iops_rd_max_length"`
	IOpsWriteLength types.Int64   `tfsdk:"iops_wr_max_length" pve:"iops_wr_max_length"`
}

// cdromModel is a CD-ROM drive.
type cdromModel struct {
	Volume types.String `tfsdk:"volume"`
}

type efiDiskModel struct {
	Storage         types.String `tfsdk:"storage"`
	Volume          types.String `tfsdk:"volume"`
	ImportFrom      types.String `tfsdk:"import_from"`
	Format          types.String `tfsdk:"format"`
	Type            types.String `tfsdk:"type" pve:"efidisk0.efitype,default=2m"`
	PreEnrolledKeys types.Bool   `tfsdk:"pre_enrolled_keys" pve:"efidisk0.pre-enrolled-keys,default=0"`
	MSCert          types.String `tfsdk:"ms_cert" pve:"efidisk0.ms-cert,default=2011"`
}

type tpmStateModel struct {
	Storage    types.String `tfsdk:"storage"`
	Volume     types.String `tfsdk:"volume"`
	ImportFrom types.String `tfsdk:"import_from"`
	Format     types.String `tfsdk:"format"`
	Version    types.String `tfsdk:"version" pve:"tpmstate0.version,default=v1.2"`
}
