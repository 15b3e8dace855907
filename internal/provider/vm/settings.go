package vm

import "github.com/hashicorp/terraform-plugin-framework/types"

// settings is the part of the model that stands for the VM's configuration, key
// by key. Tags `pve` name the flat keys; see flat.go.
type settings struct {
	Name         types.String `tfsdk:"name" pve:"name"`
	Description  types.String `tfsdk:"description" pve:"description,newline"`
	Tags         types.Set    `tfsdk:"tags" pve:"tags,tags"`
	Protection   types.Bool   `tfsdk:"protection" pve:"protection,default=0"`
	Hookscript   types.String `tfsdk:"hookscript" pve:"hookscript"`
	Args         types.String `tfsdk:"args" pve:"args"`
	BIOS         types.String `tfsdk:"bios" pve:"bios,default=seabios"`
	SCSIHardware types.String `tfsdk:"scsi_hardware" pve:"scsihw,default=lsi"`

	CPU          *cpuModel          `tfsdk:"cpu" pve:",group"`
	Memory       *memoryModel       `tfsdk:"memory" pve:",group"`
	Machine      *machineModel      `tfsdk:"machine" pve:",group"`
	OS           *osModel           `tfsdk:"os" pve:",group"`
	Boot         *bootModel         `tfsdk:"boot" pve:",group"`
	Options      *optionsModel      `tfsdk:"options" pve:",group"`
	Agent        *agentModel        `tfsdk:"agent" pve:",group"`
	Display      *displayModel      `tfsdk:"display" pve:",group"`
	Audio        *audioModel        `tfsdk:"audio" pve:",group"`
	RNG          *rngModel          `tfsdk:"rng" pve:",group"`
	Watchdog     *watchdogModel     `tfsdk:"watchdog" pve:",group"`
	SMBIOS       *smbiosModel       `tfsdk:"smbios" pve:",group"`
	Confidential *confidentialModel `tfsdk:"confidential" pve:",group"`
	CloudInit    *cloudInitModel    `tfsdk:"cloud_init" pve:",group"`

	Disks    map[string]diskModel     `tfsdk:"disks" pve:"disk:,each"`
	CDROMs   map[string]cdromModel    `tfsdk:"cdroms" pve:"cdrom:,each"`
	EFIDisk  *efiDiskModel            `tfsdk:"efi_disk" pve:",group"`
	TPMState *tpmStateModel           `tfsdk:"tpm_state" pve:",group"`
	Network  map[string]networkModel  `tfsdk:"network" pve:"net,each"`
	HostPCI  map[string]hostPCIModel  `tfsdk:"hostpci" pve:"hostpci,each"`
	USB      map[string]usbModel      `tfsdk:"usb" pve:"usb,each"`
	VirtioFS map[string]virtioFSModel `tfsdk:"virtiofs" pve:"virtiofs,each"`
	Serial   map[string]portModel     `tfsdk:"serial" pve:"serial,each"`
	Parallel map[string]portModel     `tfsdk:"parallel" pve:"parallel,each"`
	IVSHMem  *ivshmemModel            `tfsdk:"ivshmem" pve:",group"`
}

type cpuModel struct {
	Cores         types.Int64          `tfsdk:"cores" pve:"cores,default=1"`
	Sockets       types.Int64          `tfsdk:"sockets" pve:"sockets,default=1"`
	VCPUs         types.Int64          `tfsdk:"vcpus" pve:"vcpus"`
	Type          types.String         `tfsdk:"type" pve:"cpu.cputype"`
	Flags         types.Set            `tfsdk:"flags" pve:"cpu.flags,list=semicolon"`
	Hidden        types.Bool           `tfsdk:"hidden" pve:"cpu.hidden,default=0"`
	HVVendorID    types.String         `tfsdk:"hv_vendor_id" pve:"cpu.hv-vendor-id"`
	PhysBits      types.String         `tfsdk:"phys_bits" pve:"cpu.phys-bits"`
	GuestPhysBits types.Int64          `tfsdk:"guest_phys_bits" pve:"cpu.guest-phys-bits"`
	Level         types.Int64          `tfsdk:"level" pve:"cpu.level"`
	Limit         types.Float64        `tfsdk:"limit" pve:"cpulimit,default=0"`
	Units         types.Int64          `tfsdk:"units" pve:"cpuunits"`
	Affinity      types.String         `tfsdk:"affinity" pve:"affinity"`
	Arch          types.String         `tfsdk:"arch" pve:"arch"`
	NUMA          types.Bool           `tfsdk:"numa" pve:"numa,default=0"`
	NUMANodes     map[string]numaModel `tfsdk:"numa_nodes" pve:"numa,each"`
}

