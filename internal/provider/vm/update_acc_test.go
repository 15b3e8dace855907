package vm_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// edit is one change of a VM and what goes over the wire for it.
type edit struct {
	from, to string   // lines of the resource beside the clone
	live     string   // what somebody else did in between: old=>new in the file
	stopped  bool     // somebody shut it down in between
	want     []string // writes; DIGEST stands for the digest, ID for the number
	empty    bool     // the plan changes nothing
	check    func(t *testing.T, sim *pvesim.Server, id string)
}

var digest = regexp.MustCompile(`digest=[0-9a-f]{40}`)

func TestEditsOnTheWire(t *testing.T) {
	t.Parallel()
	const net0 = `net0 = { bridge = "vmbr0", firewall = true }`
	edits := map[string]edit{
		"only the changed key is sent and the address kept": {
			from: `cpu = { cores = 1 }`, to: `cpu = { cores = 2 }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config cores=2 DIGEST"},
		},
		"a network device is added and the others keep their bytes": {
			from: `network = { ` + net0 + ` }`, to: `network = { ` + net0 + `, net1 = { bridge = "vmbr0", macaddr = "BC:24:11:00:00:77" } }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config DIGEST net1=virtio=BC:24:11:00:00:77,bridge=vmbr0"},
		},
		"a network device and its addresses go in one request": {
			from: `network = { ` + net0 + `, net1 = { bridge = "vmbr0" } }` + "\n  " + `cloud_init = { ip_config = { ipconfig0 = { ip = "dhcp" }, ipconfig1 = { ip = "dhcp" } } }`,
			to:   `network = { ` + net0 + ` }` + "\n  " + `cloud_init = { ip_config = { ipconfig0 = { ip = "dhcp" } } }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config delete=ipconfig1,net1 DIGEST", "PUT /nodes/pve1/qemu/ID/cloudinit"},
		},
		"a disk is added, and nothing else allocated": {
			from: `disks = { scsi0 = { size = "4G" } }`, to: `disks = { scsi0 = { size = "4G" }, scsi1 = { storage = "fast", size = "1536M" } }`,
			want: []string{"POST /nodes/pve1/qemu/ID/config DIGEST scsi1=fast:1.5"},
		},
		"a disk grows by one absolute resize": {
			from: `disks = { scsi0 = { size = "4G" } }`, to: `disks = { scsi0 = { size = "10G" } }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/resize disk=scsi0 size=10G"},
		},
		"a disk moves while the VM runs": {
			from: `disks = { scsi0 = { storage = "local-lvm" } }`, to: `disks = { scsi0 = { storage = "fast" } }`,
			want: []string{"POST /nodes/pve1/qemu/ID/move_disk disk=scsi0 storage=fast"},
		},
		"a size in another spelling is no change": {
			from: `disks = { scsi0 = { size = "4G" } }`, to: `disks = { scsi0 = { size = "4096M" } }`, empty: true,
		},
		"a disk that is left out keeps its data": {
			from: `disks = { scsi1 = { storage = "fast", size = "1G" } }`, to: ``,
			want:  []string{"PUT /nodes/pve1/qemu/ID/config delete=scsi1 DIGEST"},
			check: volumes("fast:vm-ID-disk-0"),
		},
		"a disk is erased by the user's word alone": {
			from: `disks = { scsi1 = { storage = "fast", size = "1G", on_remove = "delete" } }`, to: ``,
			want:  []string{"PUT /nodes/pve1/qemu/ID/unlink force=1 idlist=scsi1"},
			check: noVolumes("fast:vm-ID-"),
		},
		"an unused disk from before is left alone": {
			from: `disks = { scsi1 = { storage = "fast", size = "1G", on_remove = "delete" } }`, to: ``,
			live:  "memory: 512=>memory: 512\nunused0: fast:vm-ID-disk-7",
			want:  []string{"PUT /nodes/pve1/qemu/ID/unlink force=1 idlist=scsi1"},
			check: file("unused0: fast:vm-ID-disk-7"),
		},
		"cloud-init changes in place and the drive is written anew": {
			from: `cloud_init = { user = "a" }`, to: `cloud_init = { user = "b" }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config ciuser=b DIGEST", "PUT /nodes/pve1/qemu/ID/cloudinit"},
		},
		"the drive of a stopped VM is written by its start": {
			from: "started = false\n  " + `cloud_init = { user = "a" }`, to: "started = false\n  " + `cloud_init = { user = "b" }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config ciuser=b DIGEST"},
		},
		"a snippet changes in place": {
			from: `cloud_init = { custom = { vendor = "local:snippets/a.yaml" } }`, to: `cloud_init = { custom = { vendor = "local:snippets/b.yaml" } }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config cicustom=vendor=local:snippets/b.yaml DIGEST", "PUT /nodes/pve1/qemu/ID/cloudinit"},
		},
		"a password is sent again with its version": {
			from: `cloud_init = { password_wo = "one-secret", password_wo_version = 1 }`, to: `cloud_init = { password_wo = "another", password_wo_version = 2 }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config cipassword=another DIGEST", "PUT /nodes/pve1/qemu/ID/cloudinit"},
		},
		"a password without a new version is no change": {
			from: `cloud_init = { password_wo = "one-secret", password_wo_version = 1 }`, to: `cloud_init = { password_wo = "another", password_wo_version = 1 }`, empty: true,
		},
		"the medium of a drive is swapped": {
			from: `cdroms = { ide0 = { volume = "` + iso + `" } }`, to: `cdroms = { ide0 = {} }`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config DIGEST ide0=none,media=cdrom"},
		},
		"tags in another order and case are no change": {from: `tags = ["web", "prod"]`, to: `tags = ["PROD", "web"]`, empty: true},
		"a description is one up to its last newline":  {from: `description = "a"`, to: `description = "a\n"`, empty: true},
		"a setting that is left out is reset": {
			from: `memory = { size = 1024 }`, to: ``,
			want: []string{"PUT /nodes/pve1/qemu/ID/config delete=memory DIGEST"},
		},
		"what the template brought is never declared away": {
			from: `cpu = { cores = 1 }`, to: `cpu = { cores = 1, sockets = 1 }`,
			want: nil, // one socket is the default that is in force
		},
		"a change does not start what is stopped": {
			from: "started = false\n  cpu = { cores = 1 }", to: "started = false\n  cpu = { cores = 2 }",
			want: []string{"PUT /nodes/pve1/qemu/ID/config cores=2 DIGEST"},
			check: func(t *testing.T, sim *pvesim.Server, id string) {
				if n, _ := strconv.Atoi(id); sim.Running(n) {
					t.Error("it runs")
				}
			},
		},
		"a VM that somebody shut down is started again": {
			from: `cpu = { cores = 1 }`, to: `cpu = { cores = 1 }`, stopped: true,
			want: []string{"POST /nodes/pve1/qemu/ID/status/start"},
		},
		"it is shut down with a limit": {
			from: ``, to: `started = false`,
			want: []string{"POST /nodes/pve1/qemu/ID/status/shutdown forceStop=1 timeout=180"},
		},
		"what waits for a restart gets one when asked": {
			from: "restart_for_pending = true\n  cpu = { cores = 1 }", to: "restart_for_pending = true\n  cpu = { cores = 2 }",
			want: []string{"PUT /nodes/pve1/qemu/ID/config cores=2 DIGEST",
				"POST /nodes/pve1/qemu/ID/status/shutdown forceStop=1 timeout=180", "POST /nodes/pve1/qemu/ID/status/start"},
		},
		"what takes effect at once restarts nothing": {
			from: "restart_for_pending = true\n  " + `description = "a"`, to: "restart_for_pending = true\n  " + `description = "b"`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config description=b DIGEST"},
		},
		"protection is taken off before a disk goes": {
			from: "protection = true\n  " + `disks = { scsi1 = { storage = "fast", size = "1G" } }`, to: `protection = false`,
			want: []string{"PUT /nodes/pve1/qemu/ID/config DIGEST protection=0", "PUT /nodes/pve1/qemu/ID/config delete=scsi1"},
		},
		"a VM becomes a template in place": {
			from: `started = false`, to: `template = true`,
			want: []string{"POST /nodes/pve1/qemu/ID/template"},
		},
	}
	sim := cluster(t, pvesim.Options{})
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + configs(edits, func(e edit) string { return e.from }))
	w.Must("apply", "-auto-approve")
	if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
		t.Fatalf("the plan after the first apply is not empty:\n%s", r.Out)
	}
	for i, name := range slices.Sorted(maps.Keys(edits)) {
		edits[name].interfere(sim, 5001+i)
	}
	sim.ResetRequests()
	w.Config(acctest.Provider(sim) + configs(edits, func(e edit) string { return e.to }))
	plan := w.Must("plan", "-out=tfplan")
	w.Must("apply", "tfplan")
	requests := sim.Requests()
	if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
		t.Errorf("the plan after the second apply is not empty:\n%s", r.Out)
	}
	for i, name := range slices.Sorted(maps.Keys(edits)) {
		t.Run(name, func(t *testing.T) { edits[name].judge(t, sim, 5001+i, plan, requests) })
	}
}

