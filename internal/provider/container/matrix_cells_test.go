package container_test

import "strings"

// A step is a mutating request of an operation, or the task that it starts.
type step struct {
	method, path string // of the request, the path below /api2/json
	task         string // the worker type; the step is the task if fault says so
}

// kind is a kind of guest: how Proxmox and the provider call it, and the guest of
// the matrix.
type kind struct {
	noun, resource, api, folder string
	config                      string
}

func (k kind) self() string    { return "/nodes/pve1/" + k.api + "/5001" }
func (k kind) file() string    { return "nodes/pve1/" + k.folder + "/5001.conf" }
func (k kind) address() string { return k.resource + ".c" }

var (
	aContainer = kind{"container", "proxmox_container", "lxc", "lxc", small5001()}
	aVM        = kind{"VM", "proxmox_vm", "qemu", "qemu-server", vm5001()}
)

// An operation is what a command does to the guest.
type operation struct {
	kind     *kind
	name     string
	existing bool   // the guest is there before
	config   string // the configuration that the command applies
	destroy  bool
	steps    []step
}

const (
	self5001 = "/nodes/pve1/lxc/5001"
	selfVM   = "/nodes/pve1/qemu/5001"
)

var operations = []operation{
	{kind: &aContainer, name: "create", config: small5001(), steps: []step{
		{"POST", "/nodes/pve1/lxc", "vzcreate"},
		{"POST", self5001 + "/status/start", "vzstart"},
	}},
	{kind: &aContainer, name: "update", existing: true, config: small5001(
		"cores = 1", "cores = 2", "ostemplate =", "pool = \"web\"\n  ostemplate =", `mp0 = { path = "/srv", storage = "local-lvm", size = "1G" }`, `mp0 = { path = "/srv", storage = "fast", size = "1G" }`,
		`rootfs     = { storage = "local-lvm", size = "1G" }`, `rootfs     = { storage = "local-lvm", size = "2G" }`,
	), steps: []step{
		{"PUT", "/pools", ""},
		{"PUT", self5001 + "/config", ""},
		{"PUT", self5001 + "/resize", "resize"},
		{"POST", self5001 + "/status/shutdown", "vzshutdown"},
		{"POST", self5001 + "/move_volume", "move_volume"},
		{"POST", self5001 + "/status/start", "vzstart"},
	}},
	{kind: &aContainer, name: "stop", existing: true, config: small5001("ostemplate =", "started = false\n  ostemplate ="), steps: []step{
		{"POST", self5001 + "/status/shutdown", "vzshutdown"},
	}},
	{kind: &aContainer, name: "reinstall", existing: true, config: small5001("debian-12-standard_12.7-1", "debian-13-standard_13.1-2"), steps: []step{
		{"POST", self5001 + "/status/shutdown", "vzshutdown"},
		{"DELETE", self5001, "vzdestroy"},
		{"POST", "/nodes/pve1/lxc", "vzcreate"},
		{"POST", self5001 + "/status/start", "vzstart"},
	}},
	{kind: &aContainer, name: "destroy", existing: true, destroy: true, config: small5001(), steps: []step{
		{"POST", self5001 + "/status/shutdown", "vzshutdown"},
		{"DELETE", self5001, "vzdestroy"},
	}},
	{kind: &aVM, name: "create", config: vm5001(), steps: []step{
		{"POST", "/nodes/pve1/qemu/9000/clone", "qmclone"},
		{"POST", selfVM + "/config", "qmconfig"},
		{"PUT", selfVM + "/resize", "resize"},
		{"POST", selfVM + "/status/start", "qmstart"},
	}},
	{kind: &aVM, name: "update", existing: true, config: vm5001(
		"cores = 1", "cores = 2", "clone    =", "pool = \"web\"\n  clone    =", `scsi1 = { storage = "local-lvm", size = "1G" }`, `scsi1 = { storage = "fast", size = "1G" }`,
		`scsi0 = { size = "2G" }`, `scsi0 = { size = "3G" }`, `user = "a"`, `user = "b"`,
	), steps: []step{
		{"PUT", "/pools", ""},
		{"PUT", selfVM + "/config", ""},
		{"POST", selfVM + "/move_disk", "qmmove"},
		{"PUT", selfVM + "/resize", "resize"},
		{"PUT", selfVM + "/cloudinit", ""},
	}},
	{kind: &aVM, name: "stop", existing: true, config: vm5001("clone    =", "started = false\n  clone    ="), steps: []step{
		{"POST", selfVM + "/status/shutdown", "qmshutdown"},
	}},
	{kind: &aVM, name: "reinstall", existing: true, config: vm5001("reinstall_trigger = \"1\"", "reinstall_trigger = \"2\""), steps: []step{
		{"POST", selfVM + "/status/shutdown", "qmshutdown"},
		{"DELETE", selfVM, "qmdestroy"},
		{"POST", "/nodes/pve1/qemu/9000/clone", "qmclone"},
		{"POST", selfVM + "/config", "qmconfig"},
		{"PUT", selfVM + "/resize", "resize"},
		{"POST", selfVM + "/status/start", "qmstart"},
	}},
	{kind: &aVM, name: "destroy", existing: true, destroy: true, config: vm5001(), steps: []step{
		{"POST", selfVM + "/status/shutdown", "qmshutdown"},
		{"DELETE", selfVM, "qmdestroy"},
	}},
}

