package vzdumppolicy

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// What the jobs of old and hand-made clusters are read as, and that reading them
// as a configuration asks for nothing else than what they have.
func TestJobsAreReadWhole(t *testing.T) {
	t.Parallel()
	for file, ids := range map[string]map[string]map[string]string{
		"01-two-jobs-vmid-lists.cfg":    {"backup-0b12dd8f-1938": {}, "backup-2580fb0a-c002": {}},
		"02-all-exclude-prune.cfg":      {"backup-nightly": {}},
		"04-pbs-all-script.cfg":         {"backup-07cdf241-8b56": {"script": "/usr/local/bin/vzdump-hook-script"}},
		"05-fleecing-performance.cfg":   {"nightly-pbs": {}},
		"07-exclude-path-limits.cfg":    {"backup-limits": {"dumpdir": "/mnt/usb/dump", "tmpdir": "/var/tmp", "remove": "0"}},
		"11-realm-sync-between.cfg":     {"backup-a": {}, "backup-b": {}},
		"08-four-space-indent-cron.cfg": {"backup-daily": nil},
		"10-legacy-starttime-dow.cfg":   {"backup-old-style": nil},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			s, r := simulated(t)
			content, err := os.ReadFile(filepath.Join("../../vzdump/testdata/jobs", file))
			if err != nil {
				t.Fatal(err)
			}
			s.WriteFile("jobs.cfg", string(content))
			for id, rest := range ids {
				job, err := r.find(t.Context(), id)
				if rest == nil {
					if !errors.Is(err, pve.ErrNoSuch) {
						t.Errorf("find(%s) = %v, want ErrNoSuch", id, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				m := model{ID: types.StringValue(id), MailTo: types.SetNull(types.StringType)}
				if d := m.fill(t.Context(), job, true); d.HasError() {
					t.Fatal(d)
				}
				want, d := m.wants(t.Context())
				if d.HasError() {
					t.Fatal(d)
				}
				change, theirs := compare(optionsOf(job), want, want)
				if !change.Empty() || theirs != nil {
					t.Errorf("%s would be changed: %+v, theirs %v", id, change, theirs)
				}
				others := map[string]string{}
				_ = m.OtherOptions.ElementsAs(t.Context(), &others, false)
				if diff := cmp.Diff(rest, others); diff != "" {
					t.Errorf("%s, other options: %s", id, diff)
				}
				if got := m.checkSelection(); got.HasError() {
					t.Errorf("%s: %v", id, got)
				}
			}
		})
	}
}

// An imported policy of vzdump keys that are written in another order keeps all
// of its retention when something else is changed.
func TestAChangeSendsOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	s, r := simulated(t)
	s.WriteFile("jobs.cfg", "vzdump: j1\n\tschedule 02:00\n\tenabled 1\n\tmode snapshot\n\tprune-backups keep-last=3,keep-daily=7,keep-weekly=4\n\tstorage local\n\tvmid 103,101\n")
	job, err := r.find(t.Context(), "j1")
	if err != nil {
		t.Fatal(err)
	}
	state := model{ID: types.StringValue("j1"), MailTo: types.SetNull(types.StringType)}
	if d := state.fill(t.Context(), job, true); d.HasError() {
		t.Fatal(d)
	}
	before, _ := state.wants(t.Context())
	for name, tc := range map[string]struct {
		change func(m *model)
		sent   string
	}{
		"one option":     {func(m *model) { m.Comment = text("x") }, "PUT /cluster/backup/j1 comment=x"},
		"one guest more": {func(m *model) { m.VMIDs = numbers(101, 103, 105) }, "PUT /cluster/backup/j1 vmid=101,103,105"},
		"a pool instead": {func(m *model) { m.VMIDs, m.Pool = types.SetNull(types.Int64Type), text("web") }, "PUT /cluster/backup/j1 delete=vmid pool=web"},
		"no retention":   {func(m *model) { m.PruneBackups = types.ObjectNull(pruneTypes) }, "PUT /cluster/backup/j1 delete=prune-backups"},
		"paths":          {func(m *model) { m.ExcludePaths = stringList([]string{"/a"}) }, "PUT /cluster/backup/j1 exclude-path=/a"},
		"nothing":        {func(*model) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan := state
			tc.change(&plan)
			want, _ := plan.wants(t.Context())
			s.ResetRequests()
			s.WriteFile("user.cfg", "user:root@pam:1:0::::::\npool:web::::\n"+tokens(s.ReadFile("user.cfg")))
			s.WriteFile("jobs.cfg", "vzdump: j1\n\tschedule 02:00\n\tenabled 1\n\tmode snapshot\n\tprune-backups keep-last=3,keep-daily=7,keep-weekly=4\n\tstorage local\n\tvmid 103,101\n")
			if err := r.change(t.Context(), "j1", before, want); err != nil {
				t.Fatal(err)
			}
			got := ""
			if lines := writes(s); len(lines) > 0 {
				got = lines[0]
			}
			if got != tc.sent {
				t.Errorf("sent %q, want %q", got, tc.sent)
			}
		})
	}
}

func TestAChangeOfSomebodyElseIsNotOverwritten(t *testing.T) {
	t.Parallel()
	s, r := simulated(t)
	s.WriteFile("jobs.cfg", "vzdump: j1\n\tschedule 04:00\n\tenabled 1\n\tprune-backups keep-last=9\n\tstorage local\n\tvmid 101\n")
	before := options{values: map[string]string{"schedule": "02:00", "enabled": "1", "prune-backups": "keep-last=3", "storage": "local", "vmid": "101"}}
	want := options{values: map[string]string{"schedule": "03:00", "enabled": "1", "prune-backups": "keep-last=5", "storage": "local", "vmid": "101"}}
	var theirs *TheirsError
	if err := r.change(t.Context(), "j1", before, want); !errors.As(err, &theirs) || len(theirs.Options) != 2 {
		t.Errorf("change = %v, want a TheirsError of two options", err)
	}
	if lines := writes(s); len(lines) > 0 {
		t.Errorf("sent %v", lines)
	}
}

// tokens keeps the lines of tokens when user.cfg is written anew.
func tokens(userCfg string, _ bool) string {
	var kept string
	for _, line := range strings.Split(userCfg, "\n") {
		if strings.HasPrefix(line, "token:") {
			kept += line + "\n"
		}
	}
	return kept
}
