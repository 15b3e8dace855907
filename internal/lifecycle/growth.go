package lifecycle

import (
	"maps"
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Unsure lists the entries whose size the configuration does not settle, out
// of those that wanted names: no size, a text that is none, or a bare number,
// which has two readings. The storage has to be asked about them.
func Unsure(entries []datalabel.Entry, wanted map[string]bytesize.Size) []datalabel.Entry {
	var list []datalabel.Entry
	for _, e := range entries {
		if _, asked := wanted[e.Key]; !asked || e.Label != datalabel.Erased {
			continue
		}
		if stored, err := bytesize.ParseStored(e.Size); err != nil || stored.Bare {
			list = append(list, e)
		}
	}
	return list
}

// Shrinking compares the guest's own volumes with what the next guest would
// get: wanted by key, and measured by key where the storage told the size. Only
// volumes that the destroy erases count, because no other disk takes their
// place.
func Shrinking(ref guest.Ref, entries []datalabel.Entry, wanted, measured map[string]bytesize.Size) []blocker.Blocker {
	current := map[string]datalabel.Entry{}
	for _, e := range entries {
		if e.Label == datalabel.Erased {
			current[e.Key] = e
		}
	}
	var list []blocker.Blocker
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		e, there := current[key]
		if !there {
			continue
		}
		size, known := measured[key]
		if !known {
			stored, err := bytesize.ParseStored(e.Size)
			if err != nil {
				list = append(list, blocker.SizeUnreadable{Guest: ref, Key: key, Text: e.Size})
				continue
			}
			// The larger reading: what the disk may already hold.
			size = stored.Larger()
		}
		if size > wanted[key] {
			list = append(list, blocker.RootfsWouldShrink{Guest: ref, Key: key, Current: size, Wanted: wanted[key]})
		}
	}
	return list
}