// configs is a configuration with one VM for each edit.
func configs(edits map[string]edit, side func(edit) string) string {
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(edits)) {
		fmt.Fprintf(&b, "resource \"proxmox_vm\" \"v%d\" {\n  node = \"pve1\"\n  vmid = %[1]d\n  %s\n  %s\n}\n", 5001+i, cloned, side(edits[name]))
	}
	return b.String()
}

// interfere is what somebody else does between the two applies.
func (e edit) interfere(sim *pvesim.Server, vmid int) {
	id := strconv.Itoa(vmid)
	if before, after, ok := strings.Cut(e.live, "=>"); ok {
		sim.AddVolume("pve1", "fast:vm-"+id+"-disk-7", gib)
		sim.EditConfig(vmid, func(text string) string {
			return strings.Replace(text, before, strings.ReplaceAll(after, "ID", id), 1)
		})
	}
	if e.stopped {
		sim.SetRunning(vmid, false)
	}
}

func (e edit) judge(t *testing.T, sim *pvesim.Server, vmid int, plan string, requests []pvesim.Request) {
	id := strconv.Itoa(vmid)
	var own []pvesim.Request
	for _, r := range requests {
		if strings.Contains(r.Path, "/qemu/"+id+"/") {
			own = append(own, r)
		}
	}
	var got []string
	for _, line := range acctest.Writes(own) {
		got = append(got, strings.ReplaceAll(digest.ReplaceAllString(line, "DIGEST"), id, "ID"))
	}
	if !slices.Equal(got, e.want) {
		t.Errorf("writes\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(e.want, "\n  "))
	}
	if updated := strings.Contains(plan, "# proxmox_vm.v"+id+" will be updated in-place"); updated == e.empty {
		t.Errorf("an update is planned: %t", updated)
	}
	if e.check != nil {
		e.check(t, sim, id)
	}
}

func volumes(volid string) func(*testing.T, *pvesim.Server, string) {
	return func(t *testing.T, sim *pvesim.Server, id string) {
		volid := strings.ReplaceAll(volid, "ID", id)
		if all := sim.Volumes("pve1"); !slices.Contains(all, volid) {
			t.Errorf("%s is gone: %q", volid, all)
		}
	}
}

func noVolumes(prefix string) func(*testing.T, *pvesim.Server, string) {
	return func(t *testing.T, sim *pvesim.Server, id string) {
		for _, volid := range sim.Volumes("pve1") {
			if strings.HasPrefix(volid, strings.ReplaceAll(prefix, "ID", id)) {
				t.Errorf("%s is left", volid)
			}
		}
	}
}

func file(line string) func(*testing.T, *pvesim.Server, string) {
	return func(t *testing.T, sim *pvesim.Server, id string) {
		line := strings.ReplaceAll(line, "ID", id)
		if text, _ := sim.ReadFile("nodes/pve1/qemu-server/" + id + ".conf"); !strings.Contains(text, line+"\n") {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
}
