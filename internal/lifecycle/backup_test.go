package lifecycle_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

var web = guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}

// backups is a cluster with a container and a VM, and what works on it.
func backups(t *testing.T) (*pvesim.Server, *pve.Client, *lifecycle.Lifecycle) {
	t.Helper()
	s, err := pvesim.New(pvesim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.WriteFile("nodes/pve1/lxc/5001.conf", "arch: amd64\nhostname: web\nmemory: 512\nrootfs: local-lvm:vm-5001-disk-0,size=4G\n"+
		"mp0: local-lvm:vm-5001-disk-1,mp=/data,backup=1,size=8G\nmp1: local-lvm:vm-5001-disk-2,mp=/scratch,size=2G\nunprivileged: 1\n")
	s.WriteFile("nodes/pve1/qemu-server/5002.conf", "name: db\nmemory: 1024\nscsi0: local-lvm:vm-5002-disk-0,size=32G\nscsi1: local-lvm:vm-5002-disk-1,backup=0,size=8G\n")
	client, err := pve.New(pve.Options{Endpoints: []string{s.URL()}, APIToken: s.Token()})
	if err != nil {
		t.Fatal(err)
	}
	return s, client, lifecycle.New(client, time.Now)
}

func posts(s *pvesim.Server) []string {
	var found []string
	for _, r := range s.Requests() {
		if r.Method == http.MethodPost {
			found = append(found, r.Path+" "+r.Params.Encode())
		}
	}
	return found
}

func TestABackupIsDescribedAsItCameOut(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		guest       guest.Ref
		runs        bool
		order       lifecycle.BackupOrder
		sent        string
		consistency vzdump.Consistency
		included    []string
		excluded    []string
	}{
		"a running container by snapshot": {
			guest: web, runs: true, order: lifecycle.BackupOrder{Mode: vzdump.Snapshot, Compress: vzdump.Zstd},
			sent: "/nodes/pve1/vzdump compress=zstd&mode=snapshot&storage=local&vmid=5001", consistency: vzdump.CrashConsistent,
			included: []string{"rootfs", "mp0"}, excluded: []string{"mp1"},
		},
		"a running container that is stopped for it": {
			guest: web, runs: true, order: lifecycle.BackupOrder{Mode: vzdump.Stop},
			sent: "/nodes/pve1/vzdump mode=stop&storage=local&vmid=5001", consistency: vzdump.Consistent,
			included: []string{"rootfs", "mp0"}, excluded: []string{"mp1"},
		},
		"a stopped container": {
			guest: web, order: lifecycle.BackupOrder{Mode: vzdump.Snapshot, Notes: "before\\upgrade\nof 9", Protected: true},
			sent:        `/nodes/pve1/vzdump mode=snapshot&notes-template=before%5C%5Cupgrade%5Cnof+9&protected=1&storage=local&vmid=5001`,
			consistency: vzdump.Consistent, included: []string{"rootfs", "mp0"}, excluded: []string{"mp1"},
		},
		"a running VM": {
			guest: guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 5002}, runs: true, order: lifecycle.BackupOrder{Mode: vzdump.Snapshot, Compress: vzdump.Uncompressed},
			sent: "/nodes/pve1/vzdump compress=0&mode=snapshot&storage=local&vmid=5002", consistency: vzdump.CrashConsistent,
			included: []string{"scsi0"}, excluded: []string{"scsi1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, client, life := backups(t)
			s.SetRunning(int(tc.guest.VMID), tc.runs)
			tc.order.Guest, tc.order.Storage = tc.guest, "local"
			task, _, err := life.StartBackup(t.Context(), tc.order)
			if err != nil {
				t.Fatal(err)
			}
			if got := posts(s); !slices.Equal(got, []string{tc.sent}) {
				t.Errorf("sent\n%s\nwant\n%s", got, tc.sent)
			}
			if _, err := client.Wait(t.Context(), task); err != nil {
				t.Fatal(err)
			}
			b, err := life.SettleBackup(t.Context(), tc.guest, "local", task)
			if err != nil {
				t.Fatal(err)
			}
			if got := vzdump.ConsistencyOf(b.Run); got != tc.consistency {
				t.Errorf("consistency %q, want %q", got, tc.consistency)
			}
			if got := listedKeys(b.Run.Included); !slices.Equal(got, tc.included) {
				t.Errorf("included %v, want %v", got, tc.included)
			}
			if got := listedKeys(b.Run.Excluded); !slices.Equal(got, tc.excluded) {
				t.Errorf("excluded %v, want %v", got, tc.excluded)
			}
			if b.Size == 0 || b.Created.IsZero() || !slices.Contains(s.Volumes("pve1"), b.Volume) {
				t.Errorf("archive %s of %d bytes, created %s", b.Volume, b.Size, b.Created)
			}
			if tc.order.Notes != "" {
				info, err := client.Volume(t.Context(), "pve1", b.Volume)
				if err != nil || info.Notes != tc.order.Notes || !bool(info.Protected) {
					t.Errorf("the archive has notes %q, protected %t, %v", info.Notes, info.Protected, err)
				}
			}
		})
	}
}

func listedKeys(list []vzdump.Entry) []string {
	var keys []string
	for _, e := range list {
		keys = append(keys, e.Key)
	}
	return keys
}

