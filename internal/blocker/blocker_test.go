package blocker_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

var (
	ct = guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}
	vm = guest.Ref{Node: "pve2", Kind: guest.QEMU, VMID: 202}
)

const upid = "UPID:pve1:0000C350:0001E240:6AC1B2D3:vzdump:5001:root@pam!tf:"

func openRecord() *stage.Record {
	return &stage.Record{Guest: ct, Stage: stage.Create, Since: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)}
}

// The texts that people read, word for word.
func TestSentences(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		blocker        blocker.Blocker
		kind           blocker.Kind
		sentence, help string
	}{
		"gone": {blocker.Gone{Guest: ct}, "gone",
			"Container 5001 is gone from the whole cluster: something else has destroyed it.",
			"Plan again, so that the plan follows what is there now."},
		"gone, and the number is taken": {blocker.Gone{Guest: ct, Now: &guest.Ref{Node: "pve2", Kind: guest.QEMU, VMID: 5001}}, "gone",
			"Container 5001 is not on node pve1 any more: the number 5001 now belongs to a VM on node pve2.",
			"Plan again, so that the plan follows what is there now."},
		"protected": {blocker.Protected{Guest: ct}, "protected",
			"Container 5001 has protection set.",
			"If it may go, set protection = false and apply that alone, or run on node pve1: pct set 5001 --protection 0"},
		"a protected VM": {blocker.Protected{Guest: vm}, "protected",
			"VM 202 has protection set.",
			"If it may go, set protection = false and apply that alone, or run on node pve2: qm set 202 --protection 0"},
		"locked": {blocker.Locked{Guest: ct, Lock: "backup"}, "locked",
			"Container 5001 is locked (backup): an operation holds it, or has died and left its lock.",
			"Wait for the operation to end. Only if no task of this guest is running, unlock it on node pve1: pct unlock 5001"},
		"a backup runs": {blocker.BackupOrRestoreRunning{Guest: ct, Tasks: []blocker.Task{{UPID: upid, Type: "vzdump"}}}, "backup_or_restore_running",
			"A backup or restore of container 5001 is running: " + upid + ".",
			"Wait for it to end and plan again."},
		"a protected backup": {blocker.ProtectedRestorePoint{Guest: ct, Archives: []string{"nas:backup/a.tar.zst", "pbs:backup/ct/5001/2026-07-01T00:30:00Z"}}, "protected_restore_point",
			"Somebody has protected a backup of container 5001, which says that its data still matters: nas:backup/a.tar.zst, pbs:backup/ct/5001/2026-07-01T00:30:00Z.",
			`The backup itself stays. To go on, set waive_blockers = ["protected_restore_point"], or clear the protection of each, for example on node pve1: pvesh set /nodes/pve1/storage/nas/content/nas:backup/a.tar.zst --protected 0`},
		"the root file system would shrink": {blocker.RootfsWouldShrink{Guest: ct, Key: "rootfs", Current: 8*bytesize.GiB + bytesize.MiB, Wanted: 4 * bytesize.GiB}, "rootfs_would_shrink",
			"rootfs of container 5001 would shrink from 8590983168 bytes (9 GiB) to 4294967296 bytes (4 GiB).",
			"Set its size to 9G or more."},
		"a size of nonsense": {blocker.SizeUnreadable{Guest: ct, Key: "mp0", Text: "big"}, "size_unreadable",
			`The size of mp0 of container 5001 cannot be told: its configuration says "big" and the storage does not say it.`,
			"Let Proxmox write the size again, on node pve1: pct rescan --vmid 5001"},
		"no size": {blocker.SizeUnreadable{Guest: vm, Key: "scsi0"}, "size_unreadable",
			"The size of scsi0 of VM 202 cannot be told: its configuration has none and the storage does not say it.",
			"Let Proxmox write the size again, on node pve2: qm rescan --vmid 202"},
		"unreadable volumes": {blocker.UnclassifiableVolume{Guest: ct, Entries: []blocker.KeyValue{{"mp0", "x,mp=/a"}, {"mp1", "local-lvm:8"}}}, "unclassifiable_volume",
			"What would happen to some volumes of container 5001 cannot be told, because their entries cannot be read: mp0: x,mp=/a; mp1: local-lvm:8.",
			"Repair or remove these entries of the guest's configuration, on node pve1: pct config 5001"},
		"an open record": {blocker.ReplaceInFlight{Guest: ct, Record: openRecord()}, "replace_in_flight",
			`An operation on container 5001 on node pve1 died at stage "create" on 2026-07-01T12:00:00Z. Whether container 5001 exists could not be determined; its number must not be taken for free.`,
			`Look at the guest. Then close the record with acknowledge = ["` + openRecord().Token() + `"] on the provider, or forget the guest with terraform state rm.`},
		"another destroy runs": {blocker.ReplaceInFlight{Guest: ct, Tasks: []blocker.Task{{UPID: upid}}}, "replace_in_flight",
			"Another operation that creates or destroys container 5001 is running: " + upid + ".",
			"Wait for it to end and plan again."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.blocker.Kind(); got != tc.kind {
				t.Errorf("kind %q, want %q", got, tc.kind)
			}
			if got := tc.blocker.Sentence(); got != tc.sentence {
				t.Errorf("sentence\n%s\nwant\n%s", got, tc.sentence)
			}
			if got := tc.blocker.Help(); got != tc.help {
				t.Errorf("help\n%s\nwant\n%s", got, tc.help)
			}
		})
	}
}

