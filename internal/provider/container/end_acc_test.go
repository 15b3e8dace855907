package container_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// mounted is a container with three kinds of mounts, which only root@pam can
// make: a volume of its own, a directory of the node, and another guest's
// volume.
func mounted(change ...string) string {
	text := `
resource "proxmox_container" "c" {
  node       = "pve1"
  vmid       = 5001
  hostname   = "web"
  ostemplate = "local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst"
  rootfs     = { storage = "local-lvm", size = "8G" }
  mount_points = {
    mp0 = { path = "/srv", storage = "local-lvm", size = "4G" }
    mp1 = { path = "/photos", volume = "/tank/photos" }
    mp2 = { path = "/shared", volume = "local-lvm:vm-5002-disk-0" }
  }
  network = { net0 = { name = "eth0", bridge = "vmbr0", hwaddr = "BC:24:11:00:00:0A", ip = "dhcp" } }
}
`
	return strings.NewReplacer(change...).Replace(text)
}

// byHand attaches a volume that no configuration declares.
func byHand(s *pvesim.Server) {
	s.EditConfig(5001, func(text string) string {
		return strings.Replace(text, "net0:", "mp7: local-lvm:vm-5001-disk-7,mp=/by-hand,size=1G\nnet0:", 1)
	})
}

type installed struct {
	*acctest.CLI
	sim *pvesim.Server
}

// install applies the container with three mounts.
func install(t *testing.T) installed {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{RootPassword: acctest.RootPassword})
	sim.AddVolume("pve1", "local-lvm:vm-5002-disk-0", 1<<30)
	w := installed{CLI: acctest.NewCLI(t), sim: sim}
	w.configure(mounted())
	w.Must("apply", "-auto-approve")
	return w
}

func (w installed) configure(text string) { w.Config(acctest.RootProvider(w.sim) + text) }

// alive is an error unless the container is there and runs.
func (w installed) alive() error {
	if _, there := w.sim.ReadFile("nodes/pve1/lxc/5001.conf"); !there {
		return fmt.Errorf("the container is gone")
	}
	if !w.sim.Running(5001) {
		return fmt.Errorf("the container does not run any more")
	}
	return nil
}

func TestReinstallPrintsLabels(t *testing.T) {
	t.Parallel()
	w := install(t)
	byHand(w.sim)
	w.configure(mounted("debian-12-standard_12.7-1", "debian-13-standard_13.1-2"))
	out := w.Must("plan", "-out=p")
	t.Log(out)
	t.Log(w.Must("apply", "p"))
	t.Log(w.Must("plan", "-detailed-exitcode"))
}
