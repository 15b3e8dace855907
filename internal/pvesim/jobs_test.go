package pvesim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// ask makes a request and returns the status line's words and "data".
func ask(t *testing.T, sim *pvesim.Server, method, path string, form url.Values) (string, any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, sim.URL()+"/api2/json"+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "PVEAPIToken="+sim.Token())
	if method != http.MethodGet {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	var answer struct{ Data any }
	_ = json.Unmarshal(text, &answer)
	return resp.Status, answer.Data
}

func jobCluster(t *testing.T, file string) *pvesim.Server {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/cases/jobs", file))
	if err != nil {
		t.Fatal(err)
	}
	sim, err := pvesim.New(pvesim.Options{
		Files:  map[string]string{"jobs.cfg": string(text), "user.cfg": "user:root@pam:1:0::::::\n"},
		Tokens: map[string]string{"root@pam!t": "11111111-2222-3333-4444-555555555555"},
		Now:    func() time.Time { return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	return sim
}

// What PVE::Jobs reads from files of old and of hand-made clusters.
func TestJobFiles(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"01-two-jobs-vmid-lists.cfg": `[{"compress":"zstd","enabled":1,"fleecing":{"enabled":0},"id":"backup-0b12dd8f-1938","mailnotification":"always","mailto":"ops@example.com","mode":"snapshot","next-run":1796009400,"notes-template":"{{guestname}}","notification-mode":"notification-system","prune-backups":{"keep-last":"4"},"schedule":"03:30","storage":"nas-backup","type":"vzdump","vmid":"101,103,102,105"},` +
			`{"compress":"zstd","enabled":1,"fleecing":{"enabled":0},"id":"backup-2580fb0a-c002","mode":"snapshot","next-run":1796518800,"notes-template":"{{guestname}}","notification-mode":"notification-system","prune-backups":{"keep-last":"4"},"schedule":"sun 01:00","storage":"nas-backup","type":"vzdump","vmid":"102,103,101,105"}]`,
		"05-fleecing-performance.cfg": `[{"all":1,"enabled":1,"fleecing":{"enabled":1,"storage":"local-lvm"},"id":"nightly-pbs","mode":"snapshot","next-run":1796005800,"notes-template":"{{cluster}}-{{node}}-{{guestname}}-{{vmid}}","notification-mode":"notification-system","pbs-change-detection-mode":"metadata","performance":{"max-workers":"8","pbs-entries-max":"2097152"},"prune-backups":{"keep-daily":"7","keep-monthly":"6","keep-weekly":"4"},"repeat-missed":1,"schedule":"02:30","storage":"pbs-main","type":"vzdump"}]`,
		// A cron line is no schedule, and without one there is no job.
		"08-four-space-indent-cron.cfg": `[]`,
		"10-legacy-starttime-dow.cfg":   `[]`,
		"11-realm-sync-between.cfg": `[{"all":1,"enabled":1,"id":"backup-a","mailto":"admin@example.com,root,ops@example.com","mode":"snapshot","next-run":1795986000,"schedule":"21:00","storage":"pbs-main","type":"vzdump"},` +
			`{"all":1,"enabled":0,"exclude":"9001,9002,9004,9005","id":"backup-b","mode":"snapshot","schedule":"22:00","storage":"TrueNAS","type":"vzdump"}]`,
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			_, data := ask(t, jobCluster(t, file), http.MethodGet, "/cluster/backup", nil)
			got, _ := json.Marshal(data)
			if string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A write leaves files that Proxmox wrote itself as they were, but for the change.
func TestJobFilesAreWrittenAsTheyWereRead(t *testing.T) {
	t.Parallel()
	for file, id := range map[string]string{
		"01-two-jobs-vmid-lists.cfg": "backup-2580fb0a-c002",
		"02-all-exclude-prune.cfg":   "backup-nightly",
		"04-pbs-all-script.cfg":      "backup-07cdf241-8b56",
		"07-exclude-path-limits.cfg": "backup-limits",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			sim := jobCluster(t, file)
			before, _ := sim.ReadFile("jobs.cfg")
			for _, form := range []url.Values{{"comment": {"x"}}, {"delete": {"comment"}}} {
				if status, _ := ask(t, sim, http.MethodPut, "/cluster/backup/"+id, form); status != "200 OK" {
					t.Fatal(status)
				}
			}
			after, _ := sim.ReadFile("jobs.cfg")
			if strings.TrimSpace(after) != strings.TrimSpace(before) {
				t.Errorf("got\n%s\nwant\n%s", after, before)
			}
		})
	}
}
