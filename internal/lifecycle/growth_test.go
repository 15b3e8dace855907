package lifecycle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
)

var ref = guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 5001}

func TestShrinking(t *testing.T) {
	t.Parallel()
	const gib = bytesize.GiB
	shrink := func(current, wanted bytesize.Size) []blocker.Blocker {
		return []blocker.Blocker{blocker.RootfsWouldShrink{Guest: ref, Key: "rootfs", Current: current, Wanted: wanted}}
	}
	for name, tc := range map[string]struct {
		rootfs string
		wanted bytesize.Size
		real   bytesize.Size // 0: the storage does not say
		unsure bool
		want   []blocker.Blocker
	}{
		"the same size":                   {rootfs: root + ",size=8G", wanted: 8 * gib},
		"larger":                          {rootfs: root + ",size=8G", wanted: 9 * gib},
		"smaller by one MiB":              {rootfs: root + ",size=8G", wanted: 8*gib - bytesize.MiB, want: shrink(8*gib, 8*gib-bytesize.MiB)},
		"equal in another unit":           {rootfs: root + ",size=8192M", wanted: 8 * gib},
		"KiB that round up":               {rootfs: root + ",size=4100K", wanted: 4 * bytesize.MiB, want: shrink(4100*bytesize.KiB, 4*bytesize.MiB)},
		"unlimited":                       {rootfs: "local:5001/subvol-5001-disk-0.subvol,size=0T", wanted: gib},
		"bare bytes, storage says":        {rootfs: root + ",size=42949672960", wanted: 40 * gib, real: 40 * gib, unsure: true},
		"bare bytes, storage says larger": {rootfs: root + ",size=42949672960", wanted: 40 * gib, real: 41 * gib, unsure: true, want: shrink(41*gib, 40*gib)},
		"bare KiB, storage says":          {rootfs: root + ",size=8388608", wanted: 8 * gib, real: 8 * gib, unsure: true},
		"bare, the storage is silent: the larger reading": {rootfs: root + ",size=8388608", wanted: 4 * gib, unsure: true, want: shrink(8*gib, 4*gib)},
		"bare, the storage is silent, large enough":       {rootfs: root + ",size=8388608", wanted: 8 * gib, unsure: true},
		"no size, storage says":                           {rootfs: root, wanted: 8 * gib, real: 8 * gib, unsure: true},
		"no size, storage silent":                         {rootfs: root, wanted: 8 * gib, unsure: true, want: []blocker.Blocker{blocker.SizeUnreadable{Guest: ref, Key: "rootfs"}}},
		"nonsense, storage silent":                        {rootfs: root + ",size=big", wanted: 8 * gib, unsure: true, want: []blocker.Blocker{blocker.SizeUnreadable{Guest: ref, Key: "rootfs", Text: "big"}}},
		"nonsense, storage says":                          {rootfs: root + ",size=big", wanted: 8 * gib, real: 9 * gib, unsure: true, want: shrink(9*gib, 8*gib)},
		"another guest's volume is not replaced":          {rootfs: "local-lvm:vm-5002-disk-0,size=80G", wanted: 8 * gib},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries := datalabel.Entries(guest.LXC, 5001, map[string]string{"rootfs": tc.rootfs, "mp0": "local-lvm:vm-5001-disk-1,mp=/x,size=99G"}, nil)
			wanted := map[string]bytesize.Size{"rootfs": tc.wanted, "mp7": gib}
			measured := map[string]bytesize.Size{}
			if tc.real != 0 {
				measured["rootfs"] = tc.real
			}
			if got := len(lifecycle.Unsure(entries, wanted)) == 1; got != tc.unsure {
				t.Errorf("the storage would be asked: %t, want %t", got, tc.unsure)
			}
			if diff := cmp.Diff(tc.want, lifecycle.Shrinking(ref, entries, wanted, measured)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
