package pvesim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

func TestFaultBeforeTheEffect(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.sim.FailNext("POST", "/nodes/*/lxc", pvesim.Fault{Status: 596, Message: "Connection timed out"})
	c.refused("596 Connection timed out", "POST", "/nodes/pve1/lxc", "vmid=100", "ostemplate="+template, "storage=local-lvm")
	c.refused("500 Configuration file 'nodes/pve1/lxc/100.conf' does not exist", "GET", "/nodes/pve1/lxc/100/config")
	c.create("100") // the fault was for one request
}

func TestFaultAfterTheEffect(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.sim.FailNext("POST", "/nodes/*/lxc", pvesim.Fault{Status: 596, Message: "Connection timed out", After: true})
	c.refused("596 Connection timed out", "POST", "/nodes/pve1/lxc", "vmid=100", "ostemplate="+template, "storage=local-lvm")
	c.sim.WaitTasks()
	if got := c.config("100")["hostname"]; got != "CT100" {
		t.Errorf("hostname = %v: the request should have taken effect", got)
	}
}

func TestDroppedConnection(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.create("100")
	c.sim.DropConnection("PUT", "/nodes/pve1/lxc/100/config", true)
	if _, err := c.send("PUT", "/nodes/pve1/lxc/100/config", "memory=600"); err == nil {
		t.Error("the request was answered")
	}
	if got := c.config("100")["memory"]; got != 600.0 {
		t.Errorf("memory = %v, want 600", got)
	}
	log := c.sim.Requests()
	if last := log[len(log)-2]; last.Status != 0 || last.Params.Get("memory") != "600" || last.Identity == "" {
		t.Errorf("the log has %+v", last)
	}
}

func TestHookRunsBetweenRequests(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.create("100")
	c.sim.Hook("DELETE", "/nodes/*/lxc/100", func() {
		c.sim.EditConfig(100, func(text string) string { return text + "protection: 1\n" })
	})
	c.refused("500 can't remove CT 100 - protection mode enabled", "DELETE", "/nodes/pve1/lxc/100")
}

func TestNodeDown(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.sim.NodeDown("pve2")
	c.refused("595 No route to host", "GET", "/nodes/pve2/lxc")
	c.must("GET", "/nodes/pve1/lxc")
	if text := string(c.must("GET", "/nodes").Data); !strings.Contains(text, "offline") {
		t.Errorf("no node is offline: %s", text)
	}
	c.sim.NodeUp("pve2")
	c.must("GET", "/nodes/pve2/lxc")
	c.refused("500 hostname lookup 'pve3' failed - failed to get address info for: pve3: Temporary failure in name resolution", "GET", "/nodes/pve3/lxc")
}

func TestStorageFull(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.sim.StorageFull("local-lvm", true)
	a := c.must("POST", "/nodes/pve1/lxc", "vmid=100", "ostemplate="+template, "storage=local-lvm")
	if exit := c.exit(a); !strings.HasPrefix(exit, "unable to create CT 100 - lvcreate") {
		t.Errorf("exit status %q", exit)
	}
	if volumes := c.sim.Volumes("pve1"); len(volumes) != 2 {
		t.Errorf("something is left over: %v", volumes)
	}
	c.sim.StorageFull("local-lvm", false)
	c.create("100")
}

func TestLockAndForgottenTask(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.create("100")
	c.sim.Lock(100, "backup")
	c.refused("500 CT is locked (backup)", "PUT", "/nodes/pve1/lxc/100/config", "memory=600")
	c.sim.Lock(100, "")
	started := c.must("POST", "/nodes/pve1/lxc/100/status/start")
	c.sim.WaitTasks()
	c.sim.ForgetTask(started.text())
	a := c.refused("400 Parameter verification failed.", "GET", "/nodes/pve1/tasks/"+started.text()+"/status")
	if a.Errors["upid"] != "no such task" {
		t.Errorf("errors = %v", a.Errors)
	}
	if !c.sim.Running(100) {
		t.Error("the container was not started")
	}
}

