package pvesim_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// pending are the keys of pending changes with what they wait for; a
// deletion is the text "delete".
func (c *client) pending() map[string]string {
	c.t.Helper()
	var rows []struct {
		Key     string
		Pending any
		Delete  int
	}
	if err := json.Unmarshal(c.must("GET", vm100+"/pending").Data, &rows); err != nil {
		c.t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range rows {
		if r.Pending != nil {
			text, _ := json.Marshal(r.Pending)
			out[r.Key] = strings.Trim(string(text), `"`)
		}
		if r.Delete > 0 {
			out[r.Key] = "delete"
		}
	}
	return out
}

// TestVMRunningTakesSomeChangesAtOnce holds the table of what a running
// machine takes at once, and what waits for its next start.
func TestVMRunningTakesSomeChangesAtOnce(t *testing.T) {
	t.Parallel()
	const net = "virtio=02:00:00:00:00:01,bridge=vmbr0"
	lines := []string{
		"agent: 1", "balloon: 256", "boot: order=scsi0", "cores: 2", "efidisk0: thin:vm-100-disk-9,efitype=4m,size=4M", "hotplug: network,disk,usb",
		"ide2: local:iso/a.iso,media=cdrom,size=64K", "memory: 512", "name: a", "net0: " + net, "numa: 1",
		"scsi0: thin:vm-100-disk-0,size=1G", "scsi1: thin:vm-100-disk-1,size=1G", "sata0: thin:vm-100-disk-2,size=1G",
	}
	for name, tc := range map[string]struct {
		hotplug string // instead of the one above
		fields  []string
		pending map[string]string
		errors  map[string]string
	}{
		"name, tags, description":           {fields: []string{"name=b", "tags=x", "description=y"}},
		"cloud-init keys":                   {fields: []string{"ciuser=u", "ipconfig0=ip=dhcp", "nameserver=1.1.1.1"}},
		"limits of the CPU":                 {fields: []string{"cpulimit=1", "cpuunits=200"}},
		"the balloon between numbers":       {fields: []string{"balloon=300"}},
		"the balloon turned off waits":      {fields: []string{"balloon=0"}, pending: map[string]string{"balloon": "0"}},
		"cores wait":                        {fields: []string{"cores=3"}, pending: map[string]string{"cores": "3"}},
		"memory waits":                      {fields: []string{"memory=1024"}, pending: map[string]string{"memory": "1024"}},
		"memory with its hotplug":           {hotplug: "memory", fields: []string{"memory=1024"}},
		"vcpus wait":                        {fields: []string{"vcpus=1"}, pending: map[string]string{"vcpus": "1"}},
		"vcpus with hotplug of CPUs":        {hotplug: "cpu", fields: []string{"vcpus=1"}},
		"too many vcpus":                    {hotplug: "cpu", fields: []string{"vcpus=8"}, pending: map[string]string{"vcpus": "8"}, errors: map[string]string{"vcpus": "hotplug problem - you can't add more vcpus than maxcpus\n"}},
		"a VLAN without hotplug":            {hotplug: "0", fields: []string{"net0=" + net + ",tag=5,firewall=1,link_down=1"}},
		"a MAC needs hotplug":               {hotplug: "0", fields: []string{"net0=virtio=02:00:00:00:00:02,bridge=vmbr0"}, pending: map[string]string{"net0": "virtio=02:00:00:00:00:02,bridge=vmbr0"}},
		"a MAC with hotplug":                {fields: []string{"net0=virtio=02:00:00:00:00:02,bridge=vmbr0"}},
		"queues need hotplug":               {hotplug: "0", fields: []string{"net0=" + net + ",queues=2"}, pending: map[string]string{"net0": net + ",queues=2"}},
		"a deleted interface":               {fields: []string{"delete=net0"}},
		"a deleted interface waits":         {hotplug: "disk", fields: []string{"delete=net0"}, pending: map[string]string{"net0": "delete"}},
		"limits of a disk":                  {hotplug: "0", fields: []string{"scsi0=thin:vm-100-disk-0,mbps=5,iops=9"}},
		"backup of a disk":                  {hotplug: "0", fields: []string{"scsi0=thin:vm-100-disk-0,backup=0,serial=x"}},
		"the cache of a disk waits":         {fields: []string{"scsi0=thin:vm-100-disk-0,cache=writeback"}, pending: map[string]string{"scsi0": "thin:vm-100-disk-0,cache=writeback,size=1G"}},
		"a new disk":                        {fields: []string{"scsi5=thin:1"}},
		"a new disk without hotplug":        {hotplug: "0", fields: []string{"scsi5=thin:1"}, pending: map[string]string{"scsi5": "thin:vm-100-disk-3,size=1G"}},
		"a new SATA disk waits":             {fields: []string{"sata1=thin:1"}, pending: map[string]string{"sata1": "thin:vm-100-disk-3,size=1G"}},
		"a SATA disk that goes waits":       {fields: []string{"delete=sata0"}, pending: map[string]string{"sata0": "delete"}},
		"a disk that goes":                  {fields: []string{"delete=scsi1"}},
		"the boot disk can not go":          {fields: []string{"delete=scsi0"}, pending: map[string]string{"scsi0": "delete", "boot": " "}, errors: map[string]string{"scsi0": "hotplug problem - can't unplug bootdisk 'scsi0'\n"}},
		"another CD":                        {hotplug: "0", fields: []string{"ide2=none,media=cdrom"}, pending: map[string]string{"boot": "order=scsi0;ide2"}},
		"a disk for a CD":                   {fields: []string{"ide2=thin:1"}, pending: map[string]string{"ide2": "thin:vm-100-disk-3,size=1G"}, errors: map[string]string{"ide2": "hotplug problem - unable to change media type\n"}},
		"the disk of the firmware waits":    {fields: []string{"delete=efidisk0"}, pending: map[string]string{"efidisk0": "delete"}},
		"trimming after clones":             {fields: []string{"agent=1,fstrim_cloned_disks=1"}},
		"the agent waits":                   {fields: []string{"agent=0"}, pending: map[string]string{"agent": "0"}},
		"hotplug without CPUs":              {fields: []string{"hotplug=disk"}},
		"hotplug of CPUs waits":             {fields: []string{"hotplug=disk,cpu"}, pending: map[string]string{"hotplug": "disk,cpu"}},
		"what is the same does not wait":    {fields: []string{"cores=2", "memory=512"}},
		"the type of CPU and the machine":   {fields: []string{"cpu=host", "machine=q35", "bios=ovmf"}, pending: map[string]string{"cpu": "host", "machine": "q35", "bios": "ovmf"}},
		"a key that is not set is not gone": {fields: []string{"delete=vga"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startVM(t, pvesim.Options{}, lines...)
			if tc.hotplug != "" {
				c.must("PUT", vm100+"/config", "hotplug="+tc.hotplug)
			}
			c.sim.SetRunning(100, true)
			a, err := c.send("PUT", vm100+"/config", tc.fields...)
			if err != nil || !maps.Equal(a.Errors, tc.errors) {
				t.Errorf("errors are %v %q, want %q", err, a.Errors, tc.errors)
			}
			if got := c.pending(); !maps.Equal(got, tc.pending) {
				t.Errorf("pending are %q, want %q", got, tc.pending)
			}
		})
	}
}

// TestVMPendingIsAppliedWhenItStops follows a recorded machine.
func TestVMPendingIsAppliedWhenItStops(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "cores: 1", "ide2: local:100/vm-100-cloudinit.qcow2,media=cdrom", "memory: 256", "name: vm100")
	c.ok("POST", vm100+"/status/start")
	c.must("PUT", vm100+"/config", "memory=512", "cores=2", "name=renamed")
	want := "cores: 1\nide2: local:100/vm-100-cloudinit.qcow2,media=cdrom\nmemory: 256\nname: renamed\n" +
		"\n[PENDING]\ncores: 2\nmemory: 512\n\n[special:cloudinit]\nname: vm100\n"
	if got := c.file("100"); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if got := c.object(vm100+"/config", "current=1")["memory"]; got != "256" {
		t.Errorf("memory in force is %v", got)
	}
	c.must("PUT", vm100+"/config", "revert=memory")
	c.ok("POST", vm100+"/status/stop")
	want = "cores: 2\nide2: local:100/vm-100-cloudinit.qcow2,media=cdrom\nmemory: 256\nname: renamed\n\n[special:cloudinit]\nname: vm100\n"
	if got := c.file("100"); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	c.ok("POST", vm100+"/status/start")
	if strings.Contains(c.file("100"), "special") {
		t.Error("a start makes what cloud-init reads anew")
	}
}

