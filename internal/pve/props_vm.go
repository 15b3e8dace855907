package pve

// VMNet is a network device of a VM, keys net0 to net31.
// Source: PVE::QemuServer::Network $net_fmt.
type VMNet struct {
	Model      string   `props:"model,default,required,for=macaddr,names=e1000|e1000-82540em|e1000-82544gc|e1000-82545em|e1000e|i82551|i82557b|i82559er|ne2k_isa|ne2k_pci|pcnet|rtl8139|virtio|vmxnet3"`
	MAC        string   `props:"macaddr"` // a new random one on every update without it
	Bridge     string   `props:"bridge"`
	Firewall   *bool    `props:"firewall"`
	LinkDown   *bool    `props:"link_down"`
	Queues     *int     `props:"queues"`
	Rate       *float64 `props:"rate"` // MB/s
	Tag        *int     `props:"tag"`  // VLAN, 1 to 4094
	Trunks     []string `props:"trunks"`
	MTU        *int     `props:"mtu"` // 1 is the bridge's
	HostTunnel *bool    `props:"host-tunnel"`

	Rest map[string]string `props:",rest"`
}

// IPConfig is what cloud-init sets up on a network device, keys ipconfig0 to 31.
type IPConfig struct {
	IP       string `props:"ip"` // CIDR or dhcp
	Gateway  string `props:"gw"`
	IP6      string `props:"ip6"` // CIDR, auto or dhcp
	Gateway6 string `props:"gw6"`

	Rest map[string]string `props:",rest"`
}

// CPU is the processor of a VM. Source: PVE::QemuServer::CPUConfig $cpu_fmt.
type CPU struct {
	Type          string   `props:"cputype,default"` // not set is kvm64
	Flags         []string `props:"flags"`           // +aes, -pcid
	Hidden        *bool    `props:"hidden"`
	HVVendorID    string   `props:"hv-vendor-id"`
	PhysBits      string   `props:"phys-bits"` // a number or host
	GuestPhysBits *int     `props:"guest-phys-bits"`
	ReportedModel string   `props:"reported-model"`
	Level         *int     `props:"level"`

	Rest map[string]string `props:",rest"`
}

// Memory of a VM in MiB.
type Memory struct {
	Current *int `props:"current,default"`

	Rest map[string]string `props:",rest"`
}

// Agent is the guest agent. The last three names are those of older versions.
type Agent struct {
	Enabled           *bool  `props:"enabled,default,required"`
	FstrimClonedDisks *bool  `props:"fstrim_cloned_disks"`
	FreezeFS          *bool  `props:"freeze-fs"`
	GuestFsfreeze     *bool  `props:"guest-fsfreeze"`
	FreezeFSOnBackup  *bool  `props:"freeze-fs-on-backup"`
	Type              string `props:"type"` // virtio or isa

	Rest map[string]string `props:",rest"`
}

// VGA is the display of a VM.
type VGA struct {
	Type      string `props:"type,default"`
	Memory    *int   `props:"memory"` // MiB
	Clipboard string `props:"clipboard"`

	Rest map[string]string `props:",rest"`
}

// Machine is the machine type of a VM.
type Machine struct {
	Type     string `props:"type,default"`
	VIOMMU   string `props:"viommu"`
	AWBits   *int   `props:"aw-bits"` // from Proxmox VE 9
	EnableS3 *bool  `props:"enable-s3"`
	EnableS4 *bool  `props:"enable-s4"`

	Rest map[string]string `props:",rest"`
}

// NUMA is a NUMA node of a VM, keys numa0 to numa7.
type NUMA struct {
	CPUs      []string `props:"cpus,required"`
	Memory    *float64 `props:"memory"` // MiB
	HostNodes []string `props:"hostnodes"`
	Policy    string   `props:"policy"`

	Rest map[string]string `props:",rest"`
}

// HostPCI is a PCI device of the node in a VM, keys hostpci0 to hostpci15. Host may
// be set by root@pam alone, Mapping by others too.
type HostPCI struct {
	Host        []string `props:"host,default"`
	Mapping     string   `props:"mapping"`
	DeviceID    string   `props:"device-id"`
	VendorID    string   `props:"vendor-id"`
	SubDeviceID string   `props:"sub-device-id"`
	SubVendorID string   `props:"sub-vendor-id"`
	Driver      string   `props:"driver"` // from Proxmox VE 9
	LegacyIGD   *bool    `props:"legacy-igd"`
	MDev        string   `props:"mdev"`
	PCIe        *bool    `props:"pcie"`
	ROMBar      *bool    `props:"rombar"`
	ROMFile     string   `props:"romfile"`
	XVGA        *bool    `props:"x-vga"`

	Rest map[string]string `props:",rest"`
}