func TestHeldTasks(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.sim.HoldTasks("vzcreate")
	a := c.must("POST", "/nodes/pve1/lxc", "vmid=100", "ostemplate="+template, "storage=local-lvm")
	if got := c.config("100"); got["lock"] != "create" || len(got) != 2 {
		t.Errorf("the number is not reserved: %v", got)
	}
	c.sim.ReleaseTasks()
	if exit := c.exit(a); exit != "OK" {
		t.Error(exit)
	}
}

func TestTicketsExpire(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	c := start(t, pvesim.Options{Now: func() time.Time { return now }})
	c.must("POST", "/access/users", "userid=a@pve", "password=secret123")
	c.token = ""
	c.refused("401 authentication failure", "POST", "/access/ticket", "username=a@pve", "password=wrong")
	a := c.must("POST", "/access/ticket", "username=a@pve", "password=secret123")
	ticket := strings.Split(strings.Split(string(a.Data), `"ticket":"`)[1], `"`)[0]
	if status := withCookie(t, c, ticket); status != 200 {
		t.Errorf("a fresh ticket: %d", status)
	}
	later := now.Add(2*time.Hour + time.Second)
	c.sim.SetClock(func() time.Time { return later })
	if status := withCookie(t, c, ticket); status != 401 {
		t.Errorf("an old ticket: %d", status)
	}
}

func TestShutdownThatIsIgnored(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.create("100")
	c.must("POST", "/nodes/pve1/lxc/100/status/start")
	c.sim.WaitTasks()
	c.sim.IgnoreShutdown(100, true)
	if exit := c.exit(c.must("POST", "/nodes/pve1/lxc/100/status/shutdown", "timeout=0")); exit != "container did not stop" {
		t.Errorf("exit status %q", exit)
	}
	if exit := c.exit(c.must("POST", "/nodes/pve1/lxc/100/status/shutdown", "timeout=0", "forceStop=1")); exit != "OK" || c.sim.Running(100) {
		t.Errorf("exit status %q, running %t", exit, c.sim.Running(100))
	}
}

func TestSystemdWithoutNesting(t *testing.T) {
	t.Parallel()
	c := start(t, pvesim.Options{})
	c.sim.SystemdTemplate(template, 252)
	create := []string{"ostemplate=" + template, "storage=local-lvm", "start=1"}
	if exit := c.exit(c.must("POST", "/nodes/pve1/lxc", append(create, "vmid=100")...)); exit != "WARNINGS: 1" {
		t.Errorf("without nesting: %q", exit)
	}
	if exit := c.exit(c.must("POST", "/nodes/pve1/lxc", append(create, "vmid=101", "features=nesting=1")...)); exit != "OK" {
		t.Errorf("with nesting: %q", exit)
	}
	c.sim.WaitTasks()
	if text := string(c.must("GET", "/nodes/pve1/tasks", "typefilter=vzstart", "statusfilter=warning", "vmid=100").Data); !strings.Contains(text, "WARNINGS: 1") {
		t.Errorf("the start has no warning: %s", text)
	}
}

// TestStatusCycle: the list of resources knows a new guest by its number
// only until the next cycle; its own path knows everything at once.
func TestStatusCycle(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	c := start(t, pvesim.Options{StatusCycle: 10 * time.Second, Now: func() time.Time { return now }})
	c.must("GET", "/cluster/resources", "type=vm")
	c.create("100", "hostname=young")
	if text := string(c.must("GET", "/cluster/resources", "type=vm").Data); !strings.Contains(text, `"status":"unknown"`) || strings.Contains(text, "young") {
		t.Errorf("before the cycle: %s", text)
	}
	if got := c.config("100")["hostname"]; got != "young" {
		t.Errorf("hostname = %v", got)
	}
	c.sim.SetClock(func() time.Time { return now.Add(10 * time.Second) })
	if text := string(c.must("GET", "/cluster/resources", "type=vm").Data); !strings.Contains(text, `"name":"young"`) {
		t.Errorf("after the cycle: %s", text)
	}
}
