package pve

import (
	"regexp"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// match ties one of Proxmox's texts to a kind of error. This table is the only
// place where texts of the server are interpreted.
type match struct {
	source  string // the Perl code that emits the text
	pattern *regexp.Regexp
	kind    error
	detail  func(groups []string) error
}

var matches = []match{
	{"PVE::Cluster check_vmid_unused",
		regexp.MustCompile(`\b(CT|VM) (\d+) already exists on node '([^']+)'`), ErrExists, existsOnNode},
	{"PVE::API2::Cluster nextid",
		regexp.MustCompile(`^VM (\d+) already exists$`), ErrExists, existsSomewhere},
	{"PVE::AbstractConfig create_and_lock_config",
		regexp.MustCompile(`^unable to create (?:CT|VM) (\d+): config file already exists`), ErrExists, existsSomewhere},
	{"PVE::AbstractConfig snapshot_create",
		regexp.MustCompile(`^snapshot name '[^']+' already used`), ErrExists, nil},

	{"PVE::AbstractConfig load_config",
		regexp.MustCompile(`Configuration file 'nodes/([^/']+)/(lxc|qemu-server)/(\d+)\.conf' does not exist`), ErrNotFound, configMissing},
	{"PVE::API2::Qemu clone_vm, vm_feature, vm_reset, vm_suspend, vm_reboot",
		regexp.MustCompile(`unable to find configuration file for VM (\d+) on node '([^']+)'`), ErrNotFound, vmMissing},

	{"PVE::RESTEnvironment, PVE::Tools upid_read_status", regexp.MustCompile(`^no such task$`), ErrNoSuchTask, nil},
	{"PVE::Storage storage_config", regexp.MustCompile(`storage '([^']+)' does not exist`), ErrNoSuch, noSuch("storage")},
	{"PVE::API2::Storage::Status", regexp.MustCompile(`^No such storage\.`), ErrNoSuch, noSuch("storage")},
	{"PVE::API2::Pool, PVE::RPCEnvironment check_pool_exist", regexp.MustCompile(`pool '([^']+)' does not exist`), ErrNoSuch, noSuch("pool")},
	{"PVE::Storage, PVE::Storage::Plugin", regexp.MustCompile(`volume '?([^' ]+)'? does not exist`), ErrNoSuch, noSuch("volume")},
	{"PVE::AbstractConfig snapshot_delete", regexp.MustCompile(`snapshot '([^']+)' does not exist`), ErrNoSuch, noSuch("snapshot")},
	{"PVE::API2::Backup", regexp.MustCompile(`No such job '([^']+)'`), ErrNoSuch, noSuch("backup job")},
	{"PVE::API2::Backup update_job", regexp.MustCompile(`^no such vzdump job`), ErrNoSuch, noSuch("backup job")},
	{"PVE::API2::HA::Resources", regexp.MustCompile(`no such resource '([^']+)'`), ErrNoSuch, noSuch("HA resource")},
	{"PVE::API2::HA::Resources delete", regexp.MustCompile(`cannot delete service '([^']+)', not HA managed`), ErrNoSuch, noSuch("HA resource")},
	{"PVE::API2::Firewall::IPSet", regexp.MustCompile(`no such IPSet '([^']+)'`), ErrNoSuch, noSuch("IPSet")},
	{"PVE::Cluster check_node_exists", regexp.MustCompile(`no such cluster node '([^']+)'`), ErrNoSuch, noSuch("node")},
	{"PVE::Cluster remote_node_ip", regexp.MustCompile(`^hostname lookup '([^']+)' failed`), ErrNoSuch, noSuch("node")},

	{"PVE::AbstractConfig check_lock",
		regexp.MustCompile(`(?:CT|VM) is locked \(([^)]+)\)`), ErrLocked, func(g []string) error { return &LockedError{Lock: g[1]} }},
	{"PVE::Tools lock_file_full", regexp.MustCompile(`can't lock file '([^']+)' - got timeout`), ErrLockTimeout, lockFile},
	{"PVE::Cluster cfs_lock", regexp.MustCompile(`error: got lock request timeout`), ErrLockTimeout, nil},
	{"PVE::Cluster cfs_lock", regexp.MustCompile(`locked command timed out - aborting`), ErrLockTimeout, nil},

	{"PVE::AbstractConfig check_protection", regexp.MustCompile(`protection mode enabled`), ErrProtected, nil},
	{"PVE::Storage::Plugin free_image", regexp.MustCompile(`cannot remove protected volume '`), ErrProtected, nil},

	{"PVE::Tools assert_if_modified", regexp.MustCompile(`^(?:\w+ storage failed: )?detected modified configuration - file changed by other user\?`), ErrDigest, nil},
	{"PVE::API2::Qemu update_vm_api", regexp.MustCompile(`^checksum mismatch \(file change by other user\?\)`), ErrDigest, nil},

	{"PVE::RPCEnvironment check_full", regexp.MustCompile(`^Permission check failed \((/[^,)]*), ([^)]+)\)`), ErrPermission, permission},
	{"PVE::LXC check_ct_modify_config_perm", regexp.MustCompile(`is only allowed for root@pam`), ErrPermission, rootOnly},
	{"PVE::API2::Qemu check_vm_modify_config_perm", regexp.MustCompile(`[oO]nly root(?:@pam)? (?:can|may) (?:set|use|modify|delete|pass) `), ErrPermission, rootOnly},
	{"PVE::API2::Qemu skiplock", regexp.MustCompile(`^Only root may (?:use|set) this option`), ErrPermission, rootOnly},

	{"PVE::API2::Qemu::Agent, PVE::QemuServer::Agent",
		regexp.MustCompile(`^(?:No QEMU guest agent configured|QEMU guest agent is not running)`), ErrNoAgent, nil},
	{"PVE::API2::LXC::Status, PVE::QemuServer", regexp.MustCompile(`^(?:CT|VM) \d+ (?:is )?not running`), ErrNotRunning, nil},
	{"PVE::API2::LXC::Status, PVE::QemuServer vm_start", regexp.MustCompile(`^(?:CT|VM) \d+ already running`), ErrRunning, nil},
	{"PVE::API2::LXC destroy_vm, PVE::API2::Qemu destroy_vm",
		regexp.MustCompile(`^(?:unable to destroy CT \d+ - container is running|VM \d+ is running - destroy failed)`), ErrRunning, nil},
	{"PVE::API2::LXC move_volume", regexp.MustCompile(`^cannot move volumes of a running container`), ErrRunning, nil},

	{"PVE::API2::LXC resize_vm, PVE::API2::Qemu resize_vm",
		regexp.MustCompile(`^(?:unable to shrink disk size|shrinking disks is not supported)`), ErrShrink, nil},
	{"PVE::API2::LXC resize_vm", regexp.MustCompile(`^disk is already at specified size`), ErrSameSize, nil},
	{"PVE::Storage vdisk_free, PVE::QemuServer destroy_vm", regexp.MustCompile(`base volume '[^']+' is still in use by linked clone`), ErrInUse, nil},
	{"PVE::Cluster check_cfs_quorum", regexp.MustCompile(`^cluster not ready - no quorum\?`), ErrNoQuorum, nil},

	// Last: the other texts about guests say more.
	{"PVE::API2::Pool, PVE::API2::Backup, PVE::API2::HA::Resources, PVE::API2::Firewall::IPSet",
		regexp.MustCompile(`already (?:exists|defined)$`), ErrExists, nil},
}

// classify returns the sentinels and details that a text of Proxmox stands for.
// The text may be an error message, the complaint about a parameter or the exit
// status of a task.
func classify(text string) []error {
	text = strings.TrimSpace(text)
	var causes []error
	for _, m := range matches {
		groups := m.pattern.FindStringSubmatch(text)
		if groups == nil {
			continue
		}
		causes = append(causes, m.kind)
		if m.detail != nil {
			causes = append(causes, m.detail(groups))
		}
	}
	return causes
}

func existsOnNode(g []string) error {
	kind := guest.QEMU
	if g[1] == "CT" {
		kind = guest.LXC
	}
	return &ExistsError{VMID: vmid(g[2]), Kind: kind, Node: g[3]}
}

func existsSomewhere(g []string) error { return &ExistsError{VMID: vmid(g[1])} }

func configMissing(g []string) error {
	kind := guest.QEMU
	if g[2] == "lxc" {
		kind = guest.LXC
	}
	return &NotFoundError{Guest: guest.Ref{Node: g[1], Kind: kind, VMID: vmid(g[3])}}
}

func vmMissing(g []string) error {
	return &NotFoundError{Guest: guest.Ref{Node: g[2], Kind: guest.QEMU, VMID: vmid(g[1])}}
}

func noSuch(what string) func([]string) error {
	return func(g []string) error {
		name := ""
		if len(g) > 1 {
			name = g[1]
		}
		return &NoSuchError{What: what, Name: name}
	}
}

// lockFile tells a guest's own lock from that of a storage or of the node.
// Source: PVE::LXC::Config config_file_lock, PVE::QemuConfig config_file_lock.
func lockFile(g []string) error {
	ofGuest := strings.HasPrefix(g[1], "/run/lock/lxc/pve-config-") || strings.HasPrefix(g[1], "/var/lock/qemu-server/lock-")
	return &LockTimeoutError{File: g[1], Guest: ofGuest}
}

func permission(g []string) error { return &PermissionError{Path: g[1], Privilege: g[2]} }

func rootOnly([]string) error { return &PermissionError{RootOnly: true} }

// vmid reads a number that the server wrote; a number out of range is 0.
func vmid(s string) guest.VMID {
	id, err := guest.ParseVMID(s)
	if err != nil {
		return 0
	}
	return id
}
