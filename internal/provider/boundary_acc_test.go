package provider_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// flat is a text with every run of white space and of Terraform's frame as one
// space: sentences do not depend on the width of the window.
func flat(s string) string { return strings.Join(strings.FieldsFunc(s, framed), " ") }

func framed(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '│' || r == '╷' || r == '╵'
}

// expect complains unless the command failed with the sentence.
func expect(t *testing.T, r acctest.Result, sentence string) {
	t.Helper()
	if r.Code == 0 || !strings.Contains(flat(r.Out), sentence) {
		t.Errorf("ended with %d, want the sentence %q in\n%s", r.Code, sentence, r.Out)
	}
}

const oneContainer = `
resource "proxmox_container" "c" {
  node       = "pve1"
  vmid       = 5001
  ostemplate = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
  started    = false
  rootfs     = { storage = "local-lvm", size = "1G" }
}
`

// theGuest matches requests about one guest.
var theGuest = regexp.MustCompile(`/(lxc|qemu)/\d+`)

func TestAGuestOutsideOfTheBoundaryIsNotTouchedAndItsStateIsKept(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	cli := acctest.NewCLI(t)
	cli.Config(acctest.Provider(s, `vmid_range = "5000-8999"`) + oneContainer)
	cli.Must("apply", "-auto-approve")
	before := cli.Must("state", "pull")

	const outside = "VMID 5001 is outside of the VMID range 6000-8999 (from the provider's vmid_range): what is outside is not touched and not read. Nothing has been changed."
	narrow := acctest.Provider(s, `vmid_range = "6000-8999"`)
	cli.Config(narrow + oneContainer)
	s.ResetRequests()
	for _, args := range [][]string{
		{"plan"}, {"plan", "-refresh=false"}, {"apply", "-auto-approve"}, {"apply", "-auto-approve", "-refresh-only"},
		{"destroy", "-auto-approve"}, {"destroy", "-auto-approve", "-refresh=false"},
		{"apply", "-auto-approve", "-refresh=false", "-replace=proxmox_container.c"},
	} {
		t.Log(args)
		expect(t, cli.Run(args...), outside)
	}
	cli.Config(narrow + strings.Replace(oneContainer, "vmid ", "hostname = \"other\"\n  vmid ", 1))
	expect(t, cli.Run("apply", "-auto-approve", "-refresh=false"), outside)
	cli.Config(narrow)
	expect(t, cli.Run("apply", "-auto-approve"), outside)
	cli.Config(narrow + strings.Replace(oneContainer, `"c"`, `"d"`, 1))
	expect(t, cli.Run("import", "proxmox_container.d", "5001"), outside)
	expect(t, cli.Run("import", "proxmox_container.d", "pve1/5001"), outside)

	for _, line := range acctest.Lines(s.Requests()) {
		if theGuest.MatchString(line) || !strings.HasPrefix(line, "GET ") {
			t.Errorf("sent: %s", line)
		}
	}
	if after := cli.Must("state", "pull"); after != before {
		t.Errorf("the state became\n%s", after)
	}
}

func TestAnUnreadableBoundaryLetsNobodyIn(t *testing.T) {
	t.Parallel()
	const nobody = " cannot be read, and a boundary that cannot be read lets nobody in: "
	for name, tc := range map[string]struct{ line, variable, sentence string }{
		"one number": {line: `vmid_range = "5000"`, sentence: `The VMID range "5000" (from the provider's vmid_range)` + nobody + `"5000" is not a VMID range`},
		"in reverse": {line: `vmid_range = "9000-5000"`, sentence: `The VMID range "9000-5000" (from the provider's vmid_range)` + nobody + `the range ends at 5000, before it starts at 9000.`},
		"empty":      {line: `vmid_range = ""`, sentence: `The VMID range "" (from the provider's vmid_range)` + nobody + `an empty text is not a VMID range`},
		"out of bounds": {line: `vmid_range = "50-8999"`,
			sentence: `The VMID range "50-8999" (from the provider's vmid_range)` + nobody + `50 is not a VMID: VMIDs go from 100 to 999999999, without leading zeros.`},
		"unknown at plan": {line: `vmid_range = terraform_data.later.output`,
			sentence: `The VMID range (from the provider's vmid_range) is not known before apply, and a boundary that cannot be read lets nobody in.`},
		"a word from the environment": {variable: "abc",
			sentence: `The VMID range "abc" (from the environment variable PROXMOX_VE_VMID_RANGE)` + nobody + `"abc" is not a VMID range`},
		"an environment variable set to nothing": {variable: " ",
			sentence: `The VMID range "" (from the environment variable PROXMOX_VE_VMID_RANGE)` + nobody + `an empty text is not a VMID range`},
		"an unreadable configuration beside a good environment": {line: `vmid_range = "abc"`, variable: "5000-8999",
			sentence: `The VMID range "abc" (from the provider's vmid_range)` + nobody},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.Cluster(t, pvesim.Options{})
			cli := acctest.NewCLI(t)
			if tc.variable != "" {
				cli.Setenv("PROXMOX_VE_VMID_RANGE", strings.TrimSpace(tc.variable))
			}
			cli.Config(acctest.Provider(s, tc.line) + "resource \"terraform_data\" \"later\" { input = \"5000-8999\" }\n" +
				oneContainer + strings.ReplaceAll(strings.Replace(oneContainer, "  vmid       = 5001\n", "", 1), `"c"`, `"numberless"`) +
				manyRange(5100, 5109, `"web"`))
			for _, args := range [][]string{{"plan"}, {"import", "proxmox_container.c", "5001"}, {"import", "proxmox_vmid_range.team", "5100-5109"}} {
				if tc.line != "" && strings.Contains(tc.line, "later") && args[0] == "import" {
					continue // Terraform itself refuses to import with an unknown provider block
				}
				expect(t, cli.Run(args...), tc.sentence)
			}
			if sent := acctest.Lines(s.Requests()); len(sent) != 0 {
				t.Errorf("sent: %q", sent)
			}
		})
	}
}

func TestTheConfiguredBoundaryWinsOverTheEnvironment(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	cli := acctest.NewCLI(t)
	cli.Setenv("PROXMOX_VE_VMID_RANGE", "100-200")
	cli.Config(acctest.Provider(s, `vmid_range = "5000-8999"`) + oneContainer)
	cli.Must("plan")
	cli.Config(acctest.Provider(s) + oneContainer)
	expect(t, cli.Run("plan"), "VMID 5001 is outside of the VMID range 100-200 (from the environment variable PROXMOX_VE_VMID_RANGE)")
}
