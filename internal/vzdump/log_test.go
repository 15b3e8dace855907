package vzdump_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

func read(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".log"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// The files but report-* and qemu-running-snapshot are logs of a genuine
// Proxmox VE 9.2.
func TestParseLog(t *testing.T) {
	t.Parallel()
	rootfs := vzdump.Entry{Key: "rootfs", Path: "/"}
	data := vzdump.Entry{Key: "mp0", Path: "/data"}
	nobak := vzdump.Entry{Key: "mp1", Path: "/nobak", Reason: "disabled"}
	for file, want := range map[string]vzdump.Log{
		"lxc-running-snapshot-falls-back": {Exit: "OK", Runs: []vzdump.Run{{
			VMID: 120, Kind: guest.LXC, Name: "b120", Status: "running", Mode: vzdump.Suspend,
			Fallback: "some volumes do not support snapshots",
			Included: []vzdump.Entry{rootfs, data}, Excluded: []vzdump.Entry{nobak},
			Archive: "/var/lib/vz/dump/vzdump-lxc-120-2026_11_29-11_39_35.tar.zst", Size: "1MB", Done: true,
		}}},
		"lxc-stop-notes-protected": {Exit: "OK", Runs: []vzdump.Run{{
			VMID: 120, Kind: guest.LXC, Name: "b120", Status: "running", Mode: vzdump.Stop, Stopped: true,
			Included: []vzdump.Entry{rootfs, data}, Excluded: []vzdump.Entry{nobak},
			Archive: "/var/lib/vz/dump/vzdump-lxc-120-2026_11_29-11_39_37.tar", Size: "2MB",
			NotesAdded: true, Protected: true, Done: true,
		}}},
		"lxc-stopped": {Exit: "OK", Runs: []vzdump.Run{{
			VMID: 120, Kind: guest.LXC, Name: "b120", Status: "stopped", Mode: vzdump.Stop,
			Included: []vzdump.Entry{rootfs},
			Archive:  "/var/lib/vz/dump/vzdump-lxc-120-2026_11_29-11_41_33.tar.zst", Size: "1MB", Done: true,
		}}},
		"missing-guest": {Exit: "job errors", Runs: []vzdump.Run{{VMID: 4711, Failure: "unable to find VM '4711'"}}},
		"one-of-two-missing": {Exit: "job errors", Runs: []vzdump.Run{
			{
				VMID: 120, Kind: guest.LXC, Name: "b120", Status: "running", Mode: vzdump.Suspend,
				Fallback: "some volumes do not support snapshots",
				Included: []vzdump.Entry{rootfs, data}, Excluded: []vzdump.Entry{nobak},
				Archive: "/var/lib/vz/dump/vzdump-lxc-120-2026_11_29-11_39_46.tar.zst", Size: "1MB", Done: true,
			},
			{VMID: 4711, Failure: "unable to find VM '4711'"},
		}},
		"wrong-content": {Exit: "could not get storage information for 'imgonly': can't use storage 'imgonly' for backups - wrong content type"},
		"qemu-failed": {Exit: "job errors", Runs: []vzdump.Run{{
			VMID: 214, Kind: guest.QEMU, Name: "Copy-of-VM-renamed", Status: "stopped", Mode: vzdump.Stop,
			Included: []vzdump.Entry{
				{Key: "scsi0", Volume: "imgonly:214/vm-214-disk-0.raw", Size: "5G"},
				{Key: "scsi1", Volume: "local:214/vm-214-disk-1.raw", Size: "1G"},
			},
			Archive: "/var/lib/vz/dump/vzdump-qemu-214-2026_11_29-11_47_07.vma.zst",
			Failure: "unable to connect to qmeventd socket (vmid: 214) - No such file or directory",
			Errors: []string{
				"unable to connect to qmeventd socket (vmid: 214) - No such file or directory",
				"VM 214 qmp command 'backup-cancel' failed - The command backup-cancel has not been found",
			},
		}}},
		"qemu-running-snapshot": {Exit: "WARNINGS: 1", Warnings: []string{"EFI disk without 2023 certificates"}, Runs: []vzdump.Run{{
			VMID: 201, Kind: guest.QEMU, Name: "db", Status: "running", Mode: vzdump.Snapshot,
			Included: []vzdump.Entry{{Key: "scsi0", Volume: "local-lvm:vm-201-disk-0", Size: "32G"}},
			Excluded: []vzdump.Entry{{Key: "scsi1", Volume: "local-lvm:vm-201-disk-1", Reason: "backup=no"}},
			Archive:  "vm/201/2026-11-29T01:30:01Z", Percent: 100, Freeze: vzdump.FreezeAsked,
			NotesAdded: true, Done: true, Warnings: []string{"EFI disk without 2023 certificates"},
		}}},
		"report-32-prune-failed": {Exit: "job errors", Runs: []vzdump.Run{{
			VMID: 5320, Kind: guest.LXC, Status: "running", Mode: vzdump.Snapshot,
			Retention: "keep-last=5", PruneFailed: true,
			Failure: "error pruning backups - check log",
			Errors:  []string{"prune 'ct/5320': backup client failed: Error: Not implemented"},
		}}},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, vzdump.ParseLog(read(t, file))); diff != "" {
				t.Errorf("ParseLog(%s), -want +got:\n%s", file, diff)
			}
		})
	}
}

