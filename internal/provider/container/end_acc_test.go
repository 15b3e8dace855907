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
resource "terraform_data" "release" { input = "1" }

resource "proxmox_container" "c" {
  node       = "pve1"
  vmid       = 5001
  hostname   = "web"
  protection = false
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

// The ways in which a container can end.
var (
	newTemplate = []string{"debian-12-standard_12.7-1", "debian-13-standard_13.1-2"}
	triggered   = []string{`input = "1"`, `input = "2"`, "protection =", "lifecycle { replace_triggered_by = [terraform_data.release] }\n  protection ="}
	madeBefore  = []string{"debian-12-standard_12.7-1", "debian-13-standard_13.1-2", "protection =", "lifecycle { create_before_destroy = true }\n  protection ="}
)

const removed = `resource "terraform_data" "release" { input = "1" }` + "\n"

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
func install(t *testing.T, change ...string) installed {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{RootPassword: acctest.RootPassword})
	sim.AddVolume("pve1", "local-lvm:vm-5002-disk-0", 1<<30)
	w := installed{CLI: acctest.NewCLI(t), sim: sim}
	w.configure(mounted(change...))
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

// What a reviewer sees before anything ends, for every way in which it can.
func TestGoldenPlansOfAnEnd(t *testing.T) {
	t.Parallel()
	w := install(t)
	byHand(w.sim)
	w.sim.EditConfig(5001, func(text string) string { return text + "lxc.apparmor.profile: unconfined\n" })
	// Terraform 1.11 plans what is removed from the configuration before it reads
	// it: what was attached by hand has to be in the state by then.
	w.Must("apply", "-refresh-only", "-auto-approve")

	for _, tc := range []struct {
		name, config string
		args         []string
	}{
		{"reinstall", mounted(newTemplate...), nil},
		{"destroy", mounted(), []string{"-destroy"}},
		{"replace", mounted(), []string{"-replace=proxmox_container.c"}},
		{"triggered", mounted(triggered...), nil},
		{"create-before-destroy", mounted(madeBefore...), nil},
		{"removed", removed, nil},
	} {
		w.configure(tc.config)
		acctest.Golden(t, tc.name, w.Must(append([]string{"plan"}, tc.args...)...))
	}
	w.configure(mounted())
	w.Must("taint", "proxmox_container.c")
	acctest.Golden(t, "tainted", w.Must("plan"))
	if err := w.alive(); err != nil {
		t.Error(err)
	}
	if writes := acctest.Writes(w.sim.Requests()); len(writes) != 2 {
		t.Errorf("the plans wrote something beside the create and the start: %q", writes)
	}
}

// Whatever the way, a protected container stays, and keeps running.
func TestAProtectedContainerSurvives(t *testing.T) {
	t.Parallel()
	protect := []string{"protection = false", "protection = true"}
	w := install(t, protect...)
	with := func(change []string) string { return strings.NewReplacer(protect...).Replace(mounted(change...)) }
	for _, tc := range []struct {
		name, config string
		args         []string
		want         string
	}{
		{"a new template", with(newTemplate), nil, "protected: Container 5001 has protection set."},
		{"destroy", with(nil), []string{"-destroy"}, "protected: Container 5001 has protection set."},
		{"destroy without a refresh", with(nil), []string{"-destroy", "-refresh=false"}, "protected: Container 5001 has protection set."},
		{"-replace", with(nil), []string{"-replace=proxmox_container.c"}, "protected: Container 5001 has protection set."},
		{"-replace without a refresh", with(nil), []string{"-replace=proxmox_container.c", "-refresh=false"}, "protected: Container 5001 has protection set."},
		{"replace_triggered_by", with(triggered), nil, "protected: Container 5001 has protection set."},
		{"create_before_destroy", with(madeBefore), nil, "protected: Container 5001 has protection set."},
		{"removal from the configuration", removed, nil, "protected: Container 5001 has protection set."},
		{"taint", with(nil), nil, "protected: Container 5001 has protection set."},
		{"taint without a refresh", with(nil), []string{"-refresh=false"}, "protected: Container 5001 has protection set."},
	} {
		if tc.name == "taint" {
			w.Must("taint", "proxmox_container.c")
		}
		w.configure(tc.config)
		r := w.Run(append([]string{"apply", "-auto-approve"}, tc.args...)...)
		if r.Code == 0 || !strings.Contains(r.Out, tc.want) {
			t.Errorf("%s ended with %d:\n%s", tc.name, r.Code, r.Out)
		}
		if err := w.alive(); err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
	}
}

func TestAReinstallIsAppliedAndThenDone(t *testing.T) {
	t.Parallel()
	w := install(t)
	byHand(w.sim)
	for name, config := range map[string]string{"a new template": mounted(newTemplate...)} {
		w.configure(config)
		w.Must("plan", "-out=p")
		w.Must("apply", "p")
		w.Must("plan", "-detailed-exitcode")
		if err := w.alive(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	text, _ := w.sim.ReadFile("nodes/pve1/lxc/5001.conf")
	if strings.Contains(text, "mp7") || !strings.Contains(text, "mp1: /tank/photos") {
		t.Errorf("the new container is not the declared one:\n%s", text)
	}
	var own []string
	for _, id := range w.sim.Volumes("pve1") {
		if strings.HasPrefix(id, "local-lvm:") {
			own = append(own, id)
		}
	}
	if got, want := strings.Join(own, " "), "local-lvm:vm-5001-disk-0 local-lvm:vm-5001-disk-1 local-lvm:vm-5002-disk-0"; got != want {
		t.Errorf("volumes %s, want %s", got, want)
	}
}
