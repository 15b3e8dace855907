package pvesim_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// vmFiles is a cluster with storages of several types and the machine 100.
func vmFiles(extra ...string) map[string]string {
	return map[string]string{
		"storage.cfg": "dir: local\n\tpath /var/lib/vz\n\tcontent iso,vztmpl,backup,snippets,import,images\n\n" +
			"lvmthin: thin\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n\n" +
			"nfs: nas\n\tserver 192.0.2.9\n\texport /x\n\tcontent images,iso\n",
		"user.cfg":                        "user:root@pam:1:0::::::\ntoken:root@pam!t:0:0::\n",
		"priv/token.cfg":                  "root@pam!t 11111111-2222-3333-4444-555555555555\n",
		"volumes.txt":                     "local:iso/a.iso  65536\nlocal:import/disk.qcow2  1000  2147483648\n",
		"nodes/pve1/qemu-server/100.conf": strings.Join(extra, "\n") + "\n",
		"nodes/pve2/lxc/.keep":            "",
	}
}

// startVM starts a cluster with the machine 100 of these lines.
func startVM(t *testing.T, opts pvesim.Options, lines ...string) *client {
	t.Helper()
	opts.Files, opts.Nodes = vmFiles(lines...), []string{"pve1", "pve2"}
	return start(t, opts)
}

const vm100 = "/nodes/pve1/qemu/100"

func (c *client) object(path string, fields ...string) map[string]any {
	c.t.Helper()
	var out map[string]any
	if err := json.Unmarshal(c.must("GET", path, fields...).Data, &out); err != nil {
		c.t.Fatal(err)
	}
	return out
}

// ok makes a request whose task has to end well.
func (c *client) ok(method, path string, fields ...string) {
	c.t.Helper()
	if exit := c.exit(c.must(method, path, fields...)); exit != "OK" {
		c.t.Fatalf("%s %s: %s", method, path, exit)
	}
}

// fails makes a request whose task has to end with this text.
func (c *client) fails(want, method, path string, fields ...string) {
	c.t.Helper()
	if exit := c.exit(c.must(method, path, fields...)); exit != want {
		c.t.Errorf("%s %s ended with\n %q, want\n %q", method, path, exit, want)
	}
}

func (c *client) file(vmid string) string {
	text, _ := c.sim.ReadFile("nodes/pve1/qemu-server/" + vmid + ".conf")
	return text
}

// volumes are the images on pve1.
func (c *client) volumes() []string {
	return slices.DeleteFunc(c.sim.Volumes("pve1"), func(v string) bool {
		return strings.Contains(v, ":iso/") || strings.Contains(v, ":import/")
	})
}

func TestVMCreateNamesVolumesInTheOrderOfTheirKeysAsText(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "name: x")
	c.ok("POST", "/nodes/pve1/qemu", "vmid=200", "scsi2=local:1", "scsi10=local:0.1", "virtio0=thin:1", "efidisk0=thin:1,efitype=4m,pre-enrolled-keys=1", "tpmstate0=thin:1")
	got := c.object("/nodes/pve1/qemu/200/config")
	for key, want := range map[string]string{
		"scsi10": "local:200/vm-200-disk-0.raw,size=104858K", "scsi2": "local:200/vm-200-disk-1.raw,size=1G",
		"efidisk0":  "thin:vm-200-disk-0,efitype=4m,ms-cert=2023k,pre-enrolled-keys=1,size=4M",
		"tpmstate0": "thin:vm-200-disk-1,size=4M", "virtio0": "thin:vm-200-disk-2,size=1G", "boot": "order=scsi2",
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
}

func TestVMCreateThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fields []string
		want   string
	}{
		"a missing CD after a new disk": {[]string{"ide3=local:1", "sata0=local:iso/no.iso,media=cdrom"}, "unable to create VM 200 - volume 'local:iso/no.iso' does not exist"},
		"a format the storage lacks":    {[]string{"scsi0=thin:1", "scsi1=thin:1,format=qcow2"}, "unable to create VM 200 - unsupported format 'qcow2'"},
		"a source that is gone":         {[]string{"scsi0=thin:1", "scsi1=thin:0,import-from=local:import/no.raw"}, "unable to create VM 200 - failed to stat '/var/lib/vz/import/no.raw'"},
		"two drives for cloud-init":     {[]string{"ide0=local:cloudinit", "ide1=local:cloudinit"}, "unable to create VM 200 - ide1 - cloud-init drive is already attached at 'ide0'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startVM(t, pvesim.Options{}, "name: x")
			c.fails(tc.want, "POST", "/nodes/pve1/qemu", append([]string{"vmid=200"}, tc.fields...)...)
			if v := c.volumes(); len(v) > 0 || c.file("200") != "" {
				t.Errorf("left behind: %v %q", v, c.file("200"))
			}
		})
	}
}

