package container_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const (
	okRootfs = `rootfs = { storage = "local-lvm", size = "8G" }`
	okHead   = `node = "pve1"
  vmid = 5001
  ostemplate = "` + template + `"`
)

// badInputs are refused at validate or plan, at the line of the attribute.
var badInputs = map[string]struct {
	body string
	want string // of the error, with white space made single
	line string // of the configuration that is shown; Terraform shows that of top-level attributes only
}{
	"a size without a unit":       {okHead + "\n" + `rootfs = { storage = "local-lvm", size = "8" }`, `rootfs.size cannot be "8" .* [Tt]he size "8" has no unit`, ""},
	"a size in other units":       {okHead + "\n" + `rootfs = { storage = "local-lvm", size = "8GB" }`, `"8GB" is not a size`, ""},
	"a size that would be cut":    {okHead + "\n" + `rootfs = { storage = "local-lvm", size = "1500K" }`, `not a whole number of MiB`, ""},
	"VMID 99":                     {"node = \"pve1\"\nvmid = 99\nostemplate = \"" + template + "\"\n" + okRootfs, `vmid.* must be between 100 and 999999999|99`, "vmid = 99"},
	"a VMID outside of the range": {"node = \"pve1\"\nvmid = 9000\nostemplate = \"" + template + "\"\n" + okRootfs, `VMID 9000 is outside of the VMID range 5000-8999`, "vmid = 9000"},
	"an unknown storage":          {okHead + "\n" + `rootfs = { storage = "nowhere", size = "8G" }`, `There is no storage nowhere on node pve1`, ""},
	"a storage without rootdir":   {okHead + "\n" + `rootfs = { storage = "local", size = "8G" }`, `Storage local on node pve1 does not take containers`, ""},
	"a template that is missing": {"node = \"pve1\"\nvmid = 5001\nostemplate = \"local:vztmpl/none.tar.zst\"\n" + okRootfs,
		`The template local:vztmpl/none.tar.zst is not on node pve1`, "ostemplate ="},
	"no template":               {"node = \"pve1\"\nvmid = 5001\n" + okRootfs, `A container cannot be created without ostemplate`, ""},
	"no root disk":              {okHead, `A container cannot be created without rootfs`, ""},
	"no node":                   {"vmid = 5001\nostemplate = \"" + template + "\"\n" + okRootfs, `A container cannot be created without node`, ""},
	"an address without prefix": {okHead + "\n" + okRootfs + "\n" + `network = { net0 = { name = "eth0", ip = "192.0.2.10" } }`, `cannot be "192.0.2.10" .* It must be an IPv4 address with its prefix`, ""},
	"an IPv6 address in ip":     {okHead + "\n" + okRootfs + "\n" + `network = { net0 = { name = "eth0", ip = "2001:db8::1/64" } }`, `cannot be "2001:db8::1/64"`, ""},
	"one MAC address twice": {okHead + "\n" + okRootfs + "\n" + `network = { net0 = { name = "eth0", hwaddr = "BC:24:11:00:00:01" }, net1 = { name = "eth1", hwaddr = "bc:24:11:00:00:01" } }`,
		`net0 and net1 have the same MAC address BC:24:11:00:00:01`, ""},
	"one interface name twice":      {okHead + "\n" + okRootfs + "\n" + `network = { net0 = { name = "eth0" }, net1 = { name = "eth0" } }`, `net0 and net1 are both called eth0`, ""},
	"a mount point without path":    {okHead + "\n" + okRootfs + "\n" + `mount_points = { mp0 = { storage = "local-lvm", size = "1G" } }`, `attribute "path" is required`, ""},
	"a mount point without what":    {okHead + "\n" + okRootfs + "\n" + `mount_points = { mp0 = { path = "/srv" } }`, `mp0 says where it is mounted but not what`, ""},
	"a path of the node and a size": {okHead + "\n" + okRootfs + "\n" + `mount_points = { mp0 = { path = "/srv", volume = "/tank", size = "1G" } }`, `mp0 names an existing volume or path and asks for a new volume as well`, ""},
	"one path twice":                {okHead + "\n" + okRootfs + "\n" + `mount_points = { mp0 = { path = "/srv", storage = "local-lvm", size = "1G" }, mp1 = { path = "/srv/", storage = "local-lvm", size = "1G" } }`, `mp0 and mp1 are both mounted at /srv`, ""},
	"a key that Proxmox lacks":      {okHead + "\n" + okRootfs + "\n" + `mount_points = { mp256 = { path = "/srv", storage = "local-lvm", size = "1G" } }`, `one of the keys mp0 to mp255`, ""},
	"a directory of the node with a token": {okHead + "\n" + okRootfs + "\n" + `mount_points = { mp0 = { path = "/srv", volume = "/tank" } }`,
		`The directory or device of the node at mp0 can only be set by root@pam .* The provider acts as root@pam!terraform`, ""},
	"a device with a token":        {okHead + "\n" + okRootfs + "\n" + `devices = { dev0 = { path = "/dev/net/tun" } }`, `The device dev0 can only be set by root@pam`, ""},
	"a hook script with a token":   {okHead + "\n" + okRootfs + "\n" + `hookscript = "local:snippets/x.pl"`, `The hook script can only be set by root@pam`, "hookscript ="},
	"keyctl with a token":          {okHead + "\n" + okRootfs + "\n" + `features = { keyctl = true }`, `The feature keyctl can only be set by root@pam`, ""},
	"nesting privileged, a token":  {okHead + "\n" + okRootfs + "\nunprivileged = false\n" + `features = { nesting = true }`, `The feature nesting of a privileged container can only be set by root@pam`, ""},
	"a blocker that has no waiver": {okHead + "\n" + okRootfs + "\n" + `waive_blockers = ["protected"]`, `protected_restore_point`, "waive_blockers ="},
}

func TestBadInputsAreRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	w := acctest.NewCLI(t)
	left := slices.Sorted(maps.Keys(badInputs))
	// Terraform validates everything before it plans anything: what passes the
	// first run is refused by the second.
	for run := 0; run < 2 && len(left) > 0; run++ {
		config := acctest.Provider(sim, `vmid_range = "5000-8999"`)
		for _, name := range left {
			config += fmt.Sprintf("resource \"proxmox_container\" %q {\n%s\n}\n", label(name), badInputs[name].body)
		}
		w.Config(config)
		r := w.Run("plan")
		errors := strings.Split(r.Out, "Error: ")[1:]
		left = slices.DeleteFunc(left, func(name string) bool { return refusedInput(t, name, errors) })
	}
	if len(left) > 0 {
		t.Errorf("not refused: %q", left)
	}
	if writes := acctest.Writes(sim.Requests()); len(writes) > 0 {
		t.Errorf("a refused plan wrote: %q", writes)
	}
}

// label is a resource name made of a test's name.
func label(name string) string {
	return regexp.MustCompile(`[^a-zA-Z0-9]+`).ReplaceAllString(name, "_")
}

// refusedInput looks for the error of one bad input.
func refusedInput(t *testing.T, name string, errors []string) bool {
	t.Helper()
	tc := badInputs[name]
	var found []string
	for _, text := range errors {
		text = unwrapped(text)
		if !strings.Contains(text, `"`+label(name)+`"`) && !strings.Contains(text, "proxmox_container."+label(name)+",") {
			continue
		}
		if regexp.MustCompile(tc.want).MatchString(text) && strings.Contains(text, tc.line) {
			return true
		}
		found = append(found, text)
	}
	if len(found) > 0 {
		t.Errorf("%s: want %q at %q in:\n%s", name, tc.want, tc.line, strings.Join(found, "\n"))
	}
	return len(found) > 0
}

func TestAShrinkIsRefusedAtPlan(t *testing.T) {
	t.Parallel()
	sim := acctest.Cluster(t, pvesim.Options{})
	acctest.Run(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: acctest.Provider(sim) + body(okRootfs), Check: func(*terraform.State) error { sim.ResetRequests(); return nil }},
		{
			Config:      acctest.Provider(sim) + body(`rootfs = { storage = "local-lvm", size = "7.5G" }`),
			PlanOnly:    true,
			ExpectError: regexp.MustCompile(`(?s)rootfs.size would shrink from 8G to 7680M.*8589934592\s+bytes \(8 GiB\s+rounded\s+up\).*8053063680\s+bytes\s+\(8 GiB\s+rounded\s+up\)`),
		},
	}})
}

func TestAGuestThatExistsIsNeverAdopted(t *testing.T) {
	t.Parallel()
	for name, foreign := range map[string]struct{ path, text, who string }{
		"a container":                 {"nodes/pve1/lxc/5001.conf", "hostname: theirs\nrootfs: local-lvm:vm-5001-disk-0,size=1G\n", `container "theirs" on node pve1`},
		"a container on another node": {"nodes/pve2/lxc/5001.conf", "hostname: theirs\nrootfs: local-lvm:vm-5001-disk-0,size=1G\n", `container "theirs" on node pve2`},
		"a VM":                        {"nodes/pve1/qemu-server/5001.conf", "name: theirs\nscsi0: local-lvm:vm-5001-disk-0,size=1G\n", `VM "theirs" on node pve1`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim := acctest.Cluster(t, pvesim.Options{})
			acctest.Run(t, resource.TestCase{
				CheckDestroy: func(s *terraform.State) error {
					if len(s.RootModule().Resources) > 0 {
						t.Errorf("it is in the state: %v", s)
					}
					wrote(t, sim, "POST /nodes/pve1/lxc ostemplate="+template+" rootfs=local-lvm:8 swap=0 unprivileged=1 vmid=5001")
					if text, _ := sim.ReadFile(foreign.path); text != foreign.text {
						t.Errorf("the foreign guest was changed:\n%s", text)
					}
					return nil
				},
				Steps: []resource.TestStep{{
					// The stranger comes between plan and apply.
					PreConfig:   func() { sim.Hook("POST", "/nodes/pve1/lxc", func() { sim.WriteFile(foreign.path, foreign.text) }) },
					Config:      acctest.Provider(sim) + small,
					ExpectError: regexp.MustCompile(`VMID 5001 is taken by ` + strings.ReplaceAll(foreign.who, " ", `\s+`)),
				}},
			})
		})
	}
}
