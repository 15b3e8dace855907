package provider_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// aboutOne are blocks of everything that names a guest, here 5001, by address.
var aboutOne = map[string]string{
	"proxmox_container.c":     oneContainer,
	"proxmox_vm.plain":        "resource \"proxmox_vm\" \"plain\" {\n  node = \"pve1\"\n  vmid = 5001\n  started = false\n}\n",
	"proxmox_vm.clone":        "resource \"proxmox_vm\" \"clone\" {\n  node = \"pve1\"\n  vmid = 5001\n  started = false\n  clone = { vmid = 9000 }\n}\n",
	"proxmox_backup.x":        "resource \"proxmox_backup\" \"x\" {\n  vmid = 5001\n  storage = \"local\"\n}\n",
	"proxmox_restore.x":       "resource \"proxmox_restore\" \"x\" {\n  node = \"pve1\"\n  vmid = 5001\n  storage = \"local-lvm\"\n  archive = \"" + archiveOf5001 + "\"\n}\n",
	"proxmox_snapshot.x":      "resource \"proxmox_snapshot\" \"x\" {\n  vmid = 5001\n  name = \"before\"\n}\n",
	"proxmox_vzdump_policy.x": "resource \"proxmox_vzdump_policy\" \"x\" {\n  vmids = [5001]\n  schedule = \"02:00\"\n  storage = \"local\"\n}\n",
	"data.proxmox_backups.of": "data \"proxmox_backups\" \"of\" {\n  vmid = 5001\n}\n",
}

// aboutAll are blocks of everything that looks at guests without naming one.
var aboutAll = map[string]string{
	"data.proxmox_guests.x":             "data \"proxmox_guests\" \"x\" {}\n",
	"data.proxmox_backups.x":            "data \"proxmox_backups\" \"x\" {}\n",
	"data.proxmox_unprotected_guests.x": "data \"proxmox_unprotected_guests\" \"x\" {}\n",
}

const archiveOf5001 = "local:backup/vzdump-lxc-5001-2026_11_29-12_00_00.tar.zst"

func blocks(kinds map[string]string) string {
	return strings.Join(slices.Sorted(maps.Values(kinds)), "\n")
}

// refusals counts how often the plan refuses an address with the sentence.
func refusals(out, address, sentence string) (n int) {
	for problem := range strings.SplitSeq(out, "Error: ") {
		if strings.Contains(flat(problem), "with "+address+",") && strings.Contains(flat(problem), sentence) {
			n++
		}
	}
	return n
}

func TestNothingGetsPastAnUnreadableBoundary(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	cli := acctest.NewCLI(t)
	cli.Config(acctest.Provider(s, `vmid_range = "5000"`) + blocks(aboutOne) + blocks(aboutAll))
	out := cli.Run("plan").Out
	all := maps.Clone(aboutOne)
	maps.Copy(all, aboutAll)
	for address := range all {
		if refusals(out, address, `The VMID range "5000" (from the provider's vmid_range) cannot be read, and a boundary that cannot be read lets nobody in: "5000" is not a VMID range`) == 0 {
			t.Errorf("%s is not refused", address)
		}
	}
	if sent := acctest.Lines(s.Requests()); len(sent) != 0 {
		t.Errorf("sent: %q", sent)
	}
	if t.Failed() {
		t.Log(out)
	}
}

func TestNothingAsksAboutAGuestOutsideOfTheBoundary(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("nodes/pve1/lxc/5001.conf", "arch: amd64\nhostname: stranger\nrootfs: local-lvm:vm-5001-disk-0,size=1G\n")
	s.WriteFile("nodes/pve1/qemu-server/9000.conf", "name: template\ntemplate: 1\nscsi0: local-lvm:base-9000-disk-0,size=1G\n")
	s.AddVolume("pve1", archiveOf5001, 1<<20)
	cli := acctest.NewCLI(t)
	block := acctest.Provider(s, `vmid_range = "6000-8999"`)
	cli.Config(block + blocks(aboutOne))
	out := cli.Run("plan").Out
	for address := range aboutOne {
		if refusals(out, address, "VMID 5001 is outside of the VMID range 6000-8999 (from the provider's vmid_range)") == 0 {
			t.Errorf("%s is not refused", address)
		}
	}
	cli.Config(block + blocks(aboutAll) + "output \"all\" {\n  value = [data.proxmox_guests.x, data.proxmox_backups.x, data.proxmox_unprotected_guests.x]\n}\n")
	if shown := cli.Must("plan"); strings.Contains(shown, "stranger") || strings.Contains(shown, "5001") {
		t.Errorf("a guest outside is shown:\n%s", shown)
	}
	for _, line := range acctest.Lines(s.Requests()) {
		if strings.Contains(line, "/5001") || strings.Contains(line, "vmid=5001") || !strings.HasPrefix(line, "GET ") {
			t.Errorf("sent: %s", line)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

func TestACloneTakesTemplatesFromOutsideOnly(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	for _, id := range []string{"5000", "9000"} {
		s.WriteFile("nodes/pve1/qemu-server/"+id+".conf", "name: debian\ntemplate: 1\nscsi0: local-lvm:base-"+id+"-disk-0,size=1G\n")
	}
	s.WriteFile("nodes/pve1/qemu-server/9001.conf", "name: stranger\n")
	cli := acctest.NewCLI(t)
	clone := func(id string) string {
		return acctest.Provider(s, `vmid_range = "5000-8999"`) + strings.Replace(aboutOne["proxmox_vm.clone"], "9000", id, 1)
	}
	cli.Config(clone("9000"))
	cli.Must("plan")
	cli.Config(clone("5000"))
	expect(t, cli.Run("plan"), "Template 5000 is inside of the VMID range 5000-8999 (from the provider's vmid_range), where numbers are given to guests and guests are destroyed. Nothing has been changed.")
	cli.Config(clone("9001"))
	expect(t, cli.Run("plan"), "VMID 9001 is outside of the VMID range 5000-8999 (from the provider's vmid_range): what is outside is not touched and not read. Nothing has been changed.")
	if writes := acctest.Writes(s.Requests()); len(writes) != 0 {
		t.Errorf("sent: %q", writes)
	}
	for _, line := range acctest.Lines(s.Requests()) {
		if strings.Contains(line, "/9001") {
			t.Errorf("sent: %s", line)
		}
	}
}