func TestVMCreateRefusesWhatIsWrongBeforeAnyTask(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "name: x")
	for name, tc := range map[string]struct {
		field, line string
		errors      map[string]string
	}{
		"a megabyte and a kind of it":  {"scsi0=local:1,mbps=1,mbps_rd=1", "400 Parameter verification failed.", map[string]string{"scsi0": "unable to parse drive options"}},
		"a burst without its limit":    {"scsi0=local:1,mbps_max=5", "400 Parameter verification failed.", map[string]string{"scsi0": "unable to parse drive options"}},
		"a CD with a format":           {"ide2=local:iso/a.iso,media=cdrom,format=raw", "400 Parameter verification failed.", map[string]string{"ide2": "unable to parse drive options"}},
		"a CD that is not called one":  {"ide2=local:iso/a.iso", "400 Parameter verification failed.", map[string]string{"ide2": "explicit 'media=cdrom' is required for iso images"}},
		"an import with a size":        {"scsi0=local:4,import-from=local:import/disk.qcow2", "400 Parameter verification failed.", map[string]string{"scsi0": "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>"}},
		"an import of a CD":            {"scsi0=local:0,import-from=local:iso/a.iso", "400 Parameter verification failed.", map[string]string{"scsi0": "local:iso/a.iso has wrong type 'iso' - needs to be 'images' or 'import'"}},
		"a storage that is not there":  {"scsi0=no:1", "500 storage 'no' does not exist", nil},
		"a balloon above the memory":   {"balloon=9999", "500 balloon value too large (must be smaller than assigned memory)", nil},
		"an IOMMU of another machine":  {"machine=pc,viommu=intel", "500 to use Intel vIOMMU please set the machine type to q35", nil},
		"a device of the host":         {"usb0=host=1-2", "500 only root can set 'usb0' config for real devices", nil},
		"a serial device of the host":  {"serial0=/dev/ttyS0", "500 only root can set 'serial0' config for real devices", nil},
		"a key of root alone":          {"vmgenid=0", "500 only root can set 'vmgenid' config", nil},
		"SSH keys that are none":       {"sshkeys=nonsense", "500 SSH public key validation error", nil},
		"a boot device beyond the bus": {"boot=order=sata6", "400 Parameter verification failed.", map[string]string{"boot": "invalid format - format error\nboot.order: invalid format - invalid boot device 'sata6'\n\n"}},
		"a negative hotplug word":      {"hotplug=disk,sound", "400 Parameter verification failed.", map[string]string{"hotplug": "invalid format - unable to parse hotplug option\n"}},
		"a gateway without an address": {"ipconfig0=gw6=fe80::1", "400 Parameter verification failed.", map[string]string{"ipconfig0": "invalid format - format error\nipconfig0.ip6: missing property required by 'ipconfig0.gw6'\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := (&client{t, c.sim, c.token}).refused(tc.line, "POST", "/nodes/pve1/qemu", "vmid=200", tc.field)
			if !maps.Equal(a.Errors, tc.errors) {
				t.Errorf("errors are %q, want %q", a.Errors, tc.errors)
			}
		})
	}
	if c.file("200") != "" {
		t.Error("a refused machine exists")
	}
}

func TestVMImportKeepsSizeAndFormatOfItsSource(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ wish, want string }{
		"where the storage can":    {"local:0,import-from=local:import/disk.qcow2", "local:200/vm-200-disk-0.qcow2,size=2G"},
		"where it can not":         {"thin:0,import-from=local:import/disk.qcow2", "thin:vm-200-disk-0,size=2G"},
		"unless a format is given": {"local:0,import-from=local:import/disk.qcow2,format=raw", "local:200/vm-200-disk-0.raw,size=2G"},
		"of a disk of a machine":   {"local:0,import-from=thin:vm-100-disk-0", "local:200/vm-200-disk-0.raw,size=3G"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startVM(t, pvesim.Options{}, "scsi0: thin:vm-100-disk-0,size=3G")
			c.ok("POST", "/nodes/pve1/qemu", "vmid=200", "scsi0="+tc.wish)
			if got := c.object("/nodes/pve1/qemu/200/config")["scsi0"]; got != tc.want {
				t.Errorf("scsi0 is %v, want %v", got, tc.want)
			}
		})
	}
}

func TestVMThrottleInBytesIsLost(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "scsi0: thin:vm-100-disk-0,size=3G")
	c.must("PUT", vm100+"/config", "scsi0=thin:vm-100-disk-0,bps=104857600")
	if got := c.object(vm100 + "/config")["scsi0"]; got != "thin:vm-100-disk-0,mbps=0.000,size=3G" {
		t.Errorf("scsi0 is %v", got)
	}
}

func TestVMUpdateIsNotAtomic(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "memory: 512")
	c.refused("500 invalid bootorder: device 'scsi1' does not exist'", "PUT", vm100+"/config", "cores=3", "boot=order=scsi1")
	if got := c.object(vm100 + "/config")["cores"]; got != 3.0 {
		t.Errorf("cores is %v, want what was set before the error", got)
	}
}

