package container_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const originalMAC = "02:00:00:00:50:01"

// backedUp is a cluster with a running container 5001 and its archive.
func backedUp(t *testing.T) (sim *pvesim.Server, archive string) {
	t.Helper()
	sim = acctest.Cluster(t, pvesim.Options{})
	sim.WriteFile("nodes/pve1/lxc/5001.conf", "arch: amd64\ncores: 4\nhostname: web\nmemory: 2048\nonboot: 1\nostype: debian\n"+
		"mp0: local-lvm:vm-5001-disk-1,mp=/srv,backup=1,size=8G\nmp1: local-lvm:vm-5001-disk-2,mp=/scratch,size=2G\n"+
		"net0: name=eth0,bridge=vmbr0,hwaddr="+originalMAC+",ip=dhcp,type=veth\nnet1: name=eth1,bridge=vmbr0,hwaddr=02:00:00:00:50:02,type=veth\n"+
		"rootfs: local-lvm:vm-5001-disk-0,size=4G\nswap: 512\nunprivileged: 1\n")
	sim.SetRunning(5001, true)
	form := url.Values{"vmid": {"5001"}, "storage": {"local"}, "compress": {"zstd"}}
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

func fromArchive(archive, vmid string, lines ...string) string {
	return fmt.Sprintf("resource \"proxmox_container\" \"c\" {\n  node = \"pve1\"\n  vmid = %s\n  rootfs = { storage = \"local-lvm\", size = \"4G\" }\n  restore = { archive = %q }\n  %s\n}\n",
		vmid, archive, strings.Join(lines, "\n  "))
}

const (
	ownVolume = `mount_points = { mp0 = { path = "/srv", storage = "local-lvm", size = "8G", backup = true } }`
	oneDevice = `network = { net0 = { name = "eth0", bridge = "vmbr0", ip = "dhcp", tag = 7 } }`
)

// Data comes from the archive; everything else is as declared, beside a running
// original of which no MAC address comes along.
func TestRestoredContainerIsAsDeclared(t *testing.T) {
	t.Parallel()
	sim, archive := backedUp(t)
	config := acctest.Provider(sim) + fromArchive(archive, "5101", ownVolume, oneDevice, `cpu = { cores = 2 }`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config:           config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			Check: func(*terraform.State) error {
				text, _ := sim.ReadFile("nodes/pve1/lxc/5101.conf")
				mac := regexp.MustCompile(`hwaddr=([0-9A-F:]{17})`).FindStringSubmatch(text)
				if mac == nil || strings.Contains(text, originalMAC) {
					t.Fatalf("the restored container has no MAC address of its own:\n%s", text)
				}
				want := []string{
					"POST /nodes/pve1/lxc mp0=local-lvm:8,mp=/srv,backup=1 ostemplate=" + archive + " restore=1 rootfs=local-lvm:4 unique=1 unprivileged=1 vmid=5101",
					"PUT /nodes/pve1/lxc/5101/config cores=2 delete=hostname,net1,onboot digest=DIGEST memory=512 net0=name=eth0,bridge=vmbr0,hwaddr=" + mac[1] + ",ip=dhcp,tag=7,type=veth swap=0",
					"POST /nodes/pve1/lxc/5101/status/start",
				}
				got := acctest.Writes(sim.Requests())
				for i := range got {
					got[i] = regexp.MustCompile(`digest=\S+`).ReplaceAllString(got[i], "digest=DIGEST")
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				return nil
			},
		},
		{ // an archive that this apply would make after the container was destroyed
			Config: strings.Replace(config, fmt.Sprintf("%q", archive), "terraform_data.later.output", 1) +
				fmt.Sprintf("resource \"terraform_data\" \"later\" {\n  input = %q\n}\n", archive),
			PlanOnly:    true,
			ExpectError: regexp.MustCompile(`destroyed\s+for\s+an\s+archive\s+that\s+is\s+not\s+there\s+yet`),
		},
		{ // the archive has done its work
			PreConfig: func() { sim.RemoveVolume("pve1", archive) },
			Config:    config, PlanOnly: true,
		},
	}})
}

func TestRestoreIsRefused(t *testing.T) {
	t.Parallel()
	sim, archive := backedUp(t)
	sim.AddVolume("pve1", "local:backup/vzdump-lxc-101-2026_11_29-02_30_00.tar.zst", 1<<20)
	other := strings.Replace(archive, "lxc-5001", "qemu-5001", 1)
	for name, tc := range map[string]struct{ config, want string }{
		"data without a volume":           {fromArchive(archive, "5101"), "The data of the archive at /srv would get no volume of its own"},
		"data into somebody else's":       {fromArchive(archive, "5101", `mount_points = { mp3 = { path = "/srv/", volume = "local-lvm:vm-5003-disk-0" } }`), "The data of the archive at /srv would be written into what is mounted there"},
		"the same MACs as a running one":  {strings.Replace(fromArchive(archive, "5101", ownVolume), "{ archive", "{ unique = false, archive", 1), "would have the MAC addresses of the running"},
		"a template as well":              {fromArchive(archive, "5101", ownVolume, `ostemplate = "`+template+`"`), "A container is made of a template or of a backup archive, not of both"},
		"the archive of a VM":             {fromArchive(strings.Replace(other, ".tar.", ".vma.", 1), "5101", ownVolume), "it is the archive of a VM"},
		"an archive outside of the range": {fromArchive("local:backup/vzdump-lxc-101-2026_11_29-02_30_00.tar.zst", "5101"), "cannot be restored"},
		"no archive":                      {fromArchive("local:backup/vzdump-lxc-5001-2020_01_01-00_00_00.tar.zst", "5101"), "There is no archive"},
	} {
		w := acctest.NewCLI(t)
		w.Config(acctest.Provider(sim, `vmid_range = "5000-8999"`) + tc.config)
		got := w.Run("plan")
		if text := strings.Join(strings.Fields(strings.ReplaceAll(got.Out, "│", " ")), " "); got.Code == 0 || !strings.Contains(text, tc.want) {
			t.Errorf("%s: want %q, got\n%s", name, tc.want, got.Out)
		}
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("a plan wrote: %q", writes)
	}
}
