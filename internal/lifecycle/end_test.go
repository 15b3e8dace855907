package lifecycle_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

const conf5001 = `arch: amd64
cores: 1
hostname: web
memory: 512
mp0: local-lvm:vm-5001-disk-1,mp=/srv,size=1G
mp1: /tank/photos,mp=/photos
net0: name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:0A,ip=dhcp,type=veth
ostype: debian
rootfs: local-lvm:vm-5001-disk-0,size=8G
swap: 0
unprivileged: 1
`

type world struct {
	*pvesim.Server
	life   *lifecycle.Lifecycle
	client *pve.Client
}

// newWorld is a simulated cluster with container 5001 on node pve1.
func newWorld(t *testing.T) world {
	t.Helper()
	s, err := pvesim.New(pvesim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.WriteFile("nodes/pve1/lxc/5001.conf", conf5001)
	client, err := pve.New(pve.Options{Endpoints: []string{s.URL()}, APIToken: s.Token()})
	if err != nil {
		t.Fatal(err)
	}
	return world{Server: s, client: client, life: lifecycle.New(client, func() time.Time { return time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC) })}
}

func planned(op blocker.Operation) lifecycle.Ending {
	return lifecycle.Ending{
		Guest: ref, Operation: op, ShutdownLimit: time.Second,
		Planned:     map[string]string{"rootfs": "local-lvm:vm-5001-disk-0", "mp0": "local-lvm:vm-5001-disk-1", "mp1": "/tank/photos"},
		Fingerprint: "lxc/5001 rootfs=local-lvm:vm-5001-disk-0 mac=BC:24:11:00:00:0A",
		Wanted:      map[string]bytesize.Size{"rootfs": 8 * bytesize.GiB, "mp0": bytesize.GiB},
	}
}

// writes are the requests that could change something.
func (w world) writes() []string {
	var list []string
	for _, r := range w.Requests() {
		if r.Method != http.MethodGet {
			list = append(list, r.Method+" "+r.Path)
		}
	}
	return list
}

func TestEndDestroysWhatWasPlanned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.SetRunning(5001, true)
	ended, err := w.life.End(t.Context(), planned(blocker.Destroy))
	if err != nil || ended.Gone {
		t.Fatalf("%+v, %v", ended, err)
	}
	if got, want := strings.Join(w.writes(), "\n"), "POST /nodes/pve1/lxc/5001/status/shutdown\nDELETE /nodes/pve1/lxc/5001"; got != want {
		t.Errorf("writes\n%s\nwant\n%s", got, want)
	}
	for _, r := range w.Requests() {
		if r.Params.Get("purge") == "1" || r.Params.Get("destroy-unreferenced-disks") == "1" || r.Params.Get("force") == "1" {
			t.Errorf("%s %s %v", r.Method, r.Path, r.Params)
		}
	}
	if _, there := w.ReadFile("nodes/pve1/lxc/5001.conf"); there {
		t.Error("the container is still there")
	}
}

// Every reason to refuse, seen by the first look: nothing is written.
func TestEndRefusesBeforeAnything(t *testing.T) {
	t.Parallel()
	edit := func(before, after string) func(world) {
		return func(w world) {
			w.EditConfig(5001, func(text string) string { return strings.Replace(text, before, after, 1) })
		}
	}
	for name, tc := range map[string]struct {
		change func(world)
		ending func(*lifecycle.Ending)
		want   string
	}{
		"protection": {change: edit("cores: 1", "cores: 1\nprotection: 1"), want: "Container 5001 has protection set."},
		"a lock":     {change: func(w world) { w.Lock(5001, "snapshot") }, want: "Container 5001 is locked (snapshot)"},
		"a disk that was attached since": {change: edit("net0:", "mp7: local-lvm:vm-5001-disk-7,mp=/late,size=1G\nnet0:"),
			want: "- mp7: local-lvm:vm-5001-disk-7 has been added since"},
		"a disk that was detached since":    {change: edit("mp0:", "unused0:"), want: "- mp0: local-lvm:vm-5001-disk-1 is not there any more"},
		"another volume under a key":        {change: edit("vm-5001-disk-1", "vm-5001-disk-2"), want: "- mp0: was local-lvm:vm-5001-disk-1, is now local-lvm:vm-5001-disk-2"},
		"an entry that cannot be read":      {change: edit("mp1: /tank/photos,mp=/photos", "mp1: nonsense"), ending: func(e *lifecycle.Ending) { e.Planned["mp1"] = "nonsense" }, want: "mp1: nonsense"},
		"another guest under the number":    {change: edit("BC:24:11:00:00:0A", "BC:24:11:00:00:FF"), want: "is not the guest that this resource made"},
		"a fingerprint that was never kept": {ending: func(e *lifecycle.Ending) { e.Fingerprint = "" }, want: "is not the guest that this resource made"},
		"a smaller root file system":        {ending: func(e *lifecycle.Ending) { e.Wanted["rootfs"] = bytesize.GiB }, want: "rootfs of container 5001 would shrink from 8589934592 bytes (8 GiB) to 1073741824 bytes (1 GiB)."},
		"an open record":                    {ending: func(e *lifecycle.Ending) { e.Record = &stage.Record{Guest: ref, Stage: stage.Create} }, want: "replace_in_flight: An operation on container 5001"},
		"a template that is gone": {ending: func(e *lifecycle.Ending) {
			e.Needs = &lifecycle.Needs{Node: "pve1", VMID: 5001, Content: "rootdir", Template: "local:vztmpl/gone.tar.zst", Storages: map[string]bytesize.Size{"local": 1}}
		}, want: "- storage local: It does not take this kind of guest"},
		"a guest that is gone": {change: func(w world) { w.RemoveFile("nodes/pve1/lxc/5001.conf") }, want: "Container 5001 is gone from the whole cluster"},
		"a VM under the number": {change: func(w world) {
			w.RemoveFile("nodes/pve1/lxc/5001.conf")
			w.WriteFile("nodes/pve2/qemu-server/5001.conf", "name: other\n")
		}, want: "the number 5001 now belongs to a VM on node pve2."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.SetRunning(5001, true)
			e := planned(blocker.Reinstall)
			if tc.change != nil {
				tc.change(w)
			}
			if tc.ending != nil {
				tc.ending(&e)
			}
			_, err := w.life.End(t.Context(), e)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v\nwant    %s", err, tc.want)
			}
			if got := w.writes(); got != nil {
				t.Errorf("something was written: %q", got)
			}
		})
	}
}

