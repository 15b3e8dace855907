package restore_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const (
	address = "proxmox_restore.r"
	lxcMAC  = "02:00:00:00:50:01"
	vmMAC   = "02:00:00:00:50:02"
)

// cluster has a running container and a VM, and an archive of each.
func cluster(t *testing.T, files ...string) (s *pvesim.Server, lxc, vm string) {
	t.Helper()
	s = acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("nodes/pve1/lxc/5001.conf", "arch: amd64\nhostname: web\nmemory: 512\nrootfs: local-lvm:vm-5001-disk-0,size=4G\n"+
		"mp0: local-lvm:vm-5001-disk-1,mp=/data,backup=1,size=8G\nmp1: local-lvm:vm-5001-disk-2,mp=/scratch,size=2G\n"+
		"net0: name=eth0,bridge=vmbr0,hwaddr="+lxcMAC+",ip=dhcp,type=veth\nunprivileged: 1\n"+strings.Join(files, ""))
	s.WriteFile("nodes/pve1/qemu-server/5002.conf", "name: db\nmemory: 1024\nscsi0: local-lvm:vm-5002-disk-0,size=32G\nnet0: virtio="+vmMAC+",bridge=vmbr0\n")
	s.SetRunning(5001, true)
	for _, id := range []string{"5001", "5002"} {
		dump(t, s, id)
	}
	s.WaitTasks()
	for _, v := range s.Volumes("pve1") {
		if strings.Contains(v, ":backup/vzdump-lxc-") {
			lxc = v
		}
		if strings.Contains(v, ":backup/vzdump-qemu-") {
			vm = v
		}
	}
	s.ResetRequests()
	return s, lxc, vm
}

