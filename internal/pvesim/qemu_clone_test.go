package pvesim_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// waitFor waits until the file of a machine on pve1 contains a text.
func (c *client) waitFor(vmid, text string) {
	c.sim.WaitFile("nodes/pve1/qemu-server/"+vmid+".conf", func(file string) bool { return strings.Contains(file, text) })
}

// exitSlow is exit for tasks that may take seconds.
func (c *client) exitSlow(a answer) string {
	c.t.Helper()
	c.sim.WaitTasks()
	return c.exit(a)
}

func TestVMCloneCopies(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "cipassword: p", "description: old", "ide2: thin:vm-100-cloudinit,media=cdrom", "ide3: local:iso/a.iso,media=cdrom,size=64K",
		"memory: 512", "meta: creation-qemu=9.0.0,ctime=1", "name: tpl", "net0: virtio=02:00:00:00:00:01,bridge=vmbr0,tag=5", "onboot: 1", "protection: 1",
		"scsi0: thin:base-100-disk-0,discard=on,size=3G", "smbios1: uuid=11111111-1111-4111-8111-111111111111,family=Zg", "tags: a;b", "template: 1",
		"tpmstate0: thin:base-100-disk-1,size=4M,version=v2.0", "unused0: thin:vm-100-disk-7", "vmgenid: 22222222-2222-4222-8222-222222222222")
	c.sim.WriteFile("firewall/100.fw", "[OPTIONS]\n\nenable: 1\n\n")
	c.ok("POST", vm100+"/clone", "newid=200", "name=new")
	got := c.object("/nodes/pve1/qemu/200/config")
	for key, want := range map[string]any{
		"cipassword": "**********", "ide2": "thin:vm-200-cloudinit,media=cdrom,size=4M", "ide3": "local:iso/a.iso,media=cdrom,size=64K", "memory": "512",
		"meta": "creation-qemu=9.0.0,ctime=1", "name": "new", "onboot": 1.0, "protection": 1.0, "scsi0": "thin:vm-200-disk-0,discard=on,size=3G", "tags": "a;b",
		"template": nil, "tpmstate0": "thin:vm-200-disk-1,size=4M,version=v2.0", "unused0": nil, "lock": nil, "description": "old",
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	for key, old := range map[string]string{"net0": "02:00:00:00:00:01", "smbios1": "11111111", "vmgenid": "22222222"} {
		if text := fmt.Sprint(got[key]); got[key] == nil || strings.Contains(text, old) {
			t.Errorf("%s is %v, want a new one", key, got[key])
		}
	}
	if !strings.Contains(fmt.Sprint(got["smbios1"]), "family=Zg") || !strings.Contains(fmt.Sprint(got["net0"]), "bridge=vmbr0,tag=5") {
		t.Errorf("other keys have to stay: %v %v", got["smbios1"], got["net0"])
	}
	if text, _ := c.sim.ReadFile("firewall/200.fw"); text != "[OPTIONS]\n\nenable: 1\n\n" {
		t.Errorf("firewall is %q", text)
	}
}

func TestVMCloneRefuses(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "scsi0: local:100/vm-100-disk-0.raw,size=1G")
	c.sim.WriteFile("nodes/pve1/lxc/300.conf", "hostname: x\n")
	c.refused("500 Linked clone feature is not supported for 'local:100/vm-100-disk-0.raw' (scsi0)", "POST", vm100+"/clone", "newid=200", "full=0")
	c.refused("500 parameter 'format' not allowed for linked clones", "POST", vm100+"/clone", "newid=200", "full=0", "format=raw")
	c.refused("500 can't clone VM to node 'pve2' (VM uses local storage)", "POST", vm100+"/clone", "newid=200", "target=pve2")
	c.refused("500 unable to find configuration file for VM 100 on node 'pve2'", "POST", "/nodes/pve2/qemu/100/clone", "newid=200")
	c.fails("close (rename) atomic file '/etc/pve/nodes/pve1/qemu-server/300.conf' failed: File exists", "POST", vm100+"/clone", "newid=300")
	c.sim.StorageFull("thin", true)
	c.fails("clone failed: lvcreate 'pve/vm-200-disk-0' error:   Volume group \"pve\" has insufficient free space", "POST", vm100+"/clone", "newid=200", "storage=thin")
	if c.file("200") != "" || len(c.volumes()) != 1 {
		t.Errorf("a clone that failed left %q %v", c.file("200"), c.volumes())
	}
	c.sim.Lock(100, "backup")
	c.refused("500 VM is locked (backup)", "POST", vm100+"/clone", "newid=200")
}