func TestVMPower(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "agent: 1", "memory: 64")
	c.ok("POST", vm100+"/status/stop")
	c.refused("500 VM 100 not running", "POST", vm100+"/status/reboot")
	c.ok("POST", vm100+"/status/start")
	c.fails("VM 100 already running", "POST", vm100+"/status/start")
	c.refused("500 VM 100 is running - destroy failed", "DELETE", vm100)
	c.refused("500 you can't convert a VM to template if VM is running", "POST", vm100+"/template")
	c.ok("POST", vm100+"/status/suspend")
	status := c.object(vm100 + "/status/current")
	if status["status"] != "running" || status["qmpstatus"] != "paused" {
		t.Errorf("status of a paused machine is %v %v", status["status"], status["qmpstatus"])
	}
	c.refused("500 VM is paused - cannot shutdown", "POST", vm100+"/status/shutdown")
	c.ok("POST", vm100+"/status/resume")
	c.ok("POST", vm100+"/status/reboot")
	c.sim.WaitTasks()
	if !c.sim.Running(100) {
		t.Error("a reboot has to start the machine again")
	}
	c.ok("POST", vm100+"/status/suspend", "todisk=1")
	c.refused("500 VM is locked (suspended)", "PUT", vm100+"/config", "memory=128")
	c.ok("POST", vm100+"/status/start")
	c.sim.IgnoreShutdown(100, true)
	c.fails("VM quit/powerdown failed - got timeout", "POST", vm100+"/status/shutdown", "timeout=0")
	c.ok("POST", vm100+"/status/shutdown", "timeout=0", "forceStop=1")
	if c.sim.Running(100) {
		t.Error("a forced shutdown has to stop the machine")
	}
}