func TestVMUpdateByWorkerMayBeWaitedFor(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "memory: 512")
	if a := c.must("POST", vm100+"/config", "memory=600", "background_delay=5"); string(a.Data) != "null" {
		t.Errorf("answered %s, want null for a change that is done", a.Data)
	}
	c.refused("500 failed to update VM 100: invalid bootorder: device 'net9' does not exist'", "POST", vm100+"/config", "boot=order=net9", "background_delay=5")
	c.sim.HoldTasks("qmconfig")
	a := c.must("POST", vm100+"/config", "memory=700", "background_delay=1")
	c.sim.ReleaseTasks()
	if exit := c.exit(a); exit != "OK" {
		t.Error(exit)
	}
}

func TestVMPasswordIsHashedByChangesAndHidden(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "ostype: l26")
	c.ok("POST", "/nodes/pve1/qemu", "vmid=200", "cipassword=plain")
	if !strings.Contains(c.file("200"), "cipassword: plain\n") {
		t.Error("creation has to store the password as it is:", c.file("200"))
	}
	c.must("PUT", vm100+"/config", "cipassword=secret")
	first := c.file("100")
	if !strings.Contains(first, "cipassword: $5$") {
		t.Error("a change has to hash the password:", first)
	}
	c.must("PUT", vm100+"/config", "cipassword=secret")
	if c.file("100") == first {
		t.Error("the salt has to be a new one each time")
	}
	if got := c.object(vm100 + "/config")["cipassword"]; got != "**********" {
		t.Errorf("config shows %v", got)
	}
}

func TestVMDetachKeepsTheVolume(t *testing.T) {
	t.Parallel()
	lines := []string{"boot: order=scsi0;scsi1", "ide2: thin:vm-100-cloudinit,media=cdrom", "scsi0: thin:vm-100-disk-0,size=1G", "scsi1: thin:vm-100-disk-1,size=1G", "scsi2: thin:vm-999-disk-0,size=1G"}
	for name, tc := range map[string]struct {
		fields  []string
		want    map[string]any
		volumes []string
	}{
		"as unused": {[]string{"delete=scsi1"}, map[string]any{"unused0": "thin:vm-100-disk-1", "boot": "order=scsi0"},
			[]string{"thin:vm-100-cloudinit", "thin:vm-100-disk-0", "thin:vm-100-disk-1", "thin:vm-999-disk-0"}},
		"unless by force": {[]string{"delete=scsi1", "force=1"}, map[string]any{"unused0": nil, "boot": "order=scsi0"},
			[]string{"thin:vm-100-cloudinit", "thin:vm-100-disk-0", "thin:vm-999-disk-0"}},
		"but not that of cloud-init": {[]string{"delete=ide2"}, map[string]any{"unused0": nil, "ide2": nil},
			[]string{"thin:vm-100-disk-0", "thin:vm-100-disk-1", "thin:vm-999-disk-0"}},
		"of another guest without a trace": {[]string{"delete=scsi2", "force=1"}, map[string]any{"unused0": nil, "scsi2": nil},
			[]string{"thin:vm-100-cloudinit", "thin:vm-100-disk-0", "thin:vm-100-disk-1", "thin:vm-999-disk-0"}},
		"of which another took the place": {[]string{"scsi1=thin:2"}, map[string]any{"unused0": "thin:vm-100-disk-1", "scsi1": "thin:vm-100-disk-2,size=2G"},
			[]string{"thin:vm-100-cloudinit", "thin:vm-100-disk-0", "thin:vm-100-disk-1", "thin:vm-100-disk-2", "thin:vm-999-disk-0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startVM(t, pvesim.Options{}, lines...)
			c.must("PUT", vm100+"/config", tc.fields...)
			got := c.object(vm100 + "/config")
			for key, want := range tc.want {
				if got[key] != want {
					t.Errorf("%s is %v, want %v", key, got[key], want)
				}
			}
			if v := c.volumes(); !reflect.DeepEqual(v, tc.volumes) {
				t.Errorf("volumes are %v, want %v", v, tc.volumes)
			}
		})
	}
}

func TestVMUnusedVolumeOfASnapshotStays(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "scsi0: thin:vm-100-disk-0,size=1G")
	c.ok("POST", vm100+"/snapshot", "snapname=s1")
	c.must("PUT", vm100+"/config", "delete=scsi0")
	c.refused("500 unable to delete 'thin:vm-100-disk-0' - volume is still in use (snapshot?)", "PUT", vm100+"/config", "delete=unused0")
	c.ok("DELETE", vm100+"/snapshot/s1")
	c.must("PUT", vm100+"/config", "delete=unused0")
	if v := c.volumes(); len(v) > 0 {
		t.Errorf("left: %v", v)
	}
}
