package vzdumppolicy_test

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

const address = "proxmox_vzdump_policy.p"

func policy(lines ...string) string {
	return "resource \"proxmox_vzdump_policy\" \"p\" {\n  " + strings.Join(lines, "\n  ") + "\n}\n"
}

func cluster(t *testing.T) *pvesim.Server {
	t.Helper()
	s := acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("storage.cfg", "dir: local\n\tpath /var/lib/vz\n\tcontent iso,vztmpl,backup,snippets,import\n\n"+
		"lvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n\nnfs: nas\n\texport /nas\n\tserver 192.0.2.9\n\tcontent backup\n")
	return s
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

func TestPolicyLife(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	block := acctest.Provider(s)
	known := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
	}
	acctest.Run(t, resource.TestCase{
		CheckDestroy: writes(s, "DELETE /cluster/backup/weekly"),
		Steps: []resource.TestStep{
			{
				Config: block + policy(`id = "nightly"`, `vmids = [102, 101]`, `schedule = "02:30"`, `storage = "nas"`),
				Check:  writes(s, "POST /cluster/backup enabled=1 id=nightly mailnotification=failure mode=snapshot notification-mode=auto schedule=02:30 storage=nas vmid=101,102"),
				ConfigStateChecks: []statecheck.StateCheck{
					known("mode", knownvalue.StringExact("snapshot")),
					known("compress", knownvalue.Null()),
					known("prune_backups", knownvalue.Null()),
					known("next_run", knownvalue.StringRegexp(regexp.MustCompile(`^20..-..-..T02:30:00Z$`))),
				},
			},
			{ // What others change is seen and undone; what they added elsewhere stays.
				PreConfig: func() {
					text, _ := s.ReadFile("jobs.cfg")
					s.WriteFile("jobs.cfg", strings.Replace(text, "mode snapshot", "mode stop\n\tscript /root/hook", 1))
				},
				Config: block + policy(`id = "nightly"`, `vmids = [101, 102]`, `schedule = "02:30"`, `storage = "nas"`),
				Check:  writes(s, "PUT /cluster/backup/nightly mode=snapshot"),
			},
			{
				Config: block + policy(`id = "nightly"`, `all = true`, `exclude = [101]`, `schedule = "sat 18:15"`, `storage = "nas"`, `enabled = false`, `compress = "zstd"`,
					`prune_backups = { keep_last = 3 }`, `notes_template = "{{guestname}}"`, `fleecing = { enabled = true, storage = "local-lvm" }`, `exclude_paths = ["/var/cache"]`),
				Check: writes(s, "PUT /cluster/backup/nightly all=1 compress=zstd delete=vmid enabled=0 exclude=101 exclude-path=/var/cache fleecing=enabled=1,storage=local-lvm notes-template={{guestname}} prune-backups=keep-last=3 schedule=sat 18:15 storage=nas"),
				ConfigStateChecks: []statecheck.StateCheck{
					known("next_run", knownvalue.Null()),
					known("other_options", knownvalue.MapExact(map[string]knownvalue.Check{"script": knownvalue.StringExact("/root/hook")})),
				},
			},
			{ // An option that only root@pam may set cannot move to a job with another id.
				Config:      block + policy(`id = "weekly"`, `all = true`, `schedule = "sat 18:15"`, `storage = "nas"`),
				ExpectError: spaced("Only root may set this option."),
			},
			{ // Another id: the new job is there before the old one goes.
				PreConfig: func() {
					text, _ := s.ReadFile("jobs.cfg")
					s.WriteFile("jobs.cfg", strings.Replace(text, "\tscript /root/hook\n", "", 1))
					s.ResetRequests()
				},
				Config: block + policy(`id = "weekly"`, `all = true`, `schedule = "sat 18:15"`, `storage = "nas"`),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}},
				Check: writes(s, "POST /cluster/backup all=1 enabled=1 id=weekly mailnotification=failure mode=snapshot notification-mode=auto schedule=sat 18:15 storage=nas",
					"DELETE /cluster/backup/nightly"),
			},
			{
				ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: "weekly",
			},
		},
	})
}

func TestPolicyIsRefusedAtPlan(t *testing.T) {
	t.Parallel()
	const rest = "schedule = \"02:30\"\n  storage = \"nas\""
	s := cluster(t)
	s.WriteFile("jobs.cfg", "vzdump: taken\n\tschedule 02:00\n\tall 1\n\tenabled 1\n\tstorage nas\n")
	s.StorageOffline("gone", true)
	text, _ := s.ReadFile("storage.cfg")
	s.WriteFile("storage.cfg", text+"\nnfs: gone\n\texport /g\n\tserver 192.0.2.8\n\tcontent backup\n")
	steps := []resource.TestStep{}
	for _, tc := range []struct{ lines, want string }{
		{"all = true\n  compress = \"none\"\n  " + rest, `"none" is not a value of compress: Proxmox knows "0", "gzip", "lzo", "zstd"; write "0"`},
		{"all = true\n  schedule = \"0 2 * * *\"\n  storage = \"nas\"", `it is a line of cron, and the two have nothing in common; write "02:00"`},
		{"all = true\n  schedule = \"02:30\"", "The policy has no storage for its archives"},
		{rest, "The policy selects no guest"},
		{"all = true\n  pool = \"web\"\n  " + rest, "The policy selects guests in several ways"},
		{"all = true\n  prune_backups = { keep_all = true, keep_last = 2 }\n  " + rest, "keep-last=2 cannot be set together with keep-all"},
		{"all = true\n  prune_backups = {}\n  " + rest, "a retention has to set at least one rule"},
		{"all = true\n  notes_template = \"{{name}}\"\n  " + rest, `"{{name}}" at character 1 of the notes template is not a variable`},
		{"all = true\n  fleecing = { enabled = true }\n  " + rest, "Fleecing is switched on without a storage"},
		{"all = true\n  schedule = \"02:30\"\n  storage = \"nosuch\"", "There is no storage nosuch"},
		{"all = true\n  schedule = \"02:30\"\n  storage = \"local-lvm\"", "Storage local-lvm does not take content backup"},
		{"all = true\n  schedule = \"02:30\"\n  storage = \"gone\"", "Storage gone is not reachable from node pve1"},
		{"vmids = [9000]\n  " + rest, "VMID 9000 is outside of the VMID range 5000-8999"},
	} {
		steps = append(steps, resource.TestStep{
			Config: acctest.Provider(s, `vmid_range = "5000-8999"`) + policy(tc.lines), ExpectError: spaced(tc.want), PlanOnly: true,
		})
	}
	steps = append(steps, resource.TestStep{
		Config: acctest.Provider(s) + policy(`id = "taken"`, "all = true", rest), ExpectError: spaced("There is a policy taken already"),
	})
	acctest.Run(t, resource.TestCase{Steps: steps})
	for _, line := range acctest.Writes(s.Requests()) {
		if !strings.HasPrefix(line, "POST /cluster/backup all=1 enabled=1 id=taken") {
			t.Errorf("a refused policy sent %s", line)
		}
	}
}