// Every way in which a vzdump refuses or fails names the guest, the storage and
// the reason of the log, and never only "job errors".
func TestAFailedBackupNamesItsReason(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(s *pvesim.Server)
		storage string
		guest   guest.Ref
		want    string
	}{
		"the guest is gone": {
			prepare: func(s *pvesim.Server) { s.RemoveFile("nodes/pve1/lxc/5001.conf") }, storage: "local", guest: web,
			want: "the backup of container 5001 to storage local failed: unable to find VM '5001'",
		},
		"the storage takes no backups": {
			prepare: func(*pvesim.Server) {}, storage: "local-lvm", guest: web,
			want: "the backup of container 5001 to storage local-lvm failed: could not get storage information for 'local-lvm': can't use storage 'local-lvm' for backups - wrong content type",
		},
		"there is no such storage": {
			prepare: func(*pvesim.Server) {}, storage: "nosuch", guest: web,
			want: "the backup of container 5001 to storage nosuch failed: could not activate storage 'nosuch': storage 'nosuch' does not exist could not get storage information for 'nosuch': storage 'nosuch' does not exist",
		},
		"the storage is away": {
			prepare: func(s *pvesim.Server) { s.StorageOffline("local", true) }, storage: "local", guest: web,
			want: "the backup of container 5001 to storage local failed: could not activate storage 'local': storage 'local' is not online",
		},
		"the storage is full": {
			prepare: func(s *pvesim.Server) { s.StorageFull("local", true) }, storage: "local", guest: guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 5002},
			want: "the backup of VM 5002 to storage local failed: vma_queue_write: write error - Broken pipe",
		},
		"the guest is locked": {
			prepare: func(s *pvesim.Server) { s.Lock(5001, "migrate") }, storage: "local", guest: web,
			want: "the backup of container 5001 to storage local failed: CT is locked (migrate)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, client, life := backups(t)
			tc.prepare(s)
			task, ref, err := life.StartBackup(t.Context(), lifecycle.BackupOrder{Guest: tc.guest, Storage: tc.storage, Mode: vzdump.Snapshot})
			if err != nil {
				t.Fatal(err)
			}
			_, _ = client.Wait(t.Context(), task)
			s.StorageOffline("local", false)
			b, err := life.SettleBackup(t.Context(), ref, tc.storage, task)
			var failed *lifecycle.BackupError
			if !errors.As(err, &failed) || err.Error() != tc.want {
				t.Errorf("SettleBackup = %+v, %v\nwant %s", b, err, tc.want)
			}
		})
	}
}

// Report 32: the archive is there, only pruning failed. A second backup would be
// one too many.
func TestAnArchiveWhosePruningFailedIsRecorded(t *testing.T) {
	t.Parallel()
	s, client, life := backups(t)
	text, _ := s.ReadFile("storage.cfg")
	s.WriteFile("storage.cfg", strings.Replace(text, "\tcontent iso", "\tprune-backups keep-last=1\n\tcontent iso", 1))
	s.PruneFails("local", true)
	task, ref, err := life.StartBackup(t.Context(), lifecycle.BackupOrder{Guest: web, Storage: "local", Mode: vzdump.Snapshot})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Wait(t.Context(), task); err == nil {
		t.Error("the task did not fail")
	}
	b, err := life.SettleBackup(t.Context(), ref, "local", task)
	if err != nil || b.Volume == "" || b.Trouble != "error pruning backups - check log" {
		t.Errorf("SettleBackup = %+v, %v", b, err)
	}
}

func TestABackupIsStartedOnce(t *testing.T) {
	t.Parallel()
	order := lifecycle.BackupOrder{Guest: web, Storage: "local", Mode: vzdump.Snapshot}
	t.Run("an answer that is lost is looked for", func(t *testing.T) {
		t.Parallel()
		s, _, life := backups(t)
		s.DropConnection("POST", "/nodes/*/vzdump", true)
		task, _, err := life.StartBackup(t.Context(), order)
		if err != nil || task.Type() != "vzdump" || len(posts(s)) != 1 {
			t.Errorf("StartBackup = %s, %v; sent %v", task, err, posts(s))
		}
	})
	t.Run("one that did not arrive is not sent again", func(t *testing.T) {
		t.Parallel()
		s, _, life := backups(t)
		s.DropConnection("POST", "/nodes/*/vzdump", false)
		_, _, err := life.StartBackup(t.Context(), order)
		if !errors.Is(err, pve.ErrAmbiguous) || len(posts(s)) != 1 {
			t.Errorf("StartBackup = %v; sent %v", err, posts(s))
		}
	})
	t.Run("a guest that has moved is followed", func(t *testing.T) {
		t.Parallel()
		_, _, life := backups(t)
		order := order
		order.Guest.Node = "pve2"
		_, ref, err := life.StartBackup(t.Context(), order)
		if err != nil || ref != web {
			t.Errorf("StartBackup = %v, %v", ref, err)
		}
	})
	t.Run("a task that the node has forgotten is settled by the storage", func(t *testing.T) {
		t.Parallel()
		s, client, life := backups(t)
		task, _, err := life.StartBackup(t.Context(), order)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = client.Wait(t.Context(), task)
		s.ForgetTask(string(task))
		b, err := life.SettleBackup(t.Context(), web, "local", task)
		if err != nil || b.Volume == "" || vzdump.ConsistencyOf(b.Run) != "" {
			t.Errorf("SettleBackup = %+v, %v", b, err)
		}
	})
}
