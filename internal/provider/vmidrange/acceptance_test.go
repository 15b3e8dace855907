package vmidrange_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// spaced lets an expected sentence match however Terraform wrapped it.
func spaced(sentence string) *regexp.Regexp {
	words := strings.Fields(sentence)
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	return regexp.MustCompile(strings.Join(words, `[\s│]+`))
}

func container(s *pvesim.Server, node string, vmid int, more string) {
	s.WriteFile(fmt.Sprintf("nodes/%s/lxc/%d.conf", node, vmid), fmt.Sprintf("arch: amd64\nhostname: guest-%d\nmemory: 512\nrootfs: local-lvm:vm-%d-disk-0,size=4G\n%s", vmid, vmid, more))
}

const address = "proxmox_vmid_range.team"

func rangeBlock(start, end int, names ...string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return fmt.Sprintf("resource \"proxmox_vmid_range\" \"team\" {\n  start = %d\n  end = %d\n  reserve = [%s]\n}\n", start, end, strings.Join(quoted, ", "))
}

func numbers(pairs map[string]int64) knownvalue.Check {
	all := map[string]knownvalue.Check{}
	for name, id := range pairs {
		all[name] = knownvalue.Int64Exact(id)
	}
	return knownvalue.MapExact(all)
}

func state(attribute string, want knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), want)
}

func planned(attribute string, want knownvalue.Check) plancheck.PlanCheck {
	return plancheck.ExpectKnownValue(address, tfjsonpath.New(attribute), want)
}

func TestRangeLife(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	container(s, "pve1", 5000, "")
	container(s, "pve2", 5002, "")
	s.WriteFile("nodes/pve2/qemu-server/5004.conf", "name: db\nmemory: 512\n")
	block := acctest.Provider(s, `vmid_range = "5000-8999"`)
	acctest.Run(t, resource.TestCase{
		Steps: []resource.TestStep{
			{ // The first numbers are unknown in the plan and lowest free after apply.
				Config: block + rangeBlock(5000, 5009, "web", "db"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue(address, tfjsonpath.New("vmids"))}},
				ConfigStateChecks: []statecheck.StateCheck{
					state("vmids", numbers(map[string]int64{"db": 5001, "web": 5003})),
					state("retired", knownvalue.StringExact("")),
					state("used", knownvalue.StringExact("5000,5002,5004")),
					state("free", knownvalue.Int64Exact(5)),
				},
			},
			{ // A new name is known in the plan; a name that goes retires its number; both in place.
				PreConfig: func() { container(s, "pve1", 5005, "") },
				Config:    block + rangeBlock(5000, 5009, "web", "cache"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
					planned("vmids", numbers(map[string]int64{"web": 5003, "cache": 5006})),
					planned("retired", knownvalue.StringExact("5001")),
					planned("used", knownvalue.StringExact("5000,5002,5004-5005")),
					planned("free", knownvalue.Int64Exact(3)),
				}},
			},
			{ // The name comes back and gets another number; the range grows in place at both ends.
				PreConfig: func() { container(s, "pve1", 4999, ""); container(s, "pve1", 5010, "") },
				Config:    strings.Replace(block, "5000-8999", "4000-8999", 1) + rangeBlock(4998, 5012, "web", "cache", "db", "mail"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
					planned("vmids", numbers(map[string]int64{"web": 5003, "cache": 5006, "db": 4998, "mail": 5007})),
					planned("retired", knownvalue.StringExact("5001")),
					planned("used", knownvalue.StringExact("4999-5000,5002,5004-5005,5010")),
				}},
			},
			{ // Shrinking below a reserved number is refused and names it.
				Config:      strings.Replace(block, "5000-8999", "4000-8999", 1) + rangeBlock(5000, 5006, "web", "cache", "db", "mail"),
				ExpectError: spaced(`The range 5000-5006 would leave out 4998 (reserved for "db"), 5007 (reserved for "mail")`),
			},
			{ // A guest that comes changes used and free, and no plan.
				PreConfig: func() { container(s, "pve1", 5011, "") },
				Config:    strings.Replace(block, "5000-8999", "4000-8999", 1) + rangeBlock(4998, 5012, "web", "cache", "db", "mail"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectEmptyPlan()}},
				ConfigStateChecks: []statecheck.StateCheck{
					state("used", knownvalue.StringExact("4999-5000,5002,5004-5005,5010-5011")),
				},
			},
		},
	})
	for _, r := range s.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("a range wrote to the cluster: %s %s", r.Method, r.Path)
		}
		if strings.Contains(r.Path, "/lxc/") || strings.Contains(r.Path, "/qemu/") {
			t.Errorf("a range asked about a single guest: %s %s", r.Method, r.Path)
		}
	}
}

