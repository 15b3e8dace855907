package pvesim

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var bareSize = regexp.MustCompile(`^\d+(\.\d+)?$`)

// lxcFormat is the schema of a key that holds a volume.
func lxcFormat(key string) string {
	switch {
	case key == "rootfs":
		return "lxc.rootfs"
	case keyNumber(key, "unused") >= 0:
		return "lxc.unused"
	}
	return "lxc.mp"
}

// allocContainer makes a volume with a file system for a container; size is
// in GiB as the request writes it, cut to whole MiB. log may be nil.
//
// Source: PVE::LXC create_disks, alloc_disk.
func (s *Server) allocContainer(node, storageID string, vmid int, gibText string, log func(string, ...any)) (*volume, error) {
	g, err := strconv.ParseFloat(gibText, 64)
	if err != nil {
		return nil, die("unable to parse size '%s'", gibText)
	}
	return s.allocContainerBytes(node, storageID, vmid, int64(g*1024)*mib, log)
}

func (s *Server) allocContainerBytes(node, storageID string, vmid int, size int64, log func(string, ...any)) (*volume, error) {
	st, err := s.usable(storageID, node)
	if err != nil {
		return nil, err
	}
	if !st.takes("rootdir") {
		return nil, die("content type 'rootdir' is not available or configured on storage '%s'", st.ID)
	}
	format := "raw"
	if st.Type == "zfspool" || st.plugin().files && size == 0 {
		format = "subvol"
	}
	v, err := s.alloc(node, storageID, vmid, format, size)
	if err == nil && log != nil {
		logFormatting(st, v, format, log)
	}
	return v, err
}

// logFormatting writes what the tools print while a volume is made.
func logFormatting(st *storage, v *volume, format string, log func(string, ...any)) {
	if format != "raw" {
		return
	}
	_, name, _ := splitVolid(v.ID)
	if st.plugin().files && st.Type != "btrfs" {
		log("Formatting '%s', fmt=raw size=%d preallocation=off", st.volumePath(name), v.Size)
	}
	blocks := v.Size / 4096
	log("Creating filesystem with %d 4k blocks and %d inodes", blocks, blocks/4)
	log("Filesystem UUID: %s", uuid())
	log("Superblock backups stored on blocks: ")
	log("\t%s", superblocks(blocks))
}

// superblocks are the blocks with copies of the superblock: group 1 and the
// groups that are powers of 3, 5 and 7.
func superblocks(blocks int64) string {
	var out []string
	for group := int64(1); group*32768 < blocks; group++ {
		if group == 1 || isPower(group, 3) || isPower(group, 5) || isPower(group, 7) {
			out = append(out, strconv.FormatInt(group*32768, 10))
		}
	}
	return strings.Join(out, ", ")
}

func isPower(n, of int64) bool {
	for n%of == 0 {
		n /= of
	}
	return n == 1
}

// createDisks replaces the wishes for new volumes among the mount points by
// volumes. On an error it frees what it made.
func (s *Server) createDisks(node string, vmid int, wishes map[string]string, log func(string, ...any)) (texts map[string]string, made []*volume, err error) {
	texts = map[string]string{}
	for _, key := range mountOrder(wishes) {
		var v *volume
		texts[key], v, err = s.createDisk(node, vmid, key, wishes[key], log)
		if v != nil {
			made = append(made, v)
		}
		if err != nil {
			for _, m := range made {
				s.dropVol(m)
			}
			return nil, nil, err
		}
	}
	return texts, made, nil
}

func (s *Server) createDisk(node string, vmid int, key, wish string, log func(string, ...any)) (string, *volume, error) {
	keys, err := s.table.Parse(lxcFormat(key), wish, key)
	if err != nil {
		return "", nil, die("%s", err)
	}
	n := newDisk.FindStringSubmatch(keys["volume"])
	if n == nil {
		return s.table.Print(lxcFormat(key), keys), nil, nil
	}
	v, err := s.allocContainer(node, n[1], vmid, n[2], log)
	if err != nil {
		return "", nil, err
	}
	keys["volume"], keys["size"] = v.ID, formatSize(v.Size)
	return s.table.Print(lxcFormat(key), keys), v, nil
}

// mountOrder is rootfs, then the mount points by number.
func mountOrder(m map[string]string) []string {
	var out []string
	if _, ok := m["rootfs"]; ok {
		out = append(out, "rootfs")
	}
	return append(out, numbered(m, "mp")...)
}

// inUse tells whether a volume is named by a key of the guest other than
// skip, or by a snapshot.
func (s *Server) inUse(g *guest, volid, skip string) bool {
	sections := append(sectionsOf(g), &g.Section, g.Pending)
	for _, sec := range sections {
		for key, text := range sec.Values {
			if sec == &g.Section && key == skip || keyNumber(key, "unused") >= 0 {
				continue
			}
			if m := s.mount(g.kind, key, text); m != nil && m.volid == volid {
				return true
			}
		}
	}
	return false
}

// addUnused keeps a volume as unusedN, N being the lowest free number.
// Source: PVE::AbstractConfig add_unused_volume.
func (s *Server) addUnused(g *guest, volid string) {
	for i := 0; i < 256; i++ {
		key := fmt.Sprintf("unused%d", i)
		if g.Values[key] == volid {
			return
		}
		if _, taken := g.Values[key]; !taken {
			g.Values[key] = volid
			return
		}
	}
}