func dump(t *testing.T, s *pvesim.Server, id string) {
	t.Helper()
	form := url.Values{"vmid": {id}, "storage": {"local"}, "compress": {"zstd"}, "mode": {"stop"}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/api2/json/nodes/pve1/vzdump", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "PVEAPIToken="+s.Token())
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	_ = resp.Body.Close()
}

func restore(archive string, lines ...string) string {
	return fmt.Sprintf("resource \"proxmox_restore\" \"r\" {\n  archive = %q\n  node = \"pve1\"\n  %s\n}\n", archive, strings.Join(lines, "\n  "))
}

func known(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

// writes checks the requests since the last check that change something.
func writes(s *pvesim.Server, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		got := acctest.Writes(s.Requests())
		s.ResetRequests()
		if !slices.Equal(got, want) {
			return fmt.Errorf("the writes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		return nil
	}
}

// spaced lets an expected sentence match however Terraform wrapped it.
func spaced(sentence string) *regexp.Regexp {
	words := strings.Fields(sentence)
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	return regexp.MustCompile(strings.Join(words, `[\s│]+`))
}

// Beside a running original: no MAC of it in the restored configuration.
func TestRestoreOfAContainer(t *testing.T) {
	t.Parallel()
	s, archive, _ := cluster(t)
	block := acctest.Provider(s)
	otherMAC := func(*terraform.State) error {
		text, _ := s.ReadFile("nodes/pve1/lxc/5101.conf")
		if strings.Contains(text, lxcMAC) || !strings.Contains(text, "hwaddr=") {
			return fmt.Errorf("the restored container has the MAC of the original:\n%s", text)
		}
		return nil
	}
	acctest.Run(t, resource.TestCase{
		CheckDestroy: func(st *terraform.State) error {
			if _, left := s.ReadFile("nodes/pve1/lxc/5101.conf"); left {
				return fmt.Errorf("the restored container is still there")
			}
			if _, there := s.ReadFile("nodes/pve1/lxc/5001.conf"); !there {
				return fmt.Errorf("the original is gone")
			}
			return nil
		},
		Steps: []resource.TestStep{
			{
				Config: block + restore(archive, `vmid = 5101`, `storage = "local-lvm"`, `name = "drill"`),
				Check: resource.ComposeTestCheckFunc(
					writes(s, "POST /nodes/pve1/lxc hostname=drill ostemplate="+archive+" restore=1 storage=local-lvm unique=1 vmid=5101"), otherMAC),
				ConfigStateChecks: []statecheck.StateCheck{
					known("kind", knownvalue.StringExact("lxc")),
					known("consistency", knownvalue.StringExact("consistent")),
					known("mac_addresses", knownvalue.MapPartial(map[string]knownvalue.Check{"net0": knownvalue.NotNull()})),
					known("volumes", knownvalue.MapPartial(map[string]knownvalue.Check{"mp1": knownvalue.NotNull(), "rootfs": knownvalue.ObjectPartial(map[string]knownvalue.Check{"data": knownvalue.StringExact("erased")})})),
					known("started", knownvalue.Bool(false)),
					known("reconcile", knownvalue.Null()),
				},
			},
			{ // Started and renamed in place; storage matters no more.
				Config: block + restore(archive, `vmid = 5101`, `storage = "elsewhere"`, `name = "drill2"`, `started = true`),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}},
				Check: writes(s, "PUT /nodes/pve1/lxc/5101/config hostname=drill2", "POST /nodes/pve1/lxc/5101/status/start"),
			},
			{
				Config:           block + restore(archive, `vmid = 5101`, `storage = "elsewhere"`, `name = "drill2"`, `started = true`),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
		},
	})
}

func TestRestoreOfAVM(t *testing.T) {
	t.Parallel()
	s, _, archive := cluster(t)
	acctest.Run(t, resource.TestCase{
		Steps: []resource.TestStep{
			{ // A number of the range, the storages of the archive.
				Config: acctest.Provider(s, `vmid_range = "5000-8999"`) + restore(archive),
				Check:  writes(s, "POST /nodes/pve1/qemu archive="+archive+" unique=1 vmid=5000"),
				ConfigStateChecks: []statecheck.StateCheck{
					known("kind", knownvalue.StringExact("qemu")),
					known("vmid", knownvalue.Int64Exact(5000)),
					known("volumes", knownvalue.MapPartial(map[string]knownvalue.Check{"scsi0": knownvalue.NotNull()})),
				},
			},
		},
	})
	for _, r := range s.Requests() {
		if r.Params.Has("force") {
			t.Errorf("force was sent: %s %s", r.Method, r.Path)
		}
	}
}

// A volume of a container on a storage of its own, and a bind mount that a token
// cannot attach.
func TestRestoreToSeveralStorages(t *testing.T) {
	t.Parallel()
	s, archive, _ := cluster(t, "mp2: /srv/share,mp=/share\n")
	s.WriteFile("storage.cfg", "dir: local\n\tpath /var/lib/vz\n\tcontent backup\n\nlvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n\nlvmthin: fast\n\tthinpool f\n\tvgname nvme\n\tcontent rootdir\n")
	acctest.Run(t, resource.TestCase{
		Steps: []resource.TestStep{{
			Config: acctest.Provider(s) + restore(archive, `vmid = 5101`, `storage = "local-lvm"`, `mounts = { mp0 = { storage = "fast" } }`),
			Check:  writes(s, "POST /nodes/pve1/lxc mp0=fast:8,backup=1,mp=/data mp1=local-lvm:2,mp=/scratch ostemplate="+archive+" restore=1 rootfs=local-lvm:4 storage=local-lvm unique=1 vmid=5101"),
		}},
	})
}

func TestRestoreIsRefused(t *testing.T) {
	t.Parallel()
	s, archive, vm := cluster(t)
	block := acctest.Provider(s)
	steps := []resource.TestStep{}
	for _, tc := range []struct{ provider, config, want string }{
		{block, restore(archive, `vmid = 5101`, `storage = "local-lvm"`, `unique = false`), "The restored guest would have the MAC addresses of the running container 5001"},
		{block, restore(archive, `vmid = 5101`), "The restored container has no storage for its volumes"},
		{block, restore(archive, `vmid = 5101`, `storage = "local"`), "Storage local does not take content rootdir"},
		{block, restore(vm, `vmid = 5101`, `mounts = { mp0 = { storage = "local-lvm" } }`), "A VM has no mount points"},
		{block, restore("local:backup/vzdump-lxc-5001-2020_01_01-00_00_00.tar.zst", `vmid = 5101`, `storage = "local-lvm"`), "There is no archive local:backup/vzdump-lxc-5001-2020_01_01-00_00_00.tar.zst"},
		{block, restore("local:iso/x.iso", `vmid = 5101`), "is not a backup archive"},
		{acctest.Provider(s, `vmid_range = "6000-6999"`), restore(archive, `vmid = 6001`, `storage = "local-lvm"`), "VMID 5001 is outside of the VMID range 6000-6999"},
	} {
		steps = append(steps, resource.TestStep{Config: tc.provider + tc.config, ExpectError: spaced(tc.want), PlanOnly: true})
	}
	steps = append(steps, resource.TestStep{
		Config:      block + restore(archive, `vmid = 5002`, `storage = "local-lvm"`),
		ExpectError: spaced(`5002 exists (VM "db" on node pve1, qemu, stopped). A restore never overwrites a guest`),
	})
	acctest.Run(t, resource.TestCase{Steps: steps})
	if lines := acctest.Writes(s.Requests()); len(lines) > 0 {
		t.Errorf("a refused restore sent %v", lines)
	}
}

// A VM's restore that fails leaves what it made behind: a human decides.
func TestARestoreThatStopsHalfWay(t *testing.T) {
	t.Parallel()
	s, _, archive := cluster(t)
	s.StorageFull("local-lvm", true)
	acctest.Run(t, resource.TestCase{
		Steps: []resource.TestStep{
			{
				Config:      acctest.Provider(s) + restore(archive, `vmid = 5101`),
				ExpectError: spaced("reconcile record"),
			},
			{ // Proxmox's answers settle the record: the half-made VM is there, and it is ours.
				PreConfig: func() {
					if _, there := s.ReadFile("nodes/pve1/qemu-server/5101.conf"); !there {
						t.Error("the half-made VM was removed")
					}
					s.StorageFull("local-lvm", false)
					s.ResetRequests()
				},
				Config: acctest.Provider(s) + restore(archive, `vmid = 5101`),
				Check:  writes(s, "DELETE /nodes/pve1/qemu/5101 destroy-unreferenced-disks=0", "POST /nodes/pve1/qemu archive="+archive+" unique=1 vmid=5101"),
			},
		},
	})
}