// refused runs one plan that must fail with the sentence.
func refused(t *testing.T, s *pvesim.Server, config, sentence string) {
	t.Helper()
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{Config: config, PlanOnly: true, ExpectError: spaced(sentence)}}})
}

func TestRangeRefusals(t *testing.T) {
	t.Parallel()
	const within = `vmid_range = "5000-8999"`
	second := "resource \"proxmox_vmid_range\" \"other\" {\n  start = 5005\n  end = 5020\n  reserve = [\"web\"]\n}\n"
	for name, tc := range map[string]struct {
		lines, config, sentence string
		before                  func(*pvesim.Server)
	}{
		"a range outside of the boundary": {lines: within, config: rangeBlock(4000, 5009),
			sentence: "The range 4000-5009 is not within the VMID range 5000-8999 (from the provider's vmid_range): numbers outside of it are not ours to give."},
		"a range in reverse": {lines: within, config: rangeBlock(5009, 5000), sentence: "The range ends at 5000, before it starts at 5009"},
		"a number that is no VMID": {lines: within, config: rangeBlock(99, 5000),
			sentence: "start cannot be 99"},
		"more names than numbers": {lines: within, config: rangeBlock(5000, 5001, "a", "b", "c"),
			sentence: `This range is full, from 5000 to 5001`},
		"full by what the cluster holds": {lines: within, config: rangeBlock(5000, 5001, "a", "b"),
			before:   func(s *pvesim.Server) { container(s, "pve2", 5001, "") },
			sentence: `No number is left for "b": 1 of 2 are in use on the cluster or were given out before`},
		"a range with a template": {lines: within, config: rangeBlock(5000, 5009),
			before:   func(s *pvesim.Server) { container(s, "pve1", 5003, "template: 1\n") },
			sentence: `The range 5000-5009 contains a template: VMID 5003`},
		"two ranges that overlap": {lines: within, config: rangeBlock(5000, 5009, "web") + second,
			sentence: `of the same configuration`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.Cluster(t, pvesim.Options{})
			if tc.before != nil {
				tc.before(s)
			}
			refused(t, s, acctest.Provider(s, tc.lines)+tc.config, tc.sentence)
		})
	}
}

