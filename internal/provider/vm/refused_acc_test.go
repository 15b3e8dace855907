package vm_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// refusal is a VM that is refused: its lines, and the summary that says why.
type refusal struct{ lines, want string }

// What is wrong by itself is said before anything is asked.
func TestRefusedByValidation(t *testing.T) {
	t.Parallel()
	refused(t, map[string]refusal{
		"a size without a unit":       {`disks = { scsi0 = { storage = "fast", size = "8" } }`, `disks["scsi0"].size cannot be "8"`},
		"a disk that is two things":   {`disks = { scsi0 = { volume = "fast:vm-1-disk-0", size = "8G" } }`, "scsi0 names an existing volume and asks for a new one as well"},
		"a key for two drives":        {"disks = { ide0 = { storage = \"fast\", size = \"8G\" } }\n  cdroms = { ide0 = {} }", "ide0 is declared as a disk and as a CD-ROM drive"},
		"a key that no bus has":       {`disks = { nvme0 = { storage = "fast", size = "8G" } }`, `disks["nvme0"] cannot be "nvme0"`},
		"a CD-ROM on VirtIO":          {`cdroms = { virtio0 = {} }`, `cdroms["virtio0"] cannot be "virtio0"`},
		"an option of another bus":    {`disks = { sata0 = { storage = "fast", size = "8G", iothread = true } }`, "A disk at sata0 has no option iothread"},
		"a burst without a limit":     {`disks = { scsi0 = { storage = "fast", size = "8G", limits = { mbps_rd_max = 10 } } }`, "The limits of scsi0 have mbps_rd_max without mbps_rd"},
		"limits that clash":           {`disks = { scsi0 = { storage = "fast", size = "8G", limits = { iops = 10, iops_rd = 5 } } }`, "The limits of scsi0 have iops and iops_rd or iops_wr"},
		"one address twice":           {`network = { net0 = { macaddr = "BC:24:11:00:00:0a" }, net1 = { macaddr = "bc:24:11:00:00:0A" } }`, "net0 and net1 have the same MAC address BC:24:11:00:00:0A"},
		"a multicast address":         {`network = { net0 = { macaddr = "BD:24:11:00:00:0a" } }`, `network["net0"].macaddr cannot be "BD:24:11:00:00:0a"`},
		"an MTU that fails at start":  {`network = { net0 = { mtu = 100 } }`, `network["net0"].mtu cannot be 100`},
		"a gateway beside dhcp":       {`cloud_init = { ip_config = { ipconfig0 = { ip = "dhcp", gw = "192.0.2.1" } } }`, "ipconfig0 has a gateway without an address"},
		"an address without a prefix": {`cloud_init = { ip_config = { ipconfig0 = { ip = "192.0.2.1" } } }`, `ip cannot be "192.0.2.1"`},
		"a device without a source":   {`usb = { usb0 = { usb3 = true } }`, "usb0 needs either host or mapping"},
		"a template that runs":        {"template = true\n  started = true", "A template cannot run"},
		"more memory at least":        {`memory = { size = 512, minimum = 1024 }`, "The least memory, 1024 MiB, is more than the memory, 512 MiB"},
		"a wait of no length":         {`wait_for_addresses = { ipv4 = true, timeout = "soon" }`, `wait_for_addresses.timeout cannot be "soon"`},
		"a number below 100":          {`vmid = 99`, "vmid"},
	})
}

