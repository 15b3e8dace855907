package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

var numberless = strings.Replace(oneContainer, "  vmid       = 5001\n", "", 1)

func TestANumberThatIsTakenNamesTheTaker(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("nodes/pve2/qemu-server/5001.conf", "name: node-0\nmemory: 512\n")
	cli := acctest.NewCLI(t)
	cli.Config(acctest.Provider(s, `vmid_range = "5000-8999"`) + oneContainer)
	expect(t, cli.Run("apply", "-auto-approve"), `VMID 5001 is taken by VM "node-0" on node pve2`)
	for _, line := range acctest.Writes(s.Requests()) {
		if !strings.HasPrefix(line, "POST /nodes/pve1/lxc ") {
			t.Errorf("sent: %s", line)
		}
	}
	if state := cli.Must("state", "pull"); strings.Contains(state, "5001") {
		t.Errorf("the guest of another is in the state:\n%s", state)
	}
}

func TestAFullBoundaryNamesItsEnds(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("nodes/pve2/qemu-server/5000.conf", "name: other\n")
	s.AddVolume("pve1", "local-lvm:vm-5001-disk-0", 1<<30)
	cli := acctest.NewCLI(t)
	cli.Config(acctest.Provider(s, `vmid_range = "5000-5001"`) + numberless)
	expect(t, cli.Run("apply", "-auto-approve"), "Every VMID from 5000 to 5001 is held by a guest, by volumes or backups that a guest left, or by a running task, or was given out before. Nothing has been changed.")
	if writes := acctest.Writes(s.Requests()); len(writes) != 0 {
		t.Errorf("sent: %q", writes)
	}
}

func TestTenNumbersAreTriedAndNoMore(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	for id := 5000; id < 5012; id++ {
		s.FailNext("POST", "/nodes/*/lxc", pvesim.Fault{Status: 500, Message: fmt.Sprintf("unable to create CT %d - CT %d already exists on node 'pve2'", id, id)})
	}
	cli := acctest.NewCLI(t)
	cli.Config(acctest.Provider(s, `vmid_range = "5000-8999"`) + numberless)
	expect(t, cli.Run("apply", "-auto-approve"), "10 numbers of the range 5000-8999 in a row turned out to be taken, the last was 5009: somebody else creates guests in this range at the moment, or guests are there that this user may not see. Nothing has been changed.")
	if writes := acctest.Writes(s.Requests()); len(writes) != 10 {
		t.Errorf("%d creates were tried: %q", len(writes), writes)
	}
}

func TestALostAnswerDoesNotLeadToTheNextNumber(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	s.DropConnection("POST", "/nodes/*/lxc", true)
	cli := acctest.NewCLI(t)
	cli.Config(acctest.Provider(s, `vmid_range = "5000-8999"`) + numberless)
	cli.Must("apply", "-auto-approve") // the task of the lost request is found
	if writes := acctest.Writes(s.Requests()); len(writes) != 1 || !strings.Contains(writes[0], "vmid=5000") {
		t.Errorf("sent: %q", writes)
	}
}

func TestAGuestWithoutNumberAndWithoutRangeIsRefused(t *testing.T) {
	t.Parallel()
	s := acctest.Cluster(t, pvesim.Options{})
	cli := acctest.NewCLI(t)
	cli.Config(acctest.Provider(s) + numberless)
	expect(t, cli.Run("plan"), "The container has no VMID and the provider no range to take one from")
	if writes := acctest.Writes(s.Requests()); len(writes) != 0 {
		t.Errorf("sent: %q", writes)
	}
}