// USB is a USB device in a VM, keys usb0 to usb13. Host other than spice may be set
// by root@pam alone.
type USB struct {
	Host    string `props:"host,default"`
	Mapping string `props:"mapping"`
	USB3    *bool  `props:"usb3"`

	Rest map[string]string `props:",rest"`
}

// VirtioFS is a directory of the node in a VM, keys virtiofs0 to virtiofs9.
type VirtioFS struct {
	DirID       string `props:"dirid,default,required"` // a directory mapping
	Cache       string `props:"cache"`
	DirectIO    *bool  `props:"direct-io"`
	ExposeACL   *bool  `props:"expose-acl"`
	ExposeXattr *bool  `props:"expose-xattr"`

	Rest map[string]string `props:",rest"`
}

// RNG is a source of random numbers, key rng0.
type RNG struct {
	Source   string `props:"source,default,required"`
	MaxBytes *int   `props:"max_bytes"`
	Period   *int   `props:"period"` // ms

	Rest map[string]string `props:",rest"`
}

// Audio is a sound card, key audio0.
type Audio struct {
	Device string `props:"device,required"`
	Driver string `props:"driver"`

	Rest map[string]string `props:",rest"`
}

// Watchdog is a watchdog device.
type Watchdog struct {
	Model  string `props:"model,default"`
	Action string `props:"action"`

	Rest map[string]string `props:",rest"`
}

// SMBIOS is what the firmware tells of the machine, key smbios1. With Base64 all
// texts but the UUID are encoded.
type SMBIOS struct {
	UUID         string `props:"uuid"`
	Manufacturer string `props:"manufacturer"`
	Product      string `props:"product"`
	Version      string `props:"version"`
	Serial       string `props:"serial"`
	SKU          string `props:"sku"`
	Family       string `props:"family"`
	Base64       *bool  `props:"base64"`

	Rest map[string]string `props:",rest"`
}

// Boot is the order in which a VM looks for a system. A value of blanks is no
// device at all, which is not the same as no value.
type Boot struct {
	Legacy string   `props:"legacy,default"` // letters of acdn
	Order  []string `props:"order"`

	Rest map[string]string `props:",rest"`
}

// CICustom are files that take the place of what cloud-init would generate.
type CICustom struct {
	User    string `props:"user"`
	Network string `props:"network"`
	Meta    string `props:"meta"`
	Vendor  string `props:"vendor"`

	Rest map[string]string `props:",rest"`
}

// AMDSEV is memory encryption by AMD.
type AMDSEV struct {
	Type         string `props:"type,default,required"`
	NoDebug      *bool  `props:"no-debug"`
	NoKeySharing *bool  `props:"no-key-sharing"`
	AllowSMT     *bool  `props:"allow-smt"`
	KernelHashes *bool  `props:"kernel-hashes"`

	Rest map[string]string `props:",rest"`
}

// IntelTDX is memory encryption by Intel, from Proxmox VE 9.
type IntelTDX struct {
	Type        string `props:"type,default,required"`
	Attestation *bool  `props:"attestation"`
	VsockCID    *int   `props:"vsock-cid"`
	VsockPort   *int   `props:"vsock-port"`

	Rest map[string]string `props:",rest"`
}

// IVSHMem is memory shared between VMs.
type IVSHMem struct {
	Size *int   `props:"size,required"` // MiB
	Name string `props:"name"`

	Rest map[string]string `props:",rest"`
}

// SpiceEnhancements are extras of a SPICE display.
type SpiceEnhancements struct {
	FolderSharing  *bool  `props:"foldersharing"`
	VideoStreaming string `props:"videostreaming"`

	Rest map[string]string `props:",rest"`
}

// Meta is what Proxmox noted when it made the VM; it cannot be set.
type Meta struct {
	CreationQEMU string `props:"creation-qemu"`
	CTime        *int   `props:"ctime"` // seconds since 1970

	Rest map[string]string `props:",rest"`
}