func one(k blocker.Kind) blocker.Blocker {
	return map[blocker.Kind]blocker.Blocker{
		blocker.KindGone: blocker.Gone{Guest: ct}, blocker.KindProtected: blocker.Protected{Guest: ct}, blocker.KindLocked: blocker.Locked{Guest: ct},
		blocker.KindBackupOrRestoreRunning: blocker.BackupOrRestoreRunning{Guest: ct}, blocker.KindProtectedRestorePoint: blocker.ProtectedRestorePoint{Guest: ct},
		blocker.KindRootfsWouldShrink: blocker.RootfsWouldShrink{Guest: ct}, blocker.KindSizeUnreadable: blocker.SizeUnreadable{Guest: ct},
		blocker.KindUnclassifiableVolume: blocker.UnclassifiableVolume{Guest: ct}, blocker.KindReplaceInFlight: blocker.ReplaceInFlight{Guest: ct},
	}[k]
}

func TestThereAreNine(t *testing.T) {
	t.Parallel()
	all := blocker.All()
	if len(all) != 9 {
		t.Fatalf("%d kinds", len(all))
	}
	for _, k := range all {
		if b := one(k); b == nil || b.Kind() != k {
			t.Errorf("no type for %q", k)
		}
		if k.Waivable() != (k == "protected_restore_point") {
			t.Errorf("Waivable(%s) = %t", k, k.Waivable())
		}
	}
}

func TestRelevant(t *testing.T) {
	t.Parallel()
	everything := func() []blocker.Blocker {
		var list []blocker.Blocker
		for _, k := range slices.Backward(blocker.All()) {
			list = append(list, one(k))
		}
		return list
	}
	without := func(drop ...blocker.Kind) []blocker.Kind {
		return slices.DeleteFunc(blocker.All(), func(k blocker.Kind) bool { return slices.Contains(drop, k) })
	}
	for name, tc := range map[string]struct {
		op     blocker.Operation
		waived []string
		want   []blocker.Kind
	}{
		"a reinstall meets all nine":    {blocker.Reinstall, nil, blocker.All()},
		"a destroy does not mind sizes": {blocker.Destroy, nil, without("gone", "rootfs_would_shrink", "size_unreadable")},
		"the one that can be waived":    {blocker.Reinstall, []string{"protected_restore_point"}, without("protected_restore_point")},
		"naming another waives nothing": {blocker.Reinstall, []string{"protected", "locked", "gone", "nonsense"}, blocker.All()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []blocker.Kind
			for _, b := range blocker.Relevant(tc.op, everything(), tc.waived) {
				got = append(got, b.Kind())
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %v\nwant %v", got, tc.want)
			}
		})
	}
}

func TestARefusalListsAllReasonsAtOnce(t *testing.T) {
	t.Parallel()
	if err := blocker.Refuse(ct, blocker.Destroy, nil, nil, nil); err != nil {
		t.Fatalf("nothing stands in the way, got %v", err)
	}
	err := blocker.Refuse(ct, blocker.Reinstall,
		[]blocker.Blocker{blocker.Protected{Guest: ct}, blocker.Locked{Guest: ct, Lock: "backup"}},
		&blocker.Managed{Guest: ct, HA: "ct:5001", Jobs: []string{"5001-0"}},
		&blocker.Changed{Guest: ct, Differences: []datalabel.Difference{{Key: "mp0", Planned: "a:b"}, {Key: "mp1", Live: "a:c"}}})
	const want = `Container 5001 cannot be reinstalled:
- protected: Container 5001 has protection set.
  If it may go, set protection = false and apply that alone, or run on node pve1: pct set 5001 --protection 0
- locked: Container 5001 is locked (backup): an operation holds it, or has died and left its lock.
  Wait for the operation to end. Only if no task of this guest is running, unlock it on node pve1: pct unlock 5001
- managed: Container 5001 is managed by the HA resource ct:5001 and replication (5001-0), and Proxmox destroys such a guest only together with its entries in HA, replication and backup jobs.
  Either take it out first and put it back afterwards: ha-manager remove ct:5001; pvesr delete 5001-0; or leave it to Proxmox: terraform state rm, then on node pve1: pct destroy 5001 --purge
- changed: The volumes of container 5001 are not those that were planned on:
  - mp0: a:b is not there any more
  - mp1: a:c has been added since`
	if err.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", err, want)
	}
	refusal, ok := errors.AsType[*blocker.Refusal](err)
	if !ok || !refusal.Has(blocker.KindLocked) || refusal.Has(blocker.KindGone) {
		t.Errorf("%T does not say what it holds", err)
	}
}

func TestPreconditionsInWords(t *testing.T) {
	t.Parallel()
	changed := &blocker.Changed{Guest: ct, Differences: []datalabel.Difference{
		{Key: "mp0", Planned: "a:vm-5001-disk-1", Live: "a:vm-5001-disk-2"},
		{Key: "mp1", Live: "a:vm-5001-disk-3"},
		{Key: "mp2", Planned: "/tank"},
	}}
	stranger := &blocker.Stranger{Guest: vm, Known: "aaaa", Found: "bbbb"}
	for got, want := range map[error]string{
		changed: `The volumes of container 5001 are not those that were planned on:
- mp0: was a:vm-5001-disk-1, is now a:vm-5001-disk-2
- mp1: a:vm-5001-disk-3 has been added since
- mp2: /tank is not there any more`,
		stranger: `VM 202 on node pve2 is not the guest that this resource made. Its fingerprint is "bbbb" and the state has "aaaa": the number has been freed and given to another guest.`,
	} {
		if got.Error() != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