func TestVMThatQEMURefusesDoesNotStart(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ line, want string }{
		"a template":           {"template: 1", "you can't start a vm if it's a template"},
		"a lock":               {"lock: backup", "VM is locked (backup)"},
		"too many CPUs":        {"cores: 3", "MAX 2 vcpus allowed per VM on this node"},
		"a bridge too few":     {"net0: virtio=02:00:00:00:00:01,bridge=vmbr9", "start failed: QEMU exited with code 1"},
		"a storage too few":    {"scsi0: gone:vm-100-disk-0", "storage 'gone' does not exist"},
		"an iothread for none": {"scsi0: thin:vm-100-disk-0,iothread=1", "WARNINGS: 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			startVM(t, pvesim.Options{}, tc.line).fails(tc.want, "POST", vm100+"/status/start")
		})
	}
}

func TestVMAgent(t *testing.T) {
	t.Parallel()
	path := vm100 + "/agent/network-get-interfaces"
	c := startVM(t, pvesim.Options{}, "name: x")
	c.refused("500 No QEMU guest agent configured", "GET", path)
	c.must("PUT", vm100+"/config", "agent=1", "net0=virtio=02:00:00:00:00:01,bridge=vmbr0", "ipconfig0=ip=192.0.2.7/24")
	c.refused("500 VM 100 is not running", "GET", path)
	c.ok("POST", vm100+"/status/start")
	c.refused("500 QEMU guest agent is not running", "GET", path)
	c.sim.SetAgent(100, &pvesim.Agent{Absent: 1})
	c.refused("500 QEMU guest agent is not running", "GET", path)
	want := `{"result":[{"hardware-address":"00:00:00:00:00:00","ip-addresses":[{"ip-address":"127.0.0.1","ip-address-type":"ipv4","prefix":8},` +
		`{"ip-address":"::1","ip-address-type":"ipv6","prefix":128}],"name":"lo"},` +
		`{"hardware-address":"02:00:00:00:00:01","ip-addresses":[{"ip-address":"192.0.2.7","ip-address-type":"ipv4","prefix":24},` +
		`{"ip-address":"fe80::ff:fe00:1","ip-address-type":"ipv6","prefix":64}],"name":"eth0"}]}`
	if got := string(c.must("GET", path).Data); got != want {
		t.Errorf("got\n %s, want\n %s", got, want)
	}
	c.sim.SetAgent(100, &pvesim.Agent{Failure: "Command guest-network-get-interfaces has been disabled"})
	want = `{"result":{"error":{"class":"GenericError","desc":"Command guest-network-get-interfaces has been disabled"}}}`
	if got := string(c.must("GET", path).Data); got != want {
		t.Errorf("a failure in the guest is answered with %s", got)
	}
}

func TestVMGrowsOnly(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "scsi0: thin:vm-100-disk-0,size=3G", "ide2: local:iso/a.iso,media=cdrom", "scsi1: local:100/base-100-disk-0.qcow2,size=1G")
	c.ok("PUT", vm100+"/resize", "disk=scsi0", "size=3G")
	c.ok("PUT", vm100+"/resize", "disk=scsi0", "size=+512M")
	c.ok("PUT", vm100+"/resize", "disk=scsi0", "size=4294967296")
	if got := c.object(vm100 + "/config")["scsi0"]; got != "thin:vm-100-disk-0,size=4G" {
		t.Errorf("scsi0 is %v", got)
	}
	c.fails("shrinking disks is not supported", "PUT", vm100+"/resize", "disk=scsi0", "size=1G")
	c.fails("checksum mismatch (file change by other user?)", "PUT", vm100+"/resize", "disk=scsi0", "size=9G", "digest=abc")
	c.fails("command '/usr/bin/qemu-img resize '--preallocation=metadata' -f qcow2 /var/lib/vz/images/100/base-100-disk-0.qcow2 2147483648' failed: exit code 1",
		"PUT", vm100+"/resize", "disk=scsi1", "size=2G")
	c.sim.Lock(100, "backup")
	c.fails("VM is locked (backup)", "PUT", vm100+"/resize", "disk=scsi0", "size=9G")
}

// TestCallThatTakesTooLongGoesOn: the proxy gives up, the node does not.
func TestCallThatTakesTooLongGoesOn(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{TaskTime: 200 * time.Millisecond, CallLimit: 20 * time.Millisecond}, "name: x")
	c.refused("596 Connection timed out", "PUT", vm100+"/config", "scsi0=thin:1")
	c.refused("596 Connection timed out", "PUT", vm100+"/config", "name=y") // the lock is held
	c.waitFor("100", "name: y")
	if got := c.file("100"); got != "name: y\nscsi0: thin:vm-100-disk-0,size=1G\n" {
		t.Errorf("the file is %q", got)
	}
}
