package backup_test

import (
	"fmt"
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

const address = "proxmox_backup.b"

func cluster(t *testing.T) *pvesim.Server {
	t.Helper()
	s := acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("nodes/pve1/lxc/5001.conf", "arch: amd64\nhostname: web\nmemory: 512\nrootfs: local-lvm:vm-5001-disk-0,size=4G\n"+
		"mp0: local-lvm:vm-5001-disk-1,mp=/data,backup=1,size=8G\nmp1: local-lvm:vm-5001-disk-2,mp=/scratch,size=2G\nunprivileged: 1\n")
	s.SetRunning(5001, true)
	return s
}

func backup(lines ...string) string {
	return "resource \"proxmox_backup\" \"b\" {\n  vmid = 5001\n  storage = \"local\"\n  " + strings.Join(lines, "\n  ") + "\n}\n"
}

func known(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

var archiveName = regexp.MustCompile(`^local:backup/vzdump-lxc-5001-.*\.tar\.zst$`)

// dated takes the date out of an archive's name.
var dated = regexp.MustCompile(`\d{4}_\d\d_\d\d-\d\d_\d\d_\d\d`)

// writes checks the requests since the last check that change something.
func writes(s *pvesim.Server, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		var got []string
		for _, line := range acctest.Writes(s.Requests()) {
			got = append(got, dated.ReplaceAllString(line, "DATE"))
		}
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

const content = "/nodes/pve1/storage/local/content/local:backup/vzdump-lxc-5001-DATE.tar.zst"

func TestBackupLife(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	block := acctest.Provider(s)
	acctest.Run(t, resource.TestCase{
		CheckDestroy: writes(s, "DELETE "+content),
		Steps: []resource.TestStep{
			{
				Config: block + backup(`compress = "zstd"`),
				Check:  writes(s, "POST /nodes/pve1/vzdump compress=zstd mode=snapshot storage=local vmid=5001"),
				ConfigStateChecks: []statecheck.StateCheck{
					known("state", knownvalue.StringExact("done")),
					known("volume_id", knownvalue.StringRegexp(archiveName)),
					known("consistency", knownvalue.StringExact("crash_consistent")),
					known("contains", knownvalue.MapExact(map[string]knownvalue.Check{"rootfs": knownvalue.StringExact("/"), "mp0": knownvalue.StringExact("/data")})),
					known("excluded", knownvalue.MapExact(map[string]knownvalue.Check{"mp1": knownvalue.StringExact("disabled")})),
					known("kind", knownvalue.StringExact("lxc")),
					known("size", knownvalue.NotNull()),
					known("protected", knownvalue.Bool(false)),
				},
			},
			{
				Config: block + backup(`compress = "zstd"`, `protected = true`, `notes = "before\nthe upgrade"`),
				Check:  writes(s, "PUT "+content+" notes=before\nthe upgrade protected=1"),
			},
			{ // A protected archive refuses to go, by a destroy and by a replacement.
				Config:  block + backup(`compress = "zstd"`, `protected = true`, `notes = "before\nthe upgrade"`),
				Destroy: true, ExpectError: spaced("is protected"),
			},
			{
				Config:      block + backup(`compress = "gzip"`, `protected = true`),
				ExpectError: spaced("is protected"),
			},
			{
				Config: block + backup(`compress = "zstd"`),
				Check:  writes(s, "PUT "+content+" notes= protected=0"),
			},
		},
	})
	if left := slices.DeleteFunc(s.Volumes("pve1"), func(v string) bool { return !strings.Contains(v, ":backup/") }); len(left) > 0 {
		t.Errorf("left on the storage: %v", left)
	}
}

// A backup longer than the time-out: one task, the state says running, and the
// next refresh settles it.
func TestABackupThatOutlivesTheWait(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	s.HoldTasks("vzdump")
	config := acctest.Provider(s) + backup(`compress = "zstd"`, `keep_on_destroy = true`, `timeouts = { create = "1s" }`)
	once := writes(s, "POST /nodes/pve1/vzdump compress=zstd mode=snapshot storage=local vmid=5001")
	acctest.Run(t, resource.TestCase{
		CheckDestroy: writes(s), // keep_on_destroy: nothing is removed
		Steps: []resource.TestStep{
			{
				Config:            config,
				Check:             once,
				ConfigStateChecks: []statecheck.StateCheck{known("state", knownvalue.StringExact("running")), known("volume_id", knownvalue.Null())},
			},
			{ // Still running: nothing is planned.
				Config:           config,
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
			{
				PreConfig: func() { s.ReleaseTasks(); s.WaitTasks() },
				Config:    config,
				Check:     writes(s),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)}},
				ConfigStateChecks: []statecheck.StateCheck{
					known("state", knownvalue.StringExact("done")),
					known("volume_id", knownvalue.StringRegexp(archiveName)),
					known("consistency", knownvalue.StringExact("crash_consistent")),
				},
			},
			{ // An archive that somebody else removed is made anew.
				PreConfig: func() {
					for _, v := range s.Volumes("pve1") {
						if archiveName.MatchString(v) {
							s.RemoveVolume("pve1", v)
						}
					}
				},
				Config: config, PlanOnly: true, ExpectNonEmptyPlan: true,
			},
		},
	})
}

func TestBackupIsRefused(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	s.Lock(5001, "migrate")
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: acctest.Provider(s, `vmid_range = "6000-6999"`) + backup(), ExpectError: spaced("VMID 5001 is outside of the VMID range 6000-6999"), PlanOnly: true},
		{Config: acctest.Provider(s) + strings.Replace(backup(), `"local"`, `"local-lvm"`, 1), ExpectError: spaced("Storage local-lvm does not take content backup"), PlanOnly: true},
		{Config: acctest.Provider(s) + backup(`compress = "none"`), ExpectError: spaced(`write "0"`), PlanOnly: true},
		{Config: acctest.Provider(s) + backup(`notes = "{{vmid}}"`), ExpectError: spaced("begins a variable, and these notes are literal"), PlanOnly: true},
		// A task that fails leaves nothing in the state, and the error has the log's reason.
		{Config: acctest.Provider(s) + backup(), ExpectError: spaced("Proxmox says: CT is locked (migrate). No archive was made.")},
		{Config: acctest.Provider(s) + backup(), PlanOnly: true, ExpectNonEmptyPlan: true},
	}})
}
