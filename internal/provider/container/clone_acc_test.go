package container_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// sourceFile is a template with more than what the clones declare.
const sourceFile = `arch: amd64
cores: 4
description: the golden one
hostname: golden
memory: 1024
mp0: local-lvm:vm-9100-disk-1,mp=/srv,size=1G
net0: name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:91:00,ip=dhcp,type=veth
net1: name=eth1,bridge=vmbr0,hwaddr=BC:24:11:00:91:01,type=veth
ostype: debian
rootfs: local-lvm:base-9100-disk-0,size=2G
swap: 512
template: 1
unprivileged: 1
`

func clones(t *testing.T) *pvesim.Server {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{})
	sim.WriteFile("nodes/pve1/lxc/9100.conf", strings.Replace(sourceFile, "vm-9100-disk-1", "base-9100-disk-1", 1))
	sim.AddVolume("pve1", "local-lvm:base-9100-disk-0", 2<<30)
	sim.AddVolume("pve1", "local-lvm:base-9100-disk-1", 1<<30)
	return sim
}

var digests = regexp.MustCompile(`digest=[0-9a-f]{40}`)

// A clone is what the configuration says, and what the source has beside that is
// taken off; its mount points are left alone.
func TestACloneIsWhatIsDeclared(t *testing.T) {
	t.Parallel()
	sim := clones(t)
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + `
resource "proxmox_container" "c" {
  node     = "pve1"
  vmid     = 5001
  hostname = "web"
  clone    = { vmid = 9100 }
  rootfs   = { storage = "local-lvm", size = "4G" }
  network  = { net0 = { name = "eth0", bridge = "vmbr0", ip = "192.0.2.5/24" } }
}
`)
	w.Must("apply", "-auto-approve")
	var got []string
	for _, line := range acctest.Writes(sim.Requests()) {
		got = append(got, digests.ReplaceAllString(line, "DIGEST"))
	}
	text, _ := sim.ReadFile("nodes/pve1/lxc/5001.conf")
	mac := regexp.MustCompile(`BC:24:11:[0-9A-F:]{8}`).FindString(text)
	want := []string{
		"POST /nodes/pve1/lxc/9100/clone hostname=web newid=5001",
		"PUT /nodes/pve1/lxc/5001/config delete=cores,description,net1 DIGEST memory=512 net0=name=eth0,bridge=vmbr0,hwaddr=" + mac + ",ip=192.0.2.5/24,type=veth swap=0",
		"PUT /nodes/pve1/lxc/5001/resize disk=rootfs size=4G",
		"POST /nodes/pve1/lxc/5001/status/start",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("writes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if mac == "BC:24:11:00:91:00" || !strings.Contains(text, "mp=/srv") {
		t.Errorf("the clone is\n%s", text)
	}
	if r := w.Run("plan", "-detailed-exitcode"); r.Code != 0 {
		t.Errorf("the plan after it is not empty:\n%s", r.Out)
	}
	if source, _ := sim.ReadFile("nodes/pve1/lxc/9100.conf"); !strings.Contains(source, "hostname: golden") || strings.Contains(source, "lock:") {
		t.Errorf("the source is\n%s", source)
	}
}

func TestClonesThatAreRefused(t *testing.T) {
	t.Parallel()
	sim := clones(t)
	sim.WriteFile("nodes/pve1/lxc/9101.conf", "mp0: /srv/data,mp=/data\nrootfs: local-lvm:vm-9101-disk-0,size=1G\nunprivileged: 1\n")
	sim.WriteFile("nodes/pve1/lxc/9102.conf", "rootfs: local-lvm:vm-9102-disk-0,size=1G\nunprivileged: 1\n")
	sim.SetRunning(9102, true)
	sim.WriteFile("nodes/pve1/qemu-server/9103.conf", "memory: 16\n")
	all := map[string][2]string{
		"a bind mount":     {`clone = { vmid = 9101 }`, "Container 9101 cannot be cloned because of mp0"},
		"a running source": {`clone = { vmid = 9102 }`, "Container 9102 runs and can only be cloned from a snapshot"},
		"a VM":             {`clone = { vmid = 9103 }`, "Guest 9103 is a VM and cannot be cloned as a container"},
		"nothing":          {`clone = { vmid = 9104 }`, "There is no container 9104 to clone"},
		"other owners":     {"clone = { vmid = 9100 }\n  unprivileged = false", "A clone of container 9100 has unprivileged = true, like its source"},
		"a smaller disk":   {`clone = { vmid = 9100 }` + "\n  " + `rootfs = { storage = "local-lvm", size = "1G" }`, "rootfs.size would shrink from 2G to 1G"},
	}
	var config strings.Builder
	n := 0
	for _, one := range all {
		lines := one[0]
		if !strings.Contains(lines, "rootfs") {
			lines += "\n  " + `rootfs = { storage = "local-lvm", size = "4G" }`
		}
		fmt.Fprintf(&config, "resource \"proxmox_container\" \"c%d\" {\n  node = \"pve1\"\n  vmid = %d\n  %s\n}\n", n, 5001+n, lines)
		n++
	}
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim) + config.String())
	r := w.Run("plan")
	for name, one := range all {
		if !strings.Contains(unwrapped(r.Out), one[1]) {
			t.Errorf("%s: nothing says %q", name, one[1])
		}
	}
	if t.Failed() || r.Code == 0 {
		t.Errorf("ended with %d:\n%s", r.Code, r.Out)
	}
}
