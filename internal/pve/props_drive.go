package pve

// Drive is a drive of a VM, keys ide0 to 3, sata0 to 5, scsi0 to 30 and virtio0 to
// 15. The keys of all buses are here; Proxmox refuses one that a bus does not have.
// Source: PVE::QemuServer::Drive.
type Drive struct {
	// File is a volume id, an absolute path, none, cdrom, STORAGE:SIZE in GiB for a
	// volume to be made, or STORAGE:cloudinit.
	File         string   `props:"file,default,required,alias=volume"`
	Media        string   `props:"media"`
	Size         string   `props:"size"` // information, written by Proxmox
	Format       string   `props:"format"`
	ImportFrom   string   `props:"import-from"` // with File STORAGE:0, on writing only
	Cache        string   `props:"cache"`
	AIO          string   `props:"aio"`
	Discard      string   `props:"discard"`
	DetectZeroes *bool    `props:"detect_zeroes"`
	Backup       *bool    `props:"backup"`    // not set is yes
	Replicate    *bool    `props:"replicate"` // not set is yes
	Shared       *bool    `props:"shared"`
	Snapshot     *bool    `props:"snapshot"`
	Serial       string   `props:"serial"`
	RError       string   `props:"rerror"`
	WError       string   `props:"werror"`
	IOThread     *bool    `props:"iothread"` // scsi and virtio
	ReadOnly     *bool    `props:"ro"`       // scsi and virtio
	SSD          *bool    `props:"ssd"`      // all but virtio
	WWN          string   `props:"wwn"`      // all but virtio
	Model        string   `props:"model"`    // ide
	Queues       *int     `props:"queues"`   // scsi
	Product      string   `props:"product"`  // scsi
	Vendor       string   `props:"vendor"`   // scsi
	SCSIBlock    *bool    `props:"scsiblock"`
	MBps         *float64 `props:"mbps"` // MiB/s, like the five that follow
	MBpsRead     *float64 `props:"mbps_rd"`
	MBpsWrite    *float64 `props:"mbps_wr"`
	MBpsMax      *float64 `props:"mbps_max"`
	MBpsReadMax  *float64 `props:"mbps_rd_max"`
	MBpsWriteMax *float64 `props:"mbps_wr_max"`
	IOps         *int     `props:"iops"`
	IOpsRead     *int     `props:"iops_rd"`
	IOpsWrite    *int     `props:"iops_wr"`
	IOpsMax      *int     `props:"iops_max"`
	IOpsReadMax  *int     `props:"iops_rd_max"`
	IOpsWriteMax *int     `props:"iops_wr_max"`

	// Burst lengths in seconds.
	BpsMaxLength       *int `props:"bps_max_length"`
	BpsReadMaxLength   *int `props:"bps_rd_max_length,alias=bps_rd_length"`
	BpsWriteMaxLength  *int `props:"bps_wr_max_length,alias=bps_wr_length"`
	IOpsMaxLength      *int `props:"iops_max_length"`
	IOpsReadMaxLength  *int `props:"iops_rd_max_length,alias=iops_rd_length"`
	IOpsWriteMaxLength *int `props:"iops_wr_max_length,alias=iops_wr_length"`

	// bps, bps_rd and bps_wr are not fields: Proxmox stores mbps=0.000 for them,
	// which is no limit. Source: PVE::QemuServer::Drive parse_drive.

	Rest map[string]string `props:",rest"`
}

// EFIDisk holds the variables of the firmware, key efidisk0.
type EFIDisk struct {
	File            string `props:"file,default,required,alias=volume"`
	Size            string `props:"size"`
	Format          string `props:"format"`
	EFIType         string `props:"efitype"` // 2m or 4m; not set is 2m
	PreEnrolledKeys *bool  `props:"pre-enrolled-keys"`
	MSCert          string `props:"ms-cert"` // written by Proxmox VE 9
	ImportFrom      string `props:"import-from"`

	Rest map[string]string `props:",rest"`
}

// TPMState is the memory of the TPM, key tpmstate0.
type TPMState struct {
	File       string `props:"file,default,required,alias=volume"`
	Size       string `props:"size"`
	Format     string `props:"format"`
	Version    string `props:"version"` // v1.2 or v2.0; not set is v1.2
	ImportFrom string `props:"import-from"`

	Rest map[string]string `props:",rest"`
}

// Unused is a volume that a guest owns and does not use, keys unused0 to unused255,
// of either kind.
type Unused struct {
	Volume string `props:"volume,default,required,alias=file"`

	Rest map[string]string `props:",rest"`
}