func TestVMCloneToAnotherNodeNeedsSharedStorage(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "scsi0: nas:100/base-100-disk-0.qcow2,size=1G", "template: 1")
	c.ok("POST", vm100+"/clone", "newid=200", "target=pve2")
	if got := c.object("/nodes/pve2/qemu/200/config")["scsi0"]; got != "nas:100/base-100-disk-0.qcow2/200/vm-200-disk-0.qcow2,size=1G" {
		t.Errorf("scsi0 is %v", got)
	}
	c.fails("base volume 'nas:100/base-100-disk-0.qcow2' is still in use by linked cloned", "DELETE", vm100)
}

// TestVMClonesOfATemplateShareItsLock: they run at the same time, and a
// change of the template waits for all of them.
func TestVMClonesOfATemplateShareItsLock(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{TaskTime: 500 * time.Millisecond}, "scsi0: thin:base-100-disk-0,size=1G", "template: 1")
	begin := time.Now()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if exit := c.exitSlow(c.must("POST", vm100+"/clone", fmt.Sprintf("newid=%d", 200+i))); exit != "OK" {
				t.Errorf("clone %d: %s", i, exit)
			}
		})
	}
	wg.Wait()
	if took := time.Since(begin); took > 7*time.Second {
		t.Errorf("20 clones took %v, one after the other would be 10 s", took)
	}
	a := c.must("POST", vm100+"/clone", "newid=300")
	c.waitFor("300", "lock: clone")
	c.must("PUT", vm100+"/config", "memory=1024")
	if strings.Contains(c.file("300"), "lock: clone") {
		t.Error("the change has to wait for the clone")
	}
	if exit := c.exitSlow(a); exit != "OK" {
		t.Error(exit)
	}
}

// TestVMClonesOfARunningMachineExclude each other after a second.
func TestVMClonesOfARunningMachineExclude(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{TaskTime: 1500 * time.Millisecond}, "scsi0: thin:vm-100-disk-0,size=1G")
	c.sim.SetRunning(100, true)
	first := c.must("POST", vm100+"/clone", "newid=200")
	c.waitFor("200", "lock: clone")
	second := c.must("POST", vm100+"/clone", "newid=201")
	if exit := c.exitSlow(second); exit != "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout" {
		t.Errorf("the second clone ended with %q", exit)
	}
	if exit := c.exit(first); exit != "OK" {
		t.Errorf("the first clone ended with %q", exit)
	}
}

func TestVMSnapshotWithMemoryRunsAfterRollback(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "description: now", "memory: 256", "name: a", "scsi0: thin:vm-100-disk-0,size=1G", "vmgenid: 22222222-2222-4222-8222-222222222222")
	c.ok("POST", vm100+"/status/start")
	c.ok("POST", vm100+"/snapshot", "snapname=s1", "vmstate=1")
	c.must("PUT", vm100+"/config", "name=b", "scsi1=thin:2", "protection=1")
	c.ok("PUT", vm100+"/resize", "disk=scsi0", "size=2G")
	c.ok("POST", vm100+"/snapshot/s1/rollback")
	got := c.object(vm100 + "/config")
	for key, want := range map[string]any{
		"name": "a", "description": "now", "protection": nil, "scsi0": "thin:vm-100-disk-0,size=1G", "scsi1": nil, "unused0": "thin:vm-100-disk-1", "parent": "s1",
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	if got["vmgenid"] == "22222222-2222-4222-8222-222222222222" {
		t.Error("vmgenid has to be a new one")
	}
	if !c.sim.Running(100) {
		t.Error("a machine whose memory was kept has to run")
	}
	c.ok("DELETE", vm100+"/snapshot/s1")
	for _, v := range c.volumes() {
		if strings.Contains(v, "state") {
			t.Errorf("the memory of the snapshot is left: %s", v)
		}
	}
}