type numaModel struct {
	CPUs      types.Set     `tfsdk:"cpus" pve:"cpus,list=semicolon"`
	Memory    types.Float64 `tfsdk:"memory" pve:"memory"`
	HostNodes types.Set     `tfsdk:"host_nodes" pve:"hostnodes,list=semicolon"`
	Policy    types.String  `tfsdk:"policy" pve:"policy"`
}

type memoryModel struct {
	Size          types.Int64  `tfsdk:"size" pve:"memory.current,default=512"`
	Minimum       types.Int64  `tfsdk:"minimum" pve:"balloon"`
	Shares        types.Int64  `tfsdk:"shares" pve:"shares,default=1000"`
	Hugepages     types.String `tfsdk:"hugepages" pve:"hugepages"`
	KeepHugepages types.Bool   `tfsdk:"keep_hugepages" pve:"keephugepages,default=0"`
	AllowKSM      types.Bool   `tfsdk:"allow_ksm" pve:"allow-ksm,default=1"`
}

type machineModel struct {
	Type     types.String `tfsdk:"type" pve:"machine.type"`
	VIOMMU   types.String `tfsdk:"viommu" pve:"machine.viommu"`
	AWBits   types.Int64  `tfsdk:"aw_bits" pve:"machine.aw-bits"`
	EnableS3 types.Bool   `tfsdk:"enable_s3" pve:"machine.enable-s3"`
	EnableS4 types.Bool   `tfsdk:"enable_s4" pve:"machine.enable-s4"`
}

type osModel struct {
	Type      types.String `tfsdk:"type" pve:"ostype,default=other"`
	Localtime types.Bool   `tfsdk:"localtime" pve:"localtime"`
	StartDate types.String `tfsdk:"start_date" pve:"startdate,default=now"`
}

type bootModel struct {
	Order   types.List    `tfsdk:"order" pve:"boot.order,list=semicolon"`
	OnBoot  types.Bool    `tfsdk:"on_boot" pve:"onboot,default=0"`
	Startup *startupModel `tfsdk:"startup" pve:",group"`
}

type startupModel struct {
	Order types.Int64 `tfsdk:"order" pve:"startup.order"`
	Up    types.Int64 `tfsdk:"up" pve:"startup.up"`
	Down  types.Int64 `tfsdk:"down" pve:"startup.down"`
}

type optionsModel struct {
	Hotplug         types.Set     `tfsdk:"hotplug" pve:"hotplug,list=comma,default=disk;network;usb"`
	Tablet          types.Bool    `tfsdk:"tablet" pve:"tablet,default=1"`
	ACPI            types.Bool    `tfsdk:"acpi" pve:"acpi,default=1"`
	KVM             types.Bool    `tfsdk:"kvm" pve:"kvm,default=1"`
	Reboot          types.Bool    `tfsdk:"reboot" pve:"reboot,default=1"`
	Freeze          types.Bool    `tfsdk:"freeze" pve:"freeze,default=0"`
	Autostart       types.Bool    `tfsdk:"autostart" pve:"autostart,default=0"`
	TimeDriftFix    types.Bool    `tfsdk:"time_drift_fix" pve:"tdf,default=0"`
	GenerationID    types.String  `tfsdk:"generation_id" pve:"vmgenid,fold"`
	VMStateStorage  types.String  `tfsdk:"vmstate_storage" pve:"vmstatestorage"`
	MigrateSpeed    types.Int64   `tfsdk:"migrate_speed" pve:"migrate_speed,default=0"`
	MigrateDowntime types.Float64 `tfsdk:"migrate_downtime" pve:"migrate_downtime,default=0.1"`
}

type agentModel struct {
	Enabled           types.Bool   `tfsdk:"enabled" pve:"agent.enabled,default=0"`
	Type              types.String `tfsdk:"type" pve:"agent.type,default=virtio"`
	FstrimClonedDisks types.Bool   `tfsdk:"fstrim_cloned_disks" pve:"agent.fstrim_cloned_disks,default=0"`
	FreezeFS          types.Bool   `tfsdk:"freeze_fs" pve:"agent.freeze-fs-on-backup,default=1"`
}

