package vm_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const originalMAC = "BC:24:11:00:59:01"

// backedUp is a cluster with a running VM 5901 and its archive. The disk scsi1 is
// not in it.
func backedUp(t *testing.T) (sim *pvesim.Server, archive string) {
	t.Helper()
	sim = cluster(t, pvesim.Options{})
	sim.WriteFile("nodes/pve1/qemu-server/5901.conf", "agent: 1\ncores: 4\nmemory: 2048\nname: db\nnet0: virtio="+originalMAC+",bridge=vmbr0\n"+
		"scsi0: local-lvm:vm-5901-disk-0,discard=on,size=8G\nscsi1: local-lvm:vm-5901-disk-1,backup=0,size=4G\nscsihw: virtio-scsi-single\n")
	sim.AddVolume("pve1", "local-lvm:vm-5901-disk-0", 8*gib)
	sim.SetRunning(5901, true)
	form := url.Values{"vmid": {"5901"}, "storage": {"local"}, "compress": {"zstd"}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, sim.URL()+"/api2/json/nodes/pve1/vzdump", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "PVEAPIToken="+sim.Token())
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	_ = resp.Body.Close()
	sim.WaitTasks()
	for _, v := range sim.Volumes("pve1") {
		if strings.Contains(v, ":backup/") {
			archive = v
		}
	}
	sim.ResetRequests()
	return sim, archive
}

// What is declared is laid over what the archive brings; nothing else is touched.
func TestRestoredVMIsAsDeclared(t *testing.T) {
	t.Parallel()
	sim, archive := backedUp(t)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: acctest.Provider(sim) + vm(fmt.Sprintf("restore = { archive = %q, storage = \"fast\" }", archive), `name = "db-2"`, `cpu = { cores = 2 }`,
			`disks = { scsi0 = { size = "16G" } }`, `network = { net0 = { bridge = "vmbr0", tag = 7 } }`),
		ConfigPlanChecks: empty(),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.scsi0.id", "fast:vm-5001-disk-0"),
			resource.TestCheckResourceAttr("proxmox_vm.v", "volumes.scsi0.size", "16G"),
			func(*terraform.State) error {
				text, _ := sim.ReadFile("nodes/pve1/qemu-server/5001.conf")
				mac := regexp.MustCompile(`virtio=([0-9A-F:]{17})`).FindStringSubmatch(text)
				if mac == nil || strings.Contains(text, originalMAC) || !strings.Contains(text, "agent: 1") {
					t.Fatalf("the restored VM is\n%s", text)
				}
				got := acctest.Writes(sim.Requests())
				for i := range got {
					got[i] = regexp.MustCompile(`digest=\S+`).ReplaceAllString(got[i], "digest=DIGEST")
				}
				want := []string{
					"POST /nodes/pve1/qemu archive=" + archive + " storage=fast unique=1 vmid=5001",
					"PUT /nodes/pve1/qemu/5001/config cores=2 digest=DIGEST name=db-2 net0=virtio=" + mac[1] + ",bridge=vmbr0,tag=7",
					"PUT /nodes/pve1/qemu/5001/resize disk=scsi0 size=16G",
					"POST /nodes/pve1/qemu/5001/status/start",
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				return nil
			},
		),
	}}})
}

func TestRestoreOfAVMIsRefused(t *testing.T) {
	t.Parallel()
	sim, archive := backedUp(t)
	from := fmt.Sprintf("restore = { archive = %q }", archive)
	for name, tc := range map[string]struct{ config, want string }{
		"a disk that would shrink":       {vm(from, `disks = { scsi0 = { size = "2G" } }`), "scsi0 would shrink from 8G to 2G"},
		"a disk that is not in it":       {vm(from, `disks = { scsi1 = { size = "4G" } }`), "Nothing says what scsi1 is made from"},
		"the same MACs as a running one": {vm(strings.Replace(from, "{ archive", "{ unique = false, archive", 1)), "would have the MAC addresses of the running"},
		"a clone as well":                {vm(from, cloned), "A VM is made as a clone or of a backup archive, not both"},
		"the archive of a container":     {vm(`restore = { archive = "local:backup/vzdump-lxc-5001-2026_11_29-02_30_00.tar.zst" }`), "it is the archive of a container"},
		"a storage that takes no disks":  {vm(strings.Replace(from, " }", `, storage = "local" }`, 1)), "Storage local on node pve1 does not take"},
	} {
		w := acctest.NewCLI(t)
		w.Config(acctest.Provider(sim) + tc.config)
		got := w.Run("plan")
		if text := strings.Join(strings.Fields(strings.ReplaceAll(got.Out, "│", " ")), " "); got.Code == 0 || !strings.Contains(text, tc.want) {
			t.Errorf("%s: want %q, got\n%s", name, tc.want, got.Out)
		}
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("a plan wrote: %q", writes)
	}
}