// What changes while the guest shuts down is seen by the second look.
func TestEndLooksAgainAfterTheShutdown(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(world){
		"protection": func(w world) { w.EditConfig(5001, func(text string) string { return "protection: 1\n" + text }) },
		"a disk": func(w world) {
			w.EditConfig(5001, func(text string) string { return "mp9: local-lvm:vm-5001-disk-9,mp=/x,size=1G\n" + text })
		},
		"gone": func(w world) { w.RemoveFile("nodes/pve1/lxc/5001.conf") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.SetRunning(5001, true)
			w.Hook("GET", "/nodes/pve1/tasks/*/status", func() { change(w) })
			_, err := w.life.End(t.Context(), planned(blocker.Destroy))
			if _, ok := errors.AsType[*lifecycle.Halted](err); !ok {
				t.Errorf("error %T %v, want *lifecycle.Halted", err, err)
			}
			for _, write := range w.writes() {
				if strings.HasPrefix(write, "DELETE") {
					t.Errorf("it was destroyed: %s", write)
				}
			}
		})
	}
}

func TestADestroyOfWhatIsGoneEndsWell(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.RemoveFile("nodes/pve1/lxc/5001.conf")
	ended, err := w.life.End(t.Context(), planned(blocker.Destroy))
	if err != nil || !ended.Gone {
		t.Errorf("%+v, %v", ended, err)
	}
}

func TestEndThatIsLost(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault func(world)
		open  bool // a record stays open
	}{
		"the answer, after it took effect": {func(w world) { w.DropConnection("DELETE", "/nodes/pve1/lxc/5001", true) }, false},
		"the request, before it was read":  {func(w world) { w.DropConnection("DELETE", "/nodes/pve1/lxc/5001", false) }, true},
		"the answer of the proxy, with effect": {func(w world) {
			w.FailNext("DELETE", "/nodes/pve1/lxc/5001", pvesim.Fault{Status: 596, Message: "Connection timed out", After: true})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tc.fault(w)
			_, err := w.life.End(t.Context(), planned(blocker.Destroy))
			e, interrupted := errors.AsType[*lifecycle.Interrupted](err)
			if interrupted != tc.open || err != nil && !interrupted {
				t.Fatalf("error %v, record wanted: %t", err, tc.open)
			}
			if tc.open && (e.Record.Stage != stage.Destroy || e.Record.Exists == nil || !*e.Record.Exists) {
				t.Errorf("record %+v", e.Record)
			}
			if n := strings.Count(strings.Join(w.writes(), "\n"), "DELETE"); n != 1 {
				t.Errorf("the destroy was sent %d times", n)
			}
		})
	}
}

func TestADestroyThatRunsOnIsLeftOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.HoldTasks("vzdestroy")
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	_, err := w.life.End(ctx, planned(blocker.Destroy))
	e, ok := errors.AsType[*lifecycle.Interrupted](err)
	if !ok || e.Record.Task == "" || e.Record.Exists == nil || !*e.Record.Exists {
		t.Fatalf("error %v", err)
	}
	const known = "lxc/5001 rootfs=local-lvm:vm-5001-disk-0 mac=BC:24:11:00:00:0A"
	if _, outcome := lifecycle.Settle(e.Record, w.life.Look(t.Context(), e.Record, known)); outcome != lifecycle.StillOpen {
		t.Errorf("settled while the task runs: %d", outcome)
	}
	w.ReleaseTasks()
	w.WaitTasks()
	record, outcome := lifecycle.Settle(e.Record, w.life.Look(t.Context(), e.Record, known))
	if outcome != lifecycle.SettledAbsent || record.Exists == nil || *record.Exists {
		t.Errorf("after the task: outcome %d, record %+v", outcome, record)
	}
}
