package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
)

func TestLossesInWords(t *testing.T) {
	t.Parallel()
	g := lifecycle.Losses{
		Snapshots: []string{"before", "daily"}, Firewall: 3, ACLs: []string{"PVEVMUser for ann@pve"}, Pool: "web",
		Raw: []string{"lxc.idmap: u 0 100000 65536", "lxc.apparmor.profile: unconfined"}, Blind: []string{"It could not be seen."},
	}
	const want = `Snapshots: before, daily.
The guest's own firewall: 3 rules, options and sets that the configuration does not declare.
Access rules on the guest: PVEVMUser for ann@pve.
Its membership in pool web.
Raw lines, which the API cannot set again: lxc.idmap: u 0 100000 65536; lxc.apparmor.profile: unconfined.
It could not be seen.`
	if got := strings.Join(g.Lines(false, false), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	declared := strings.Join(g.Lines(true, true), "\n")
	if strings.Contains(declared, "firewall") || strings.Contains(declared, "pool") {
		t.Errorf("what is declared comes back and is told as lost:\n%s", declared)
	}
	if got := (lifecycle.Losses{}).Lines(false, false); got != nil {
		t.Errorf("nothing is lost, got %q", got)
	}
}