type displayModel struct {
	Type      types.String `tfsdk:"type" pve:"vga.type"`
	Memory    types.Int64  `tfsdk:"memory" pve:"vga.memory"`
	Clipboard types.String `tfsdk:"clipboard" pve:"vga.clipboard"`
	Keyboard  types.String `tfsdk:"keyboard" pve:"keyboard"`
	Spice     *spiceModel  `tfsdk:"spice" pve:",group"`
}

type spiceModel struct {
	FolderSharing  types.Bool   `tfsdk:"folder_sharing" pve:"spice_enhancements.foldersharing,default=0"`
	VideoStreaming types.String `tfsdk:"video_streaming" pve:"spice_enhancements.videostreaming,default=off"`
}

type audioModel struct {
	Device types.String `tfsdk:"device" pve:"audio0.device"`
	Driver types.String `tfsdk:"driver" pve:"audio0.driver,default=spice"`
}

type rngModel struct {
	Source   types.String `tfsdk:"source" pve:"rng0.source"`
	MaxBytes types.Int64  `tfsdk:"max_bytes" pve:"rng0.max_bytes,default=1024"`
	Period   types.Int64  `tfsdk:"period" pve:"rng0.period,default=1000"`
}

type watchdogModel struct {
	Model  types.String `tfsdk:"model" pve:"watchdog.model,default=i6300esb"`
	Action types.String `tfsdk:"action" pve:"watchdog.action"`
}

type smbiosModel struct {
	UUID         types.String `tfsdk:"uuid" pve:"smbios1.uuid,fold"`
	Manufacturer types.String `tfsdk:"manufacturer" pve:"smbios1.manufacturer"`
	Product      types.String `tfsdk:"product" pve:"smbios1.product"`
	Version      types.String `tfsdk:"version" pve:"smbios1.version"`
	Serial       types.String `tfsdk:"serial" pve:"smbios1.serial"`
	SKU          types.String `tfsdk:"sku" pve:"smbios1.sku"`
	Family       types.String `tfsdk:"family" pve:"smbios1.family"`
}

type confidentialModel struct {
	AMD   *amdSEVModel   `tfsdk:"amd_sev" pve:",group"`
	Intel *intelTDXModel `tfsdk:"intel_tdx" pve:",group"`
}

type amdSEVModel struct {
	Type         types.String `tfsdk:"type" pve:"amd-sev.type"`
	NoDebug      types.Bool   `tfsdk:"no_debug" pve:"amd-sev.no-debug,default=0"`
	NoKeySharing types.Bool   `tfsdk:"no_key_sharing" pve:"amd-sev.no-key-sharing,default=0"`
	AllowSMT     types.Bool   `tfsdk:"allow_smt" pve:"amd-sev.allow-smt"`
	KernelHashes types.Bool   `tfsdk:"kernel_hashes" pve:"amd-sev.kernel-hashes,default=0"`
}

type intelTDXModel struct {
	Type        types.String `tfsdk:"type" pve:"intel-tdx.type"`
	Attestation types.Bool   `tfsdk:"attestation" pve:"intel-tdx.attestation,default=1"`
	VsockCID    types.Int64  `tfsdk:"vsock_cid" pve:"intel-tdx.vsock-cid,default=2"`
	VsockPort   types.Int64  `tfsdk:"vsock_port" pve:"intel-tdx.vsock-port,default=4050"`
}

type cloudInitModel struct {
	Storage           types.String             `tfsdk:"storage"`
	Drive             types.String             `tfsdk:"drive"`
	User              types.String             `tfsdk:"user" pve:"ciuser"`
	PasswordWO        types.String             `tfsdk:"password_wo"`
	PasswordWOVersion types.Int64              `tfsdk:"password_wo_version"`
	SSHKeys           types.List               `tfsdk:"ssh_keys" pve:"sshkeys,list=line"`
	Upgrade           types.Bool               `tfsdk:"upgrade" pve:"ciupgrade,default=1"`
	Type              types.String             `tfsdk:"type" pve:"citype"`
	IPConfig          map[string]ipConfigModel `tfsdk:"ip_config" pve:"ipconfig,each"`
	DNS               *dnsModel                `tfsdk:"dns" pve:",group"`
	Custom            *customModel             `tfsdk:"custom" pve:",group"`
}