func TestParseLogNamesWhatWasPruned(t *testing.T) {
	t.Parallel()
	run, ok := vzdump.ParseLog(read(t, "lxc-pruned")).Run(120)
	if !ok || run.Retention != "keep-last=1" || len(run.Pruned) != 5 || run.Pruned[0] != "local:backup/vzdump-lxc-120-2026_11_29-11_39_35.tar.gz" {
		t.Errorf("Run(120) = %+v, %t", run, ok)
	}
}

// Report 22: the flag promises what the log does not show.
func TestContainsIsWhatTheLogSays(t *testing.T) {
	t.Parallel()
	run, _ := vzdump.ParseLog(read(t, "report-22-mount-point-missing")).Run(5220)
	contents := vzdump.Contents(guest.LXC, map[string]string{
		"rootfs": "st-d:5220/vm-5220-disk-0.raw,size=1G",
		"mp0":    "st-d:5220/vm-5220-disk-1.raw,mp=/opt/data,backup=1,mountoptions=noatime,size=6G",
	})
	missing := vzdump.Missing(contents, run)
	if len(missing) != 1 || missing[0].Key != "mp0" {
		t.Errorf("Missing = %+v, want mp0", missing)
	}
}

func TestConsistencyIsWhatHappened(t *testing.T) {
	t.Parallel()
	run := func(status string, mode vzdump.Mode, stopped bool) vzdump.Run {
		return vzdump.Run{Status: status, Mode: mode, Stopped: stopped, Done: true, Freeze: vzdump.FreezeAsked}
	}
	for name, tc := range map[string]struct {
		run  vzdump.Run
		want vzdump.Consistency
	}{
		"a stopped guest":                                {run("stopped", vzdump.Stop, false), vzdump.Consistent},
		"a running guest that was stopped":               {run("running", vzdump.Stop, true), vzdump.Consistent},
		"mode stop without a line that it was stopped":   {run("running", vzdump.Stop, false), vzdump.CrashConsistent},
		"a snapshot with the file system frozen":         {run("running", vzdump.Snapshot, false), vzdump.CrashConsistent},
		"a suspended container":                          {run("running", vzdump.Suspend, false), vzdump.CrashConsistent},
		"a guest found stopped and read as a snapshot":   {run("stopped", vzdump.Snapshot, false), vzdump.CrashConsistent},
		"a paused guest":                                 {run("paused", vzdump.Stop, false), vzdump.CrashConsistent},
		"a log without the status":                       {run("", vzdump.Stop, false), vzdump.CrashConsistent},
		"a log without the mode":                         {run("stopped", "", false), vzdump.CrashConsistent},
		"a run that is not done":                         {vzdump.Run{Status: "stopped", Mode: vzdump.Stop}, ""},
		"a run that failed":                              {vzdump.Run{Status: "stopped", Mode: vzdump.Stop, Failure: "x"}, ""},
		"an archive that was made, its pruning failed":   {vzdump.Run{Status: "stopped", Mode: vzdump.Stop, Failure: "x", PruneFailed: true}, vzdump.Consistent},
		"a fallback from snapshot to suspend is no stop": {vzdump.ParseLog(read(t, "lxc-running-snapshot-falls-back")).Runs[0], vzdump.CrashConsistent},
		"recorded: mode stop":                            {vzdump.ParseLog(read(t, "lxc-stop-notes-protected")).Runs[0], vzdump.Consistent},
		"recorded: stopped container":                    {vzdump.ParseLog(read(t, "lxc-stopped")).Runs[0], vzdump.Consistent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := vzdump.ConsistencyOf(tc.run); got != tc.want {
				t.Errorf("ConsistencyOf(%+v) = %q, want %q", tc.run, got, tc.want)
			}
		})
	}
}

func TestReasonOfJobErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		lines []string
		want  string
	}{
		"the guest's own failure": {read(t, "missing-guest"), "unable to find VM '4711'"},
		"an error of the job":     {[]string{"ERROR: can't acquire lock '/var/run/vzdump.lock' - got timeout"}, "can't acquire lock '/var/run/vzdump.lock' - got timeout"},
		"only the task line":      {read(t, "wrong-content"), "could not get storage information for 'imgonly': can't use storage 'imgonly' for backups - wrong content type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := vzdump.ParseLog(tc.lines).Reason(4711); got != tc.want {
				t.Errorf("Reason = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestProgressShowsPercentagesAndPhases(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"INFO:  12% (1.2 GiB of 10.0 GiB) in 3s, read: 412.0 MiB/s, write: 400.1 MiB/s": "12% (1.2 GiB of 10.0 GiB) in 3s, read: 412.0 MiB/s, write: 400.1 MiB/s",
		"INFO: Starting Backup of VM 100 (qemu)":                                        "Starting Backup of VM 100 (qemu)",
		"INFO: ionice priority: 7":                                                      "",
		"TASK OK":                                                                       "",
	} {
		if got, _ := vzdump.Progress(line); got != want {
			t.Errorf("Progress(%q) = %q, want %q", line, got, want)
		}
	}
}

func FuzzParseLog(f *testing.F) {
	for _, name := range []string{"one-of-two-missing", "qemu-running-snapshot", "report-32-prune-failed"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".log"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, run := range vzdump.ParseLog(strings.Split(text, "\n")).Runs {
			if run.Done && run.Failure != "" {
				t.Errorf("a run that is done and failed: %+v", run)
			}
			if run.Percent > 100 {
				t.Errorf("percent = %d", run.Percent)
			}
			if !run.Done && !run.PruneFailed && vzdump.ConsistencyOf(run) != "" {
				t.Errorf("a run without an archive has a consistency: %+v", run)
			}
		}
	})
}
