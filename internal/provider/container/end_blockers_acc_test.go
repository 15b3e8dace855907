package container_test

import (
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// client is another user of the same cluster.
func (w installed) client(t *testing.T) *pve.Client {
	t.Helper()
	c, err := pve.New(pve.Options{Endpoints: []string{w.sim.URL()}, APIToken: w.sim.Token()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// edit replaces a text of the container's configuration and says how to put it
// back.
func edit(before, after string) func(*testing.T, installed) func() {
	return func(_ *testing.T, w installed) func() {
		replace := func(was, is string) {
			w.sim.EditConfig(5001, func(text string) string { return strings.Replace(text, was, is, 1) })
		}
		replace(before, after)
		return func() { replace(after, before) }
	}
}

const archive = "local:backup/vzdump-lxc-5001-2026_07_01-02_30_00.tar.zst"

func protectedArchive(t *testing.T, w installed) func() {
	w.sim.AddVolume("pve1", archive, 1<<20)
	if err := w.client(t).UpdateArchive(t.Context(), "pve1", "local", archive, pve.Params{"protected": "1"}); err != nil {
		t.Fatal(err)
	}
	return func() { w.sim.RemoveVolume("pve1", archive) }
}

// running starts a task that waits before it does anything.
func running(kind string, start func(*testing.T, installed) (pve.UPID, error)) func(*testing.T, installed) func() {
	return func(t *testing.T, w installed) func() {
		w.sim.HoldTasks(kind)
		task, err := start(t, w)
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			_ = w.client(t).StopTask(t.Context(), task)
			w.sim.ReleaseTasks()
			w.sim.WaitTasks()
			w.sim.SetRunning(5001, true)
		}
	}
}

var self = guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}

// causes are the blockers that can appear at any time, with what the refusal
// says. A cause returns how to undo it.
var causes = []struct {
	name   string
	set    func(*testing.T, installed) func()
	apply  []string
	plan   []string
	halted bool // the container does not run while the cause holds
}{
	{name: "protected", set: edit("hostname:", "protection: 1\nhostname:"),
		apply: []string{"- protected: Container 5001 has protection set."}},
	{name: "locked", set: func(_ *testing.T, w installed) func() {
		w.sim.Lock(5001, "backup")
		return func() { w.sim.Lock(5001, "") }
	}, apply: []string{"- locked: Container 5001 is locked (backup)"}},
	{name: "backup_or_restore_running", set: running("vzdump", func(t *testing.T, w installed) (pve.UPID, error) {
		return w.client(t).Backup(t.Context(), "pve1", pve.Params{"vmid": "5001", "storage": "local"})
	}), apply: []string{"- backup_or_restore_running: A backup or restore of container 5001 is running: UPID:pve1:"}},
	{name: "a backup of several guests", set: running("vzdump", func(t *testing.T, w installed) (pve.UPID, error) {
		return w.client(t).Backup(t.Context(), "pve1", pve.Params{"all": "1", "storage": "local"})
	}), apply: []string{"- backup_or_restore_running: A backup or restore of container 5001 is running: UPID:pve1:"}},
	{name: "protected_restore_point", set: protectedArchive,
		apply: []string{"- protected_restore_point: Somebody has protected a backup of container 5001", archive}},
	{name: "rootfs_would_shrink", set: edit("vm-5001-disk-0,size=8G", "vm-5001-disk-0,size=9G"),
		apply: []string{"- rootfs_would_shrink: rootfs of container 5001 would shrink from 9663676416 bytes (9 GiB) to 8589934592 bytes (8 GiB)."},
		plan:  []string{"rootfs.size would shrink from 9G to 8G", "9663676416 bytes (9 GiB rounded up)", "8589934592 bytes (8 GiB rounded up)"}},
	{name: "size_unreadable", set: func(t *testing.T, w installed) func() {
		undo := edit("vm-5001-disk-0,size=8G", "vm-5001-disk-0,size=large")(t, w)
		w.sim.RemoveVolume("pve1", "local-lvm:vm-5001-disk-0") // the storage cannot tell either
		return func() {
			undo()
			w.sim.AddVolume("pve1", "local-lvm:vm-5001-disk-0", 8<<30)
		}
	}, apply: []string{`- size_unreadable: The size of rootfs of container 5001 cannot be told: its configuration says "large" and the storage does not say it.`}},
	{name: "unclassifiable_volume", set: edit("net0:", "mp8: nonsense\nnet0:"),
		apply: []string{"- unclassifiable_volume:", "mp8: nonsense", "- changed: The volumes of container 5001 are not those that were planned on:"},
		plan:  []string{"- unclassifiable_volume:", "mp8: nonsense"}},
	{name: "replace_in_flight", set: func(t *testing.T, w installed) func() {
		w.sim.SetRunning(5001, false)
		return running("vzdestroy", func(t *testing.T, w installed) (pve.UPID, error) {
			return w.client(t).Destroy(t.Context(), self, pve.DestroyOptions{})
		})(t, w)
	}, apply: []string{"- replace_in_flight: Another operation that creates or destroys container 5001 is running: UPID:pve1:"}, halted: true},
	{name: "two at once", set: func(t *testing.T, w installed) func() {
		unlock := edit("hostname:", "lock: snapshot\nprotection: 1\nhostname:")(t, w)
		return unlock
	}, apply: []string{"- protected: Container 5001 has protection set.", "- locked: Container 5001 is locked (snapshot)"}},
}

// A cause that holds when the plan is made is told by the plan; one that comes
// up between plan and apply is told by the apply of the saved plan.
func TestBlockersAtPlanAndAtApply(t *testing.T) {
	t.Parallel()
	w := install(t)
	w.configure(mounted(newTemplate...))
	for _, tc := range causes {
		w.Must("plan", "-out=p")
		undo := tc.set(t, w)
		w.refused(t, tc.name+" at apply", tc.apply, tc.halted, "apply", "p")
		want := tc.plan
		if want == nil {
			want = tc.apply
		}
		w.refused(t, tc.name+" at plan", want, tc.halted, "plan")
		undo()
		if err := w.alive(); err != nil {
			t.Fatalf("%s, undone: %v", tc.name, err)
		}
	}
}

func (w installed) refused(t *testing.T, name string, want []string, halted bool, args ...string) {
	t.Helper()
	before := len(acctest.Writes(w.sim.Requests()))
	r := w.Run(args...)
	text := strings.Join(strings.Fields(r.Out), " ") // the CLI wraps lines
	for _, sentence := range want {
		if r.Code == 0 || !strings.Contains(text, sentence) {
			t.Errorf("%s: ended with %d, without %q:\n%s", name, r.Code, sentence, r.Out)
		}
	}
	if writes := acctest.Writes(w.sim.Requests())[before:]; len(writes) > 0 {
		t.Errorf("%s: something was written: %q", name, writes)
	}
	if err := w.alive(); err != nil && !halted {
		t.Fatalf("%s: %v", name, err)
	}
}

// What was attached, detached or exchanged after the plan was made.
func TestVolumesChangeBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	w := install(t)
	w.configure(mounted(newTemplate...))
	for _, tc := range []struct {
		name, old, new, want string
	}{
		{"a disk is attached", "net0:", "mp9: local-lvm:vm-5001-disk-9,mp=/late,size=1G\nnet0:", "- mp9: local-lvm:vm-5001-disk-9 has been added since"},
		{"a disk is detached", "mp0: local-lvm:vm-5001-disk-1,mp=/srv,size=4G", "unused0: local-lvm:vm-5001-disk-1", "- mp0: local-lvm:vm-5001-disk-1 is not there any more"},
		{"a volume is exchanged", "vm-5001-disk-1", "vm-5001-disk-8", "- mp0: was local-lvm:vm-5001-disk-1, is now local-lvm:vm-5001-disk-8"},
		{"another container has the number", "BC:24:11:00:00:0A", "BC:24:11:00:00:FF", "is not the guest that this resource made"},
	} {
		w.Must("plan", "-out=p")
		undo := edit(tc.old, tc.new)(t, w)
		if strings.HasPrefix(tc.name, "another") {
			w.sim.ForgetTask(w.created(t)) // the task list does not reach back
		}
		w.refused(t, tc.name, []string{tc.want}, false, "apply", "p")
		undo()
	}
}

// created is the task that made the container.
func (w installed) created(t *testing.T) string {
	t.Helper()
	rows, err := w.client(t).Tasks(t.Context(), "pve1", pve.TaskFilter{VMID: 5001, Type: "vzcreate"})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	return string(rows[0].UPID)
}

// A guest that is gone ends a destroy well and stops a reinstall.
func TestAGuestThatIsGone(t *testing.T) {
	t.Parallel()
	w := install(t)
	w.configure(mounted(newTemplate...))
	w.Must("plan", "-out=reinstall")
	w.configure(mounted())
	w.Must("plan", "-destroy", "-out=destroy")
	w.sim.RemoveFile("nodes/pve1/lxc/5001.conf")
	r := w.Run("apply", "reinstall")
	if want := "- gone: Container 5001 is gone from the whole cluster"; r.Code == 0 || !strings.Contains(r.Out, want) {
		t.Errorf("reinstall ended with %d:\n%s", r.Code, r.Out)
	}
	out := w.Must("destroy", "-auto-approve", "-refresh=false")
	if want := "Container 5001 had been destroyed already"; !strings.Contains(out, want) {
		t.Errorf("destroy does not say %q:\n%s", want, out)
	}
}