func TestVMTemplateSkipsDisksWithoutBaseImages(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "efidisk0: thin:vm-100-disk-0,size=4M", "ide2: thin:vm-100-cloudinit,media=cdrom", "scsi0: thick:vm-100-disk-0,size=1G", "scsi1: local:100/vm-100-disk-0.raw,size=1G")
	storages, _ := c.sim.ReadFile("storage.cfg")
	c.sim.WriteFile("storage.cfg", storages+"\nlvm: thick\n\tvgname vg\n\tcontent images\n")
	c.sim.AddVolume("pve1", "thick:vm-100-disk-0", 1<<30)
	c.ok("POST", vm100+"/template")
	want := "efidisk0: thin:base-100-disk-0,size=4M\nide2: thin:vm-100-cloudinit,media=cdrom\nscsi0: thick:vm-100-disk-0,size=1G\nscsi1: local:100/base-100-disk-0.raw,size=1G\ntemplate: 1\n"
	if got := c.file("100"); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if got := c.object(vm100+"/feature", "feature=clone")["hasFeature"]; got != 0.0 {
		t.Errorf("feature clone is %v, for one disk can not have linked clones", got)
	}
	c.must("PUT", vm100+"/config", "scsi2=thin:1")
	if got := c.object(vm100 + "/config")["scsi2"]; got != "thin:base-100-disk-1,size=1G" {
		t.Errorf("a new disk of a template is %v", got)
	}
}

func TestVMDestroyTakesWhatIsNamedAndOwned(t *testing.T) {
	t.Parallel()
	lines := []string{"ide2: local:iso/a.iso,media=cdrom", "ide3: thin:vm-100-cloudinit,media=cdrom", "scsi0: thin:vm-100-disk-0,size=1G", "scsi1: thin:vm-999-disk-0,size=1G", "unused0: thin:vm-100-disk-1", "",
		"[s1]", "scsi2: thin:vm-100-disk-2,size=1G", "vmstate: thin:vm-100-state-s1"}
	for name, tc := range map[string]struct {
		fields []string
		want   string
	}{
		"and leaves what no line names": {nil, "[thin:vm-100-disk-5 thin:vm-999-disk-0]"},
		"and more only if it is asked":  {[]string{"destroy-unreferenced-disks=1"}, "[thin:vm-999-disk-0]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startVM(t, pvesim.Options{}, lines...)
			c.sim.AddVolume("pve1", "thin:vm-100-disk-5", 1<<30)
			c.ok("DELETE", vm100, tc.fields...)
			if got := fmt.Sprint(c.volumes()); got != tc.want {
				t.Errorf("volumes are %s, want %s", got, tc.want)
			}
		})
	}
}

func TestVMMigrates(t *testing.T) {
	t.Parallel()
	local := "scsi0: thin:vm-100-disk-0,size=1G"
	for name, tc := range map[string]struct {
		running bool
		lines   []string
		fields  []string
		want    string
	}{
		"stopped, with its disks":          {false, []string{local}, nil, "OK"},
		"running on shared storage":        {true, []string{"scsi0: nas:100/vm-100-disk-0.raw,size=1G"}, []string{"online=1"}, "OK"},
		"running, with its disks":          {true, []string{local}, []string{"online=1", "with-local-disks=1"}, "OK"},
		"running, and nobody said disks":   {true, []string{local}, []string{"online=1"}, "migration aborted"},
		"with a CD of the node":            {false, []string{"ide2: local:iso/a.iso,media=cdrom"}, nil, "migration aborted"},
		"with a device of the node":        {false, []string{"hostpci0: 00:02.0"}, nil, "migration aborted"},
		"with a disk of another guest":     {false, []string{"scsi0: thin:vm-999-disk-0,size=1G"}, nil, "migration aborted"},
		"with a base that others stand on": {false, []string{"scsi0: local:100/base-100-disk-0.raw,size=1G", "template: 1"}, nil, "migration aborted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startVM(t, pvesim.Options{}, tc.lines...)
			if strings.Contains(name, "base") {
				c.ok("POST", vm100+"/clone", "newid=200")
			}
			c.sim.SetRunning(100, tc.running)
			c.fails(tc.want, "POST", vm100+"/migrate", append(tc.fields, "target=pve2")...)
			_, there := c.sim.ReadFile("nodes/pve2/qemu-server/100.conf")
			if there != (tc.want == "OK") || there == (c.file("100") != "") {
				t.Errorf("on the target: %v, on the source: %q", there, c.file("100"))
			}
			if c.sim.Running(100) != tc.running {
				t.Error("a migration neither starts nor stops a machine")
			}
		})
	}
	c := startVM(t, pvesim.Options{}, local)
	c.refused("400 Parameter verification failed.", "POST", vm100+"/migrate", "target=pve1")
	c.sim.SetRunning(100, true)
	c.refused("500 can't migrate running VM without --online", "POST", vm100+"/migrate", "target=pve2")
}
