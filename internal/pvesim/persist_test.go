package pvesim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// TestStateSurvives: with a directory the cluster is the same after a restart.
func TestStateSurvives(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, pvesim.Options{Dir: dir, Nodes: []string{"pve1"}})
	first.create("100", "hostname=kept")
	upid := first.must("POST", "/nodes/pve1/lxc/100/status/start").text()
	first.sim.WaitTasks()
	first.sim.Close()

	again := start(t, pvesim.Options{Dir: dir})
	if first.token != again.token {
		t.Errorf("the token is now %q, was %q", again.token, first.token)
	}
	if got := again.config("100")["hostname"]; got != "kept" {
		t.Errorf("hostname = %v", got)
	}
	if !again.sim.Running(100) {
		t.Error("the container does not run any more")
	}
	if volumes := strings.Join(again.sim.Volumes("pve1"), " "); !strings.Contains(volumes, "local-lvm:vm-100-disk-0") {
		t.Errorf("volumes: %s", volumes)
	}
	if text := string(again.must("GET", "/nodes/pve1/tasks/"+upid+"/status").Data); !strings.Contains(text, `"exitstatus":"OK"`) {
		t.Errorf("the task: %s", text)
	}
	again.create("101") // its UPID differs from those of the first run
	text, err := os.ReadFile(filepath.Join(dir, "nodes", "pve1", "lxc", "101.conf"))
	if err != nil || !strings.Contains(string(text), "hostname: CT101\n") {
		t.Errorf("101.conf: %s %v", text, err)
	}
}

// TestKilledTask: a task that the end of the program cut off.
func TestKilledTask(t *testing.T) {
	t.Parallel()
	const upid = "UPID:pve1:00000400:00018A00:6B0C0EF3:vzcreate:100:root@pam:"
	c := start(t, pvesim.Options{Files: map[string]string{
		"user.cfg": "user:root@pam:1:0::::::\ntoken:root@pam!t:0:0::\n", "priv/token.cfg": "root@pam!t secret\n",
		"pvesim/tasks/" + upid: `{"log":["extracting archive"]}`,
	}})
	if text := string(c.must("GET", "/nodes/pve1/tasks/"+upid+"/status").Data); !strings.Contains(text, `"exitstatus":"unexpected status"`) {
		t.Errorf("the task: %s", text)
	}
}
