package lifecycle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

func TestSavesGuest(t *testing.T) {
	t.Parallel()
	const head = "INFO: starting new backup job: vzdump "
	for line, want := range map[string]bool{
		head + "5001 --storage local":                         true,
		head + "100 5001 200 --storage local --mode snapshot": true,
		head + "100,5001 --storage local":                     true,
		head + "100 200 --storage local":                      false,
		head + "100 --storage 5001":                           false,
		head + "50010 --mode stop":                            false,
		head + "--all 1 --storage local":                      true,
		head + "--all 1 --exclude 100,5001 --storage local":   false,
		head + "--all 1 --exclude 100 --storage local":        true,
		head + "--pool web --storage local":                   true,
		"INFO: trying to get global lock - waiting...":        true,
		"": true,
	} {
		if got := savesGuest(line, 5001); got != want {
			t.Errorf("savesGuest(%q) = %t, want %t", line, got, want)
		}
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	row := func(kind, start, status string) pve.TaskRow {
		return pve.TaskRow{UPID: pve.UPID("UPID:pve1:0000C350:0001E240:" + start + ":" + kind + ":5001:root@pam:"), Type: kind, Status: status}
	}
	const made = 0x6AC1B2D3
	own := row("vzcreate", "6AC1B2D3", "OK")
	for name, tc := range map[string]struct {
		made int64
		past []pve.TaskRow
		want History
	}{
		"our own create is the last":                        {made, []pve.TaskRow{own}, History{OwnSeen: true}},
		"started and stopped since":                         {made, []pve.TaskRow{row("vzstart", "6AC1B2FF", "OK"), own}, History{OwnSeen: true}},
		"destroyed and made again since":                    {made, []pve.TaskRow{row("vzcreate", "6AC1B2FF", "OK"), row("vzdestroy", "6AC1B2F0", "OK"), own}, History{OwnSeen: true, RemadeSeen: true}},
		"restored since":                                    {made, []pve.TaskRow{row("vzrestore", "6AC1B2FF", "WARNINGS: 1")}, History{RemadeSeen: true}},
		"a destroy that failed":                             {made, []pve.TaskRow{row("vzdestroy", "6AC1B2FF", "CT is locked (backup)"), own}, History{OwnSeen: true}},
		"a destroy that was killed may have had its effect": {made, []pve.TaskRow{row("vzdestroy", "6AC1B2FF", "unexpected status"), own}, History{OwnSeen: true, RemadeSeen: true}},
		"what was before us":                                {made, []pve.TaskRow{row("vzdestroy", "6AC1B200", "OK"), own}, History{OwnSeen: true}},
		"not made by us":                                    {0, []pve.TaskRow{own}, History{}},
		"an empty list":                                     {made, nil, History{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, history(tc.past, tc.made)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
