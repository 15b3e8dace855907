package lifecycle_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// facts of a container that nothing stands in the way of.
func facts(change func(*lifecycle.Facts)) lifecycle.Facts {
	f := lifecycle.Facts{Guest: ref, Present: true, Config: pve.GuestConfig{
		Values: map[string]string{"rootfs": root + ",size=8G", "mp0": "/tank,mp=/srv"}, Full: true,
	}}
	change(&f)
	f.Entries = lifecycle.EntriesOf(guest.LXC, f.Guest.VMID, f.Config)
	return f
}

func TestFactsAndTheirBlockers(t *testing.T) {
	t.Parallel()
	task := []blocker.Task{{UPID: "UPID:…", Type: "vzdump"}}
	record := &stage.Record{Guest: ref, Stage: stage.Create}
	for name, tc := range map[string]struct {
		change func(*lifecycle.Facts)
		record *stage.Record
		wanted bytesize.Size
		want   []blocker.Blocker
	}{
		"nothing":                           {func(*lifecycle.Facts) {}, nil, 8 * bytesize.GiB, nil},
		"gone":                              {func(f *lifecycle.Facts) { f.Present = false }, nil, 0, []blocker.Blocker{blocker.Gone{Guest: ref}}},
		"protection=1":                      {func(f *lifecycle.Facts) { f.Config.Values["protection"] = "1" }, nil, 0, []blocker.Blocker{blocker.Protected{Guest: ref}}},
		"protection=0":                      {func(f *lifecycle.Facts) { f.Config.Values["protection"] = "0" }, nil, 0, nil},
		"protection of a word nobody knows": {func(f *lifecycle.Facts) { f.Config.Values["protection"] = "please" }, nil, 0, []blocker.Blocker{blocker.Protected{Guest: ref}}},
		"pending protection":                {func(f *lifecycle.Facts) { f.Config.Pending = map[string]pve.PendingValue{"protection": {Value: "1"}} }, nil, 0, []blocker.Blocker{blocker.Protected{Guest: ref}}},
		"protection pending deletion": {func(f *lifecycle.Facts) {
			f.Config.Values["protection"] = "1"
			f.Config.Pending = map[string]pve.PendingValue{"protection": {Delete: 1}}
		}, nil, 0, []blocker.Blocker{blocker.Protected{Guest: ref}}},
		"a lock":              {func(f *lifecycle.Facts) { f.Config.Values["lock"] = "snapshot" }, nil, 0, []blocker.Blocker{blocker.Locked{Guest: ref, Lock: "snapshot"}}},
		"a backup runs":       {func(f *lifecycle.Facts) { f.Saving = task }, nil, 0, []blocker.Blocker{blocker.BackupOrRestoreRunning{Guest: ref, Tasks: task}}},
		"a protected archive": {func(f *lifecycle.Facts) { f.Protected = []string{"nas:backup/a"} }, nil, 0, []blocker.Blocker{blocker.ProtectedRestorePoint{Guest: ref, Archives: []string{"nas:backup/a"}}}},
		"a smaller root":      {func(*lifecycle.Facts) {}, nil, 4 * bytesize.GiB, []blocker.Blocker{blocker.RootfsWouldShrink{Guest: ref, Key: "rootfs", Current: 8 * bytesize.GiB, Wanted: 4 * bytesize.GiB}}},
		"no size":             {func(f *lifecycle.Facts) { f.Config.Values["rootfs"] = root }, nil, 4 * bytesize.GiB, []blocker.Blocker{blocker.SizeUnreadable{Guest: ref, Key: "rootfs"}}},
		"garbage":             {func(f *lifecycle.Facts) { f.Config.Values["mp1"] = "x" }, nil, 0, []blocker.Blocker{blocker.UnclassifiableVolume{Guest: ref, Entries: []blocker.KeyValue{{Key: "mp1", Value: "x"}}}}},
		"pending garbage": {func(f *lifecycle.Facts) { f.Config.Pending = map[string]pve.PendingValue{"mp1": {Value: "x"}} }, nil, 0,
			[]blocker.Blocker{blocker.UnclassifiableVolume{Guest: ref, Entries: []blocker.KeyValue{{Key: "mp1.pending", Value: "x"}}}}},
		"an open record":      {func(*lifecycle.Facts) {}, record, 0, []blocker.Blocker{blocker.ReplaceInFlight{Guest: ref, Record: record}}},
		"a create is running": {func(f *lifecycle.Facts) { f.Making = task }, nil, 0, []blocker.Blocker{blocker.ReplaceInFlight{Guest: ref, Tasks: task}}},
		"gone with an open record": {func(f *lifecycle.Facts) { f.Present = false }, record, 0,
			[]blocker.Blocker{blocker.ReplaceInFlight{Guest: ref, Record: record}, blocker.Gone{Guest: ref}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := facts(tc.change)
			wanted := map[string]bytesize.Size{}
			if tc.wanted != 0 {
				wanted["rootfs"] = tc.wanted
			}
			if diff := cmp.Diff(tc.want, f.Blockers(wanted, tc.record)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Everything at once: no reason hides another.
func TestAllBlockersAtOnce(t *testing.T) {
	t.Parallel()
	f := facts(func(f *lifecycle.Facts) {
		f.Config.Values = map[string]string{"protection": "1", "lock": "backup", "rootfs": root + ",size=8G", "mp0": "local:5001/vm-5001-disk-1.raw,mp=/a", "mp1": "x"}
		f.Saving = []blocker.Task{{UPID: "a"}}
		f.Making = []blocker.Task{{UPID: "b"}}
		f.Protected = []string{"nas:backup/a"}
	})
	wanted := map[string]bytesize.Size{"rootfs": bytesize.GiB, "mp0": bytesize.GiB}
	var got []blocker.Kind
	for _, b := range blocker.Relevant(blocker.Reinstall, f.Blockers(wanted, nil), nil) {
		got = append(got, b.Kind())
	}
	want := slices.DeleteFunc(blocker.All(), func(k blocker.Kind) bool { return k == blocker.KindGone })
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}
