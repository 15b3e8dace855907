package pve

// MountPoint is the root file system (without Path) or a mount point of a container,
// keys rootfs and mp0 to mp255. Source: PVE::LXC::Config $rootfs_desc, $mp_desc.
type MountPoint struct {
	// Volume is a volume id, an absolute path of the node (a bind mount, or a device
	// below /dev), or STORAGE:SIZE in GiB for a volume to be made.
	Volume       string   `props:"volume,default,required"`
	Path         string   `props:"mp"`
	Size         string   `props:"size"` // information, written by Proxmox
	ACL          *bool    `props:"acl"`
	Backup       *bool    `props:"backup"` // mount points only; not set is no
	MountOptions []string `props:"mountoptions"`
	Quota        *bool    `props:"quota"`
	ReadOnly     *bool    `props:"ro"`
	Replicate    *bool    `props:"replicate"` // not set is yes
	Shared       *bool    `props:"shared"`
	IDMap        string   `props:"idmap"`     // from Proxmox VE 9
	KeepAttrs    *bool    `props:"keepattrs"` // from Proxmox VE 9

	Rest map[string]string `props:",rest"`
}

// ContainerNet is a network device of a container, keys net0 to net31.
// Source: PVE::LXC::Config $netconf_desc.
type ContainerNet struct {
	Name        string   `props:"name,required"` // inside the container
	Bridge      string   `props:"bridge"`
	MAC         string   `props:"hwaddr"` // a new random one on every update without it
	IP          string   `props:"ip"`     // CIDR, dhcp or manual
	Gateway     string   `props:"gw"`
	IP6         string   `props:"ip6"` // CIDR, auto, dhcp or manual
	Gateway6    string   `props:"gw6"`
	Firewall    *bool    `props:"firewall"`
	Tag         *int     `props:"tag"`    // VLAN, 1 to 4094
	Trunks      []string `props:"trunks"` // VLANs
	MTU         *int     `props:"mtu"`
	Rate        *float64 `props:"rate"` // MB/s
	LinkDown    *bool    `props:"link_down"`
	Type        string   `props:"type"` // veth, written by Proxmox
	HostManaged *bool    `props:"host-managed"`

	Rest map[string]string `props:",rest"`
}

// Features are what a container may do beyond the ordinary. All but nesting may be
// changed by root@pam alone. Source: PVE::LXC::Config $features_desc.
type Features struct {
	Nesting    *bool    `props:"nesting"`
	Keyctl     *bool    `props:"keyctl"`
	Fuse       *bool    `props:"fuse"`
	Mknod      *bool    `props:"mknod"`
	ForceRWSys *bool    `props:"force_rw_sys"`
	Mount      []string `props:"mount"` // file system types

	Rest map[string]string `props:",rest"`
}

// ContainerDevice is a device of the node in a container, keys dev0 to dev255.
// Source: PVE::LXC::Config $dev_desc.
type ContainerDevice struct {
	Path      string `props:"path,default,required"`
	Mode      string `props:"mode"` // octal, four digits
	UID       *int   `props:"uid"`
	GID       *int   `props:"gid"`
	DenyWrite *bool  `props:"deny-write"`

	Rest map[string]string `props:",rest"`
}

// Startup is the place of a guest in the start of its node.
// Source: PVE::JSONSchema pve-startup-order.
type Startup struct {
	Order *int `props:"order,default"`
	Up    *int `props:"up"`   // seconds to wait after its start
	Down  *int `props:"down"` // seconds to wait for its shutdown

	Rest map[string]string `props:",rest"`
}
