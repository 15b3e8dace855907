package snapshot_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

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

func snapshot(vmid int, lines ...string) string {
	return fmt.Sprintf("resource \"proxmox_snapshot\" \"s\" {\n  vmid = %d\n  name = \"before\"\n  %s\n}\n", vmid, strings.Join(lines, "\n  "))
}

func TestSnapshotLife(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("nodes/pve1/lxc/5001.conf", "arch: amd64\nhostname: web\nmemory: 512\nrootfs: local-lvm:vm-5001-disk-0,size=4G\nunprivileged: 1\n")
	s.WriteFile("nodes/pve1/lxc/5002.conf", "arch: amd64\nhostname: raw\nmemory: 512\nrootfs: files:5002/vm-5002-disk-0.raw,size=4G\nunprivileged: 1\n")
	text, _ := s.ReadFile("storage.cfg")
	s.WriteFile("storage.cfg", text+"\ndir: files\n\tpath /srv\n\tcontent rootdir,images\n")
	block := acctest.Provider(s)
	acctest.Run(t, resource.TestCase{
		CheckDestroy: writes(s, "DELETE /nodes/pve1/lxc/5001/snapshot/before"),
		Steps: []resource.TestStep{
			{
				Config: block + snapshot(5001, `description = "one"`),
				Check:  writes(s, "POST /nodes/pve1/lxc/5001/snapshot description=one snapname=before"),
			},
			{
				Config: block + snapshot(5001, `description = "two"`),
				Check:  writes(s, "PUT /nodes/pve1/lxc/5001/snapshot/before/config description=two"),
			},
			{ResourceName: "proxmox_snapshot.s", ImportState: true, ImportStateId: "5001/before", ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: "name"},
			{ // Refused where the storage has no snapshots, before anything is sent.
				Config:   block + snapshot(5001, `description = "two"`) + strings.Replace(snapshot(5002), `"s"`, `"raw"`, 1),
				PlanOnly: true, ExpectError: regexp.MustCompile(`Guest 5002 cannot have snapshots`),
			},
			{ // Report 31: the exit status of the task is the result, and nothing stands in the state.
				PreConfig:   func() { s.Lock(5001, "backup") },
				Config:      block + snapshot(5001, `description = "two"`) + strings.ReplaceAll(strings.Replace(snapshot(5001), `"s"`, `"locked"`, 1), `"before"`, `"second"`),
				ExpectError: regexp.MustCompile(`(?s)Snapshot second of guest 5001 was not taken.*locked\s+\(backup\)`),
			},
			{
				PreConfig: func() { s.Lock(5001, ""); s.ResetRequests() },
				Config:    block + snapshot(5001, `description = "two"`),
				Check:     writes(s),
			},
		},
	})
}