// vm5001 is the VM of the matrix: a clone with a disk of its own and an image that
// is nobody's.
func vm5001(change ...string) string {
	return strings.NewReplacer(change...).Replace(`
resource "proxmox_vm" "c" {
  node     = "pve1"
  vmid     = 5001
  clone    = { vmid = 9000 }
  reinstall_trigger = "1"
  cpu      = { cores = 1 }
  disks = {
    scsi0 = { size = "2G" }
    scsi1 = { storage = "local-lvm", size = "1G" }
  }
  cdroms     = { ide0 = { volume = "local:iso/debian-13.iso" } }
  cloud_init = { user = "a" }
  timeouts   = { create = "60s", update = "60s", delete = "60s" }
}
`)
}

// small5001 is the container of the matrix: two volumes of its own and one of
// another guest.
func small5001(change ...string) string {
	return strings.NewReplacer(change...).Replace(`
resource "proxmox_container" "c" {
  node       = "pve1"
  vmid       = 5001
  ostemplate = "local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst"
  cpu        = { cores = 1 }
  rootfs     = { storage = "local-lvm", size = "1G" }
  mount_points = {
    mp0 = { path = "/srv", storage = "local-lvm", size = "1G" }
    mp1 = { path = "/shared", volume = "local-lvm:vm-5002-disk-1" }
  }
  network  = { net0 = { name = "eth0", bridge = "vmbr0", hwaddr = "BC:24:11:00:00:0A" } }
  timeouts = { create = "60s", update = "60s", delete = "60s" }
}
`)
}

// Bystanders: their configuration must be the same at the end, and their volumes.
const (
	bystanderFile = "nodes/pve1/lxc/5002.conf"
	templateFile  = "nodes/pve1/qemu-server/9000.conf"
)

// clusterFiles are a node with two storages for guests, a bystander and a template.
var clusterFiles = map[string]string{
	"storage.cfg": "dir: local\n\tpath /var/lib/vz\n\tcontent iso,vztmpl,backup,snippets,import\n\n" +
		"lvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n\n" +
		"lvmthin: fast\n\tthinpool fast\n\tvgname pve\n\tcontent rootdir,images\n",
	"user.cfg": "user:root@pam:1:0::::::\npool:web::::\n",
	"volumes.txt": "local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst  126515062\n" +
		"local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst  129710398\n" +
		"local:iso/debian-13.iso  1000000\nlocal-lvm:base-9000-disk-0  1073741824\nlocal-lvm:vm-9000-cloudinit  4194304\n",
	templateFile: "boot: order=scsi0\nide2: local-lvm:vm-9000-cloudinit,media=cdrom,size=4M\nmemory: 128\nmeta: creation-qemu=10.1.2,ctime=1772645313\n" +
		"scsi0: local-lvm:base-9000-disk-0,size=1G\nscsihw: virtio-scsi-single\nsmbios1: uuid=725e44db-7ad5-44ee-9377-f66b5c01b28f\ntemplate: 1\n",
	bystanderFile: "arch: amd64\nhostname: bystander\nmemory: 512\nmp0: local-lvm:vm-5002-disk-1,mp=/own,size=1G\n" +
		"ostype: debian\nrootfs: local-lvm:vm-5002-disk-0,size=1G\nswap: 0\nunprivileged: 1\n",
}

// The faults, each a column of the matrix.
const (
	faultRefused    = "refused"         // the connection is reset and from then on refused, until the command has ended
	faultDropped    = "dropped before"  // before the request was read
	faultLost       = "dropped after"   // after it took effect
	faultLockout    = "lock time-out"   // 500, twice
	faultOffline    = "595"             // the node behind the proxy is down
	faultSlow       = "596"             // the proxy gives up, the work goes on
	faultKilled     = "killed"          // the provider, right after sending
	faultFails      = "task fails"      // with an exit status
	faultDies       = "task dies"       // unexpected status, nothing cleaned up
	faultEndless    = "task never ends" // within the time of the operation
	faultKilledWait = "killed waiting"  // the provider, while the task runs
)

var (
	requestFaults = []string{faultRefused, faultDropped, faultLost, faultLockout, faultOffline, faultSlow, faultKilled}
	taskFaults    = []string{faultFails, faultDies, faultEndless, faultKilledWait}
)