// What the cluster does not have, or does not let happen, is said at plan.
func TestRefusedAtPlan(t *testing.T) {
	t.Parallel()
	refused(t, map[string]refusal{
		"a template larger than the disk":     {cloned + "\n  " + `disks = { scsi0 = { size = "2G" } }`, "scsi0 would shrink from 4G to 2G"},
		"a disk that the template lacks":      {cloned + "\n  " + `disks = { scsi3 = { size = "2G" } }`, "Nothing says what scsi3 is made from"},
		"a disk where the template's CD is":   {cloned + "\n  " + `disks = { ide2 = { storage = "fast", size = "2G" } }`, "VM 9000 has something else at ide2 than what is declared"},
		"a template that is not there":        {`clone = { vmid = 9999 }`, "There is no VM 9999 to clone"},
		"a container":                         {`clone = { vmid = 5900 }`, "Guest 5900 is a container and cannot be cloned as a VM"},
		"a linked clone elsewhere":            {`clone = { vmid = 9000, storage = "fast" }`, "A linked clone cannot be put on another storage"},
		"a linked clone that no storage does": {`clone = { vmid = 9200, full = false }`, "The storages of VM 9200 cannot make a linked clone of it"},
		"a clone to another node":             {"clone = { vmid = 9000 }\n  node = \"pve2\"", "VM 9000 on node pve1 cannot be cloned to node pve2"},
		"a clone of itself":                   {"clone = { vmid = 5999 }\n  vmid = 5999", "VM 5999 cannot be a clone of itself"},
		"an unknown storage":                  {`disks = { scsi0 = { storage = "nowhere", size = "8G" } }`, "There is no storage nowhere on node pve1"},
		"a storage for other things":          {`disks = { scsi0 = { storage = "local", size = "8G" } }`, "Storage local on node pve1 does not take disks of VMs"},
		"an image that is not there":          {`disks = { scsi0 = { storage = "fast", import_from = "local:import/none.qcow2" } }`, "The image local:import/none.qcow2 is not on node pve1"},
		"a disk from nothing":                 {`disks = { scsi0 = { ssd = true } }`, "Nothing says what scsi0 is made from"},
		"arguments by a token":                {`args = "-foo"`, "args can only be changed by root@pam"},
		"a raw PCI device by a token":         {`hostpci = { hostpci0 = { host = ["0000:01:00.0"] } }`, "hostpci0 can only be changed by root@pam"},
		"a raw USB device by a token":         {`usb = { usb0 = { host = "046d:c52b" } }`, "usb0 can only be changed by root@pam"},
		"a serial device by a token":          {`serial = { serial0 = { device = "/dev/ttyS0" } }`, "serial0 can only be changed by root@pam"},
		"a disk of the node by a token":       {`disks = { scsi0 = { volume = "/dev/sdb" } }`, "scsi0 can only be changed by root@pam"},
		"a number outside of the range":       {`vmid = 9500`, "VM 9500 is not within the provider's VMID range"},
		"a template inside of the range":      {`clone = { vmid = 5500 }`, "Guest 5500 cannot be the source of a clone"},
	})
}

// refused plans all of them at once: the errors name the VMs.
func refused(t *testing.T, all map[string]refusal) {
	sim := cluster(t, pvesim.Options{})
	sim.WriteFile("nodes/pve1/lxc/5900.conf", "rootfs: local-lvm:vm-5900-disk-0,size=1G\n")
	sim.WriteFile("nodes/pve1/qemu-server/9200.conf", "scsi0: thick:base-9200-disk-0,size=1G\ntemplate: 1\n")
	sim.WriteFile("nodes/pve1/qemu-server/5500.conf", "scsi0: fast:base-5500-disk-0,size=1G\ntemplate: 1\n")
	sim.AddVolume("pve1", "thick:base-9200-disk-0", gib)
	var config strings.Builder
	n := 0
	for _, r := range all {
		lines := r.lines
		if !strings.Contains(lines, "node =") {
			lines += "\n  node = \"pve1\""
		}
		if !strings.Contains("\n  "+lines, "\n  vmid =") {
			lines += fmt.Sprintf("\n  vmid = %d", 5001+n)
		}
		fmt.Fprintf(&config, "resource \"proxmox_vm\" \"v%d\" {\n  %s\n}\n", n, lines)
		n++
	}
	w := acctest.NewCLI(t)
	w.Config(acctest.Provider(sim, `vmid_range = "5000-5999"`) + config.String())
	r := w.Run("plan")
	if r.Code == 0 {
		t.Fatalf("everything was planned:\n%s", r.Out)
	}
	out := unwrapped(r.Out)
	var shown sync.Once
	for name, one := range all {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(out, one.want) {
				t.Errorf("no error says %q", one.want)
				shown.Do(func() { t.Log(r.Out) })
			}
		})
	}
	if errors := strings.Count(r.Out, "Error: "); errors != len(all) {
		t.Errorf("%d errors for %d VMs:\n%s", errors, len(all), r.Out)
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("a plan wrote: %q", writes)
	}
}

// unwrapped undoes the line breaks and frames of Terraform's errors.
func unwrapped(out string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(out)), " ")
}
