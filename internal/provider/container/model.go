package container

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// model is the resource as configuration, plan and state hold it. Tags `pve`
// name scalar keys of the container's configuration; see package keys. Nested
// attributes are framework objects here because a plan may hold them unknown.
type model struct {
	Node        types.String `tfsdk:"node"`
	VMID        types.Int64  `tfsdk:"vmid"`
	CurrentNode types.String `tfsdk:"current_node"`
	Pool        types.String `tfsdk:"pool"`

	OSTemplate        types.String `tfsdk:"ostemplate"`
	Restore           types.Object `tfsdk:"restore"`
	Clone             types.Object `tfsdk:"clone"`
	Unprivileged      types.Bool   `tfsdk:"unprivileged" pve:"unprivileged,default=0,explicit"`
	ReinstallTrigger  types.String `tfsdk:"reinstall_trigger"`
	PasswordWO        types.String `tfsdk:"password_wo"`
	PasswordWOVersion types.Int64  `tfsdk:"password_wo_version"`
	SSHPublicKeys     types.List   `tfsdk:"ssh_public_keys"`
	WaiveBlockers     types.Set    `tfsdk:"waive_blockers"`

	Hostname          types.String `tfsdk:"hostname" pve:"hostname"`
	Description       types.String `tfsdk:"description" pve:"description,newline"`
	Tags              types.Set    `tfsdk:"tags" pve:"tags,tags"`
	Protection        types.Bool   `tfsdk:"protection" pve:"protection,default=0,explicit"`
	Hookscript        types.String `tfsdk:"hookscript" pve:"hookscript"`
	Timezone          types.String `tfsdk:"timezone" pve:"timezone"`
	Started           types.Bool   `tfsdk:"started"`
	RestartForPending types.Bool   `tfsdk:"restart_for_pending"`
	ReadAddresses     types.Bool   `tfsdk:"read_addresses"`

	CPU      types.Object `tfsdk:"cpu"`
	Memory   types.Object `tfsdk:"memory"`
	DNS      types.Object `tfsdk:"dns"`
	Console  types.Object `tfsdk:"console"`
	Boot     types.Object `tfsdk:"boot"`
	Init     types.Object `tfsdk:"init"`
	OS       types.Object `tfsdk:"os"`
	Features types.Object `tfsdk:"features"`

	Rootfs      types.Object `tfsdk:"rootfs"`
	MountPoints types.Map    `tfsdk:"mount_points"`
	Network     types.Map    `tfsdk:"network"`
	Devices     types.Map    `tfsdk:"devices"`
	Firewall    types.Object `tfsdk:"firewall"`

	Volumes     types.Map    `tfsdk:"volumes"`
	Fingerprint types.String `tfsdk:"fingerprint"`
	RawLXC      types.List   `tfsdk:"raw_lxc"`
	Addresses   types.Set    `tfsdk:"addresses"`
	Reconcile   types.Object `tfsdk:"reconcile"`

	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

type cpuModel struct {
	Cores types.Int64   `tfsdk:"cores" pve:"cores"`
	Limit types.Float64 `tfsdk:"limit" pve:"cpulimit,default=0"`
	Units types.Int64   `tfsdk:"units" pve:"cpuunits,default=100"`
}

type memoryModel struct {
	Size types.Int64 `tfsdk:"size" pve:"memory,default=512"`
	Swap types.Int64 `tfsdk:"swap" pve:"swap,default=0"` // see defaultSwap
}

type dnsModel struct {
	Nameservers   types.List `tfsdk:"nameservers" pve:"nameserver,list=space"`
	SearchDomains types.List `tfsdk:"search_domains" pve:"searchdomain,list=space"`
}

type consoleModel struct {
	Enabled types.Bool   `tfsdk:"enabled" pve:"console,default=1"`
	TTY     types.Int64  `tfsdk:"tty" pve:"tty,default=2"`
	Mode    types.String `tfsdk:"mode" pve:"cmode,default=tty"`
}

type bootModel struct {
	OnBoot  types.Bool   `tfsdk:"on_boot" pve:"onboot,default=0"`
	Debug   types.Bool   `tfsdk:"debug" pve:"debug,default=0"`
	Startup types.Object `tfsdk:"startup"`
}

type startupModel struct {
	Order types.Int64 `tfsdk:"order" pve:"order"`
	Up    types.Int64 `tfsdk:"up" pve:"up"`
	Down  types.Int64 `tfsdk:"down" pve:"down"`
}

type initModel struct {
	Entrypoint types.String `tfsdk:"entrypoint" pve:"entrypoint"`
	Env        types.Map    `tfsdk:"env" pve:"env,list=null"`
}

type osModel struct {
	Type types.String `tfsdk:"type" pve:"ostype,detected"`
	Arch types.String `tfsdk:"arch" pve:"arch,detected"`
}

type featuresModel struct {
	Nesting    types.Bool `tfsdk:"nesting" pve:"nesting,default=0"`
	Keyctl     types.Bool `tfsdk:"keyctl" pve:"keyctl,default=0"`
	Fuse       types.Bool `tfsdk:"fuse" pve:"fuse,default=0"`
	Mknod      types.Bool `tfsdk:"mknod" pve:"mknod,default=0"`
	ForceRWSys types.Bool `tfsdk:"force_rw_sys" pve:"force_rw_sys,default=0"`
	Mount      types.Set  `tfsdk:"mount" pve:"mount,list=semicolon"`
}

type rootfsModel struct {
	Storage      types.String `tfsdk:"storage"`
	Size         attrs.Size   `tfsdk:"size"`
	ACL          types.Bool   `tfsdk:"acl" pve:"acl"`
	MountOptions types.Set    `tfsdk:"mount_options" pve:"mountoptions,list=semicolon"`
	Quota        types.Bool   `tfsdk:"quota" pve:"quota,default=0"`
	ReadOnly     types.Bool   `tfsdk:"read_only" pve:"ro,default=0"`
	Replicate    types.Bool   `tfsdk:"replicate" pve:"replicate,default=1"`
	Shared       types.Bool   `tfsdk:"shared" pve:"shared,default=0"`
	IDMap        types.String `tfsdk:"idmap" pve:"idmap"`
}

type mountPointModel struct {
	Path         types.String `tfsdk:"path" pve:"mp"`
	Storage      types.String `tfsdk:"storage"`
	Size         attrs.Size   `tfsdk:"size"`
	Volume       types.String `tfsdk:"volume"`
	Backup       types.Bool   `tfsdk:"backup" pve:"backup,default=0"`
	KeepAttrs    types.Bool   `tfsdk:"keepattrs" pve:"keepattrs,default=0"`
	ACL          types.Bool   `tfsdk:"acl" pve:"acl"`
	MountOptions types.Set    `tfsdk:"mount_options" pve:"mountoptions,list=semicolon"`
	Quota        types.Bool   `tfsdk:"quota" pve:"quota,default=0"`
	ReadOnly     types.Bool   `tfsdk:"read_only" pve:"ro,default=0"`
	Replicate    types.Bool   `tfsdk:"replicate" pve:"replicate,default=1"`
	Shared       types.Bool   `tfsdk:"shared" pve:"shared,default=0"`
	IDMap        types.String `tfsdk:"idmap" pve:"idmap"`
}

type networkModel struct {
	Name        types.String  `tfsdk:"name" pve:"name"`
	Bridge      types.String  `tfsdk:"bridge" pve:"bridge"`
	Hwaddr      types.String  `tfsdk:"hwaddr" pve:"hwaddr,detected,fold"`
	IP          types.String  `tfsdk:"ip" pve:"ip"`
	Gw          types.String  `tfsdk:"gw" pve:"gw"`
	IP6         types.String  `tfsdk:"ip6" pve:"ip6"`
	Gw6         types.String  `tfsdk:"gw6" pve:"gw6"`
	Tag         types.Int64   `tfsdk:"tag" pve:"tag"`
	MTU         types.Int64   `tfsdk:"mtu" pve:"mtu"`
	Rate        types.Float64 `tfsdk:"rate" pve:"rate"`
	Trunks      types.Set     `tfsdk:"trunks" pve:"trunks,list=semicolon"`
	Firewall    types.Bool    `tfsdk:"firewall" pve:"firewall,default=0"`
	LinkDown    types.Bool    `tfsdk:"link_down" pve:"link_down,default=0"`
	HostManaged types.Bool    `tfsdk:"host_managed" pve:"host-managed,default=0"`
}

type deviceModel struct {
	Path      types.String `tfsdk:"path" pve:"path"`
	Mode      types.String `tfsdk:"mode" pve:"mode,default=0660"`
	UID       types.Int64  `tfsdk:"uid" pve:"uid,default=0"`
	GID       types.Int64  `tfsdk:"gid" pve:"gid,default=0"`
	DenyWrite types.Bool   `tfsdk:"deny_write" pve:"deny-write,default=0"`
}