func TestAnUnreadableBoundarySendsNothing(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ line, sentence string }{
		"one number": {`vmid_range = "5000"`, `The VMID range "5000" (from the provider's vmid_range) cannot be read, and a boundary that cannot be read lets nobody in: "5000" is not a VMID range`},
		"in reverse": {`vmid_range = "9000-5000"`, `the range ends at 5000, before it starts at 9000`},
		"a word":     {`vmid_range = "abc"`, `"abc" is not a VMID range`},
		"empty":      {`vmid_range = ""`, `an empty text is not a VMID range`},
		"too low":    {`vmid_range = "99-8999"`, `99 is not a VMID`},
		"unknown":    {`vmid_range = terraform_data.later.output`, `The VMID range (from the provider's vmid_range) is not known before apply, and a boundary that cannot be read lets nobody in.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.Cluster(t, pvesim.Options{})
			t.Cleanup(func() {
				if sent := acctest.Lines(s.Requests()); len(sent) > 0 {
					t.Errorf("the cluster was asked: %q", sent)
				}
			})
			refused(t, s, acctest.Provider(s, tc.line)+`resource "terraform_data" "later" { input = "5000-8999" }
`+rangeBlock(5000, 5009, "web"), tc.sentence)
		})
	}
}

func TestANumberTakenBetweenPlanAndApplyIsRefused(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	config := acctest.Provider(s, `vmid_range = "5000-8999"`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config + rangeBlock(5000, 5009, "web")},
		{ // The plan lists the guests once, the apply once more to plan again, and then the update looks.
			PreConfig: func() {
				s.Hook("GET", "/cluster/resources", func() {
					s.Hook("GET", "/cluster/resources", func() {
						s.Hook("GET", "/cluster/resources", func() { container(s, "pve2", 5001, "") })
					})
				})
			},
			Config:      config + rangeBlock(5000, 5009, "web", "db"),
			ExpectError: spaced(`VMID 5001 was planned for "db" and is taken now`),
		},
		{
			Config:            config + rangeBlock(5000, 5009, "web", "db"),
			ConfigStateChecks: []statecheck.StateCheck{state("vmids", numbers(map[string]int64{"web": 5000, "db": 5002}))},
		},
	}})
}

func TestLeftoversCountAsTaken(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	s.AddVolume("pve1", "local-lvm:vm-5000-disk-0", 1<<30)
	s.AddVolume("pve2", "local:backup/vzdump-lxc-5002-2026_11_29-12_00_00.tar.zst", 1<<20)
	config := acctest.Provider(s, `vmid_range = "5000-8999"`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: config + rangeBlock(5000, 5009, "web", "db"),
		ConfigStateChecks: []statecheck.StateCheck{
			state("vmids", numbers(map[string]int64{"db": 5001, "web": 5003})),
			state("used", knownvalue.StringExact("5000,5002")),
		},
	}}})
}

func TestARangeIsNotReplaced(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	config := acctest.Provider(s, `vmid_range = "5000-8999"`) + rangeBlock(5000, 5009, "web")
	trigger := func(input string) string {
		return strings.Replace(config, "  reserve", "  lifecycle {\n    replace_triggered_by = [terraform_data.t]\n  }\n  reserve", 1) +
			fmt.Sprintf("resource \"terraform_data\" \"t\" { input = %q }\n", input)
	}
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: trigger("a")},
		{Config: trigger("b"), ExpectError: spaced("The range 5000-5009 cannot be replaced")},
		{Config: trigger("a"), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
	}})
}

func TestNamesOfAnExistingRangeAreKnownAtPlan(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	config := acctest.Provider(s, `vmid_range = "5000-8999"`)
	later := "resource \"terraform_data\" \"later\" { input = \"db\" }\n"
	unknown := strings.Replace(rangeBlock(5000, 5009, "web"), `"web"`, `"web", terraform_data.later.output`, 1)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config + rangeBlock(5000, 5009, "web")},
		{Config: config + later + unknown, ExpectError: spaced("The numbers of the range 5000-5009 would not be known before apply")},
	}})
}

func TestImportRestoresALedger(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	config := acctest.Provider(s, `vmid_range = "5000-8999"`)
	imported := "import {\n  to = " + address + "\n  id = \"5000-5009,web=5001,db=5004,5000,5002-5003\"\n}\n"
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: config + imported + rangeBlock(5000, 5009, "web", "db", "new"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				planned("vmids", numbers(map[string]int64{"web": 5001, "db": 5004, "new": 5005})),
				planned("retired", knownvalue.StringExact("5000,5002-5003")),
			}},
		},
	}})
}

func TestWhatIsUnseenIsNotGone(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	s.AddVolume("pve2", "local-lvm:vm-5000-disk-0", 1<<30)
	config := acctest.Provider(s, `vmid_range = "5000-8999"`)
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config:            config + rangeBlock(5000, 5009),
			ConfigStateChecks: []statecheck.StateCheck{state("used", knownvalue.StringExact("5000"))},
		},
		{
			PreConfig: func() { s.NodeDown("pve2") },
			Config:    config + rangeBlock(5000, 5009, "a"),
			ConfigStateChecks: []statecheck.StateCheck{
				state("used", knownvalue.StringExact("5000")),
				state("vmids", numbers(map[string]int64{"a": 5001})),
			},
		},
	}})
}
