package pvesim

import (
	"fmt"
	"strings"
)

// copyDisk copies a disk of a virtual machine to a storage. Without a format
// it keeps its own, where the storage can hold it.
// Source: PVE::QemuServer clone_disk.
func (t *task) copyDisk(node, storageID string, vmid int, from *volume, format string) (*volume, error) {
	s := t.s
	parsed, err := s.volname(from.ID)
	if err != nil {
		return nil, err
	}
	st, err := s.usable(storageID, node)
	if err != nil {
		return nil, err
	}
	if format == "" {
		format = parsed.format
	}
	if !st.holds(format) {
		format = st.defaultFormat()
	}
	name := s.nextName(st, node, vmid, format)
	if cloudinitVolume.MatchString(from.ID) {
		name = fmt.Sprintf("vm-%d-cloudinit", vmid)
		if st.plugin().files {
			name = fmt.Sprintf("%d/%s.%s", vmid, name, format)
		}
	}
	v, err := s.allocNamed(node, st.ID, name, vmid, from.Size)
	if err != nil {
		return nil, err
	}
	v.Used = from.Used
	(&diskMaker{log: t.log}).logFormatting(st, v, format)
	t.log("allocated target volume '%s'", v.ID)
	all := humanSize(from.Size)
	t.log("transferred 0.0 B of %s (0.00%%)", all)
	t.log("transferred %s of %s (100.00%%)", all, all)
	return v, nil
}

// humanSize prints a size as qemu-img's progress does.
func humanSize(n int64) string {
	f, unit := float64(n), 0
	for f >= 1024 && unit < 4 {
		f, unit = f/1024, unit+1
	}
	return fmt.Sprintf("%.1f %s", f, []string{"B", "KiB", "MiB", "GiB", "TiB"}[unit])
}

// storageOf is the storage of a volume.
func storageOf(volid string) string {
	id, _, _ := strings.Cut(volid, ":")
	return id
}
