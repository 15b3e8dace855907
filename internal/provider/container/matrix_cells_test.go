package container_test

import "strings"

// A step is a mutating request of an operation, or the task that it starts.
type step struct {
	method, path string // of the request, the path below /api2/json
	task         string // the worker type; the step is the task if fault says so
}

// An operation is what a command does to the container.
type operation struct {
	name     string
	existing bool   // the container is there before
	config   string // the configuration that the command applies
	destroy  bool
	steps    []step
}

const self5001 = "/nodes/pve1/lxc/5001"

var operations = []operation{
	{name: "create", config: small5001(), steps: []step{
		{"POST", "/nodes/pve1/lxc", "vzcreate"},
		{"POST", self5001 + "/status/start", "vzstart"},
	}},
	{name: "update", existing: true, config: small5001(
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
	{name: "stop", existing: true, config: small5001("ostemplate =", "started = false\n  ostemplate ="), steps: []step{
		{"POST", self5001 + "/status/shutdown", "vzshutdown"},
	}},
	{name: "reinstall", existing: true, config: small5001("debian-12-standard_12.7-1", "debian-13-standard_13.1-2"), steps: []step{
		{"POST", self5001 + "/status/shutdown", "vzshutdown"},
		{"DELETE", self5001, "vzdestroy"},
		{"POST", "/nodes/pve1/lxc", "vzcreate"},
		{"POST", self5001 + "/status/start", "vzstart"},
	}},
	{name: "destroy", existing: true, destroy: true, config: small5001(), steps: []step{
		{"POST", self5001 + "/status/shutdown", "vzshutdown"},
		{"DELETE", self5001, "vzdestroy"},
	}},
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

// clusterFiles are a node with two storages for containers, and a bystander
// whose volumes and configuration must be the same at the end.
var clusterFiles = map[string]string{
	"storage.cfg": "dir: local\n\tpath /var/lib/vz\n\tcontent iso,vztmpl,backup,snippets,import\n\n" +
		"lvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n\n" +
		"lvmthin: fast\n\tthinpool fast\n\tvgname pve\n\tcontent rootdir,images\n",
	"user.cfg": "user:root@pam:1:0::::::\npool:web::::\n",
	"volumes.txt": "local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst  126515062\n" +
		"local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst  129710398\n",
	"nodes/pve1/lxc/5002.conf": "arch: amd64\nhostname: bystander\nmemory: 512\nmp0: local-lvm:vm-5002-disk-1,mp=/own,size=1G\n" +
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