type ipConfigModel struct {
	IP  types.String `tfsdk:"ip" pve:"ip"`
	Gw  types.String `tfsdk:"gw" pve:"gw"`
	IP6 types.String `tfsdk:"ip6" pve:"ip6"`
	Gw6 types.String `tfsdk:"gw6" pve:"gw6"`
}

type dnsModel struct {
	Nameservers   types.List   `tfsdk:"nameservers" pve:"nameserver,list=space"`
	SearchDomains types.String `tfsdk:"search_domain" pve:"searchdomain"`
}

type customModel struct {
	User    types.String `tfsdk:"user" pve:"cicustom.user"`
	Network types.String `tfsdk:"network" pve:"cicustom.network"`
	Meta    types.String `tfsdk:"meta" pve:"cicustom.meta"`
	Vendor  types.String `tfsdk:"vendor" pve:"cicustom.vendor"`
}

type networkModel struct {
	Model      types.String  `tfsdk:"model" pve:"model,default=virtio"`
	MACAddr    types.String  `tfsdk:"macaddr" pve:"macaddr,detected,fold"`
	Bridge     types.String  `tfsdk:"bridge" pve:"bridge"`
	Tag        types.Int64   `tfsdk:"tag" pve:"tag"`
	Trunks     types.Set     `tfsdk:"trunks" pve:"trunks,list=semicolon"`
	Firewall   types.Bool    `tfsdk:"firewall" pve:"firewall,default=0"`
	Rate       types.Float64 `tfsdk:"rate" pve:"rate"`
	Queues     types.Int64   `tfsdk:"queues" pve:"queues"`
	MTU        types.Int64   `tfsdk:"mtu" pve:"mtu"`
	LinkDown   types.Bool    `tfsdk:"link_down" pve:"link_down,default=0"`
	HostTunnel types.Bool    `tfsdk:"host_tunnel" pve:"host-tunnel,default=0"`
}

type hostPCIModel struct {
	Host        types.List   `tfsdk:"host" pve:"host,list=semicolon"`
	Mapping     types.String `tfsdk:"mapping" pve:"mapping"`
	MDev        types.String `tfsdk:"mdev" pve:"mdev"`
	PCIe        types.Bool   `tfsdk:"pcie" pve:"pcie,default=0"`
	ROMBar      types.Bool   `tfsdk:"rombar" pve:"rombar,default=1"`
	ROMFile     types.String `tfsdk:"romfile" pve:"romfile"`
	XVGA        types.Bool   `tfsdk:"x_vga" pve:"x-vga,default=0"`
	LegacyIGD   types.Bool   `tfsdk:"legacy_igd" pve:"legacy-igd,default=0"`
	Driver      types.String `tfsdk:"driver" pve:"driver,default=vfio"`
	DeviceID    types.String `tfsdk:"device_id" pve:"device-id,fold"`
	VendorID    types.String `tfsdk:"vendor_id" pve:"vendor-id,fold"`
	SubDeviceID types.String `tfsdk:"sub_device_id" pve:"sub-device-id,fold"`
	SubVendorID types.String `tfsdk:"sub_vendor_id" pve:"sub-vendor-id,fold"`
}

type usbModel struct {
	Host    types.String `tfsdk:"host" pve:"host"`
	Mapping types.String `tfsdk:"mapping" pve:"mapping"`
	USB3    types.Bool   `tfsdk:"usb3" pve:"usb3,default=0"`
}

type virtioFSModel struct {
	DirID       types.String `tfsdk:"dir_id" pve:"dirid"`
	Cache       types.String `tfsdk:"cache" pve:"cache,default=auto"`
	DirectIO    types.Bool   `tfsdk:"direct_io" pve:"direct-io,default=0"`
	ExposeACL   types.Bool   `tfsdk:"expose_acl" pve:"expose-acl,default=0"`
	ExposeXattr types.Bool   `tfsdk:"expose_xattr" pve:"expose-xattr,default=0"`
}

// portModel is a serial or parallel port.
type portModel struct {
	Device types.String `tfsdk:"device" pve:"device"`
}

type ivshmemModel struct {
	Size types.Int64  `tfsdk:"size" pve:"ivshmem.size"`
	Name types.String `tfsdk:"name" pve:"ivshmem.name"`
}
