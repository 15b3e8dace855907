package pve_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

const (
	backupUPID  = "UPID:pve1:00000463:0003E069:6B0C0EF7:vzdump:120:root@pam!tf:"
	restoreUPID = "UPID:pve1:000005B3:0003E653:6B0C0F06:vzrestore:121:root@pam!tf:"
	archive120  = "local:backup/vzdump-lxc-120-2026_11_29-11_39_37.tar"
)

var archivePath = "/nodes/pve1/storage/local/content/local%3Abackup%2Fvzdump-lxc-120-2026_11_29-11_39_37.tar"

func TestBackupRequests(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		step step
		call func(context.Context, *pve.Client) error
		want string // the error, empty for none
	}{
		"a backup": {
			step{"POST /nodes/pve1/vzdump", "compress=zstd\nmode=snapshot\nstorage=local\nvmid=120", data(`"` + backupUPID + `"`), nil},
			func(ctx context.Context, c *pve.Client) error {
				u, err := c.Backup(ctx, "pve1", pve.Params{"vmid": "120", "storage": "local", "mode": "snapshot", "compress": "zstd"})
				if err == nil && u != backupUPID {
					return errors.New(string(u))
				}
				return err
			}, "",
		},
		"a backup of a guest that is on another node": {
			step{"POST /nodes/pve1/vzdump", "vmid=120", data(`"OK"`), nil},
			func(ctx context.Context, c *pve.Client) error {
				_, err := c.Backup(ctx, "pve1", pve.Params{"vmid": "120"})
				return err
			}, "node pve1 holds none of the guests to back up (120), so no backup was started",
		},
		"a backup that is refused": {
			step{"POST /nodes/pve1/vzdump", "compress=none", "400 Parameter verification failed.\n" +
				`{"data":null,"message":"Parameter verification failed.\n","errors":{"compress":"value 'none' does not have a value in the enumeration '0, 1, gzip, lzo, zstd'"}}`, nil},
			func(ctx context.Context, c *pve.Client) error {
				_, err := c.Backup(ctx, "pve1", pve.Params{"compress": "none"})
				return err
			}, "POST /nodes/pve1/vzdump: 400 Parameter verification failed.; compress: value 'none' does not have a value in the enumeration '0, 1, gzip, lzo, zstd'",
		},
		"a restore of a container, never with force": {
			step{"POST /nodes/pve1/lxc", "ostemplate=" + strings.NewReplacer(":", "%3A", "/", "%2F").Replace(archive120) + "\nrestore=1\nstorage=local\nunique=1\nvmid=121", data(`"` + restoreUPID + `"`), nil},
			func(ctx context.Context, c *pve.Client) error {
				_, err := c.Restore(ctx, guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 121}, archive120, pve.Params{"storage": "local", "unique": "1", "force": "1"})
				return err
			}, "",
		},
		"a restore of a VM": {
			step{"POST /nodes/pve1/qemu", "archive=nas%3Abackup%2Fx.vma\nvmid=121", data(`"` + strings.Replace(restoreUPID, "vz", "qm", 1) + `"`), nil},
			func(ctx context.Context, c *pve.Client) error {
				_, err := c.Restore(ctx, guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 121}, "nas:backup/x.vma", nil)
				return err
			}, "",
		},
		"the configuration in an archive": {
			step{"GET /nodes/pve1/vzdump/extractconfig?volume=local%3Abackup%2Fvzdump-lxc-120-2026_11_29-11_39_37.tar", "", data(`"arch: amd64\nhostname: b120\n"`), nil},
			func(ctx context.Context, c *pve.Client) error {
				text, err := c.ArchiveConfig(ctx, "pve1", archive120)
				if err == nil && text != "arch: amd64\nhostname: b120\n" {
					return errors.New(text)
				}
				return err
			}, "",
		},
		"notes and protection": {
			step{"PUT " + archivePath, "notes=two%0Alines\nprotected=0", data("null"), nil},
			func(ctx context.Context, c *pve.Client) error {
				return c.UpdateArchive(ctx, "pve1", "local", archive120, pve.Params{"notes": "two\nlines", "protected": "0"})
			}, "",
		},
		"a download": {
			step{"POST /nodes/pve1/storage/local/download-url", "checksum=00ff\nchecksum-algorithm=sha256\ncontent=vztmpl\nfilename=a.tar.zst\nurl=https%3A%2F%2Fexample.org%2Fa.tar.zst%3Fx%3D1",
				data(`"UPID:pve1:000005A4:0003E596:6B0C0F04:download:a.tar.zst:root@pam!tf:"`), nil},
			func(ctx context.Context, c *pve.Client) error {
				_, err := c.Download(ctx, "pve1", "local", pve.Params{"url": "https://example.org/a.tar.zst?x=1", "content": "vztmpl",
					"filename": "a.tar.zst", "checksum": "00ff", "checksum-algorithm": "sha256"})
				return err
			}, "",
		},
		"a template of the catalogue": {
			step{"POST /nodes/pve1/aplinfo", "storage=local\ntemplate=debian-12-standard_12.7-1_amd64.tar.zst",
				data(`"UPID:pve1:000005A4:0003E596:6B0C0F04:download:debian-12-standard_12.7-1_amd64.tar.zst:root@pam!tf:"`), nil},
			func(ctx context.Context, c *pve.Client) error {
				_, err := c.DownloadAppliance(ctx, "pve1", "local", "debian-12-standard_12.7-1_amd64.tar.zst")
				return err
			}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tc.step)
			err := tc.call(t.Context(), s.client(t))
			if got := textOf(err); got != tc.want {
				t.Errorf("the error is\n%s\nexpected\n%s", got, tc.want)
			}
		})
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestBackupJobs(t *testing.T) {
	t.Parallel()
	s := newScript(t,
		step{request: "GET /cluster/backup", answer: data(`[{"id":"job1","type":"vzdump","enabled":1,"schedule":"02:30","vmid":"120,121",` +
			`"prune-backups":{"keep-last":"3","keep-daily":"7"},"fleecing":{"enabled":1,"storage":"local-lvm"},"exclude-path":["/tmp/?*","/var/cache/?*"],"next-run":1795952400,"comment":null}]`)},
		step{request: "POST /cluster/backup", body: "all=1\nexclude-path=%2Fa%2F%3F%2A\nexclude-path=%2Fb\nid=job2\nschedule=02%3A30", answer: data("null")},
		step{request: "PUT /cluster/backup/job2", body: "comment=c\ndelete=all%2Cpool", answer: data("null")},
		step{request: "DELETE /cluster/backup/job2", answer: "500 400 Parameter verification failed.\n" + `{"data":null,"message":"400 Parameter verification failed.\nid: No such job 'job2'\n"}`},
		step{request: "GET /cluster/backup-info/not-backed-up", answer: data(`[{"vmid":5110,"type":"lxc","name":"c2"}]`)},
	)
	c, ctx := s.client(t), t.Context()
	jobs, err := c.BackupJobs(ctx)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("BackupJobs = %v, %v", jobs, err)
	}
	if want := map[string]string{"enabled": "1", "schedule": "02:30", "vmid": "120,121", "prune-backups": "keep-daily=7,keep-last=3",
		"fleecing": "enabled=1,storage=local-lvm"}; !reflect.DeepEqual(jobs[0].Values, want) || jobs[0].ID != "job1" {
		t.Errorf("the values are %v, expected %v", jobs[0].Values, want)
	}
	if got := jobs[0].NextRun.Unix(); got != 1795952400 || len(jobs[0].Lists["exclude-path"]) != 2 {
		t.Errorf("next run %d, lists %v", got, jobs[0].Lists)
	}
	if err := c.CreateBackupJob(ctx, "job2", pve.JobChange{Set: map[string]string{"schedule": "02:30", "all": "1"},
		Lists: map[string][]string{"exclude-path": {"/a/?*", "/b"}}}); err != nil {
		t.Error(err)
	}
	if err := c.UpdateBackupJob(ctx, "job2", pve.JobChange{}); err != nil {
		t.Error(err)
	}
	if err := c.UpdateBackupJob(ctx, "job2", pve.JobChange{Set: map[string]string{"comment": "c"}, Delete: []string{"pool", "all"}}); err != nil {
		t.Error(err)
	}
	if err := c.DeleteBackupJob(ctx, "job2"); !errors.Is(err, pve.ErrNoSuch) {
		t.Errorf("DeleteBackupJob = %v, expected ErrNoSuch", err)
	}
	guests, err := c.NotBackedUp(ctx)
	if err != nil || !reflect.DeepEqual(guests, []pve.UnprotectedGuest{{VMID: 5110, Kind: guest.LXC, Name: "c2"}}) {
		t.Errorf("NotBackedUp = %v, %v", guests, err)
	}
}
