package pvesim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// archiveSlot is the time that the name of a new archive carries: two of one
// guest never have the same.
func (s *Server) archiveSlot(st *storage, node string, start time.Time, name func(time.Time) string) (time.Time, string) {
	for {
		volid := st.ID + ":backup/" + name(start)
		if s.vol(node, volid) == nil {
			return start, volid
		}
		start = start.Add(time.Second)
	}
}

func (st *storage) archiveName(g *guest, ext string, at time.Time) string {
	at = at.UTC()
	if st.Type == "pbs" {
		kind := "ct"
		if g.kind == kindQEMU {
			kind = "vm"
		}
		return fmt.Sprintf("%s/%d/%s", kind, g.vmid, at.Format("2006-01-02T15:04:05Z"))
	}
	return fmt.Sprintf("vzdump-%s-%d-%s.%s", apiName(g.kind), g.vmid, at.Format("2006_01_02-15_04_05"), ext)
}

// extension is that of an archive. Source: PVE::VZDump compressor_info.
func extension(k kind, compress string) string {
	ext := "tar"
	if k == kindQEMU {
		ext = "vma"
	}
	switch compress {
	case "1", "lzo":
		ext += ".lzo"
	case "gzip":
		ext += ".gz"
	case "zstd":
		ext += ".zst"
	}
	return ext
}

// protectedCount is how many protected archives of a guest a storage holds.
func (s *Server) protectedCount(st *storage, node string, vmid int) int {
	n := 0
	for _, v := range s.onStorage(st, node) {
		if a := archiveOf(v.ID); a != nil && a.vmid == vmid && v.Protected {
			n++
		}
	}
	return n
}

// archive is what the name of an archive says.
type archive struct {
	kind kind
	vmid int
	at   time.Time
	std  bool // named as vzdump names them
}

// archiveOf reads the volume id of an archive, nil if it is none.
func archiveOf(volid string) *archive {
	_, name, err := splitVolid(volid)
	if err != nil {
		return nil
	}
	if m := pbsArchive.FindStringSubmatch(name); m != nil && m[1] != "host" {
		id, _ := strconv.Atoi(m[2])
		at, err := time.Parse(time.RFC3339, m[3])
		k := kindLXC
		if m[1] == "vm" {
			k = kindQEMU
		}
		return &archive{kind: k, vmid: id, at: at, std: err == nil}
	}
	file, ok := strings.CutPrefix(name, "backup/")
	m := archiveName.FindStringSubmatch(file)
	if !ok || m == nil {
		return nil
	}
	id, _ := strconv.Atoi(m[2])
	at, err := time.Parse("2006_01_02-15_04_05", m[3])
	k := kindLXC
	if m[1] == "qemu" {
		k = kindQEMU
	}
	return &archive{kind: k, vmid: id, at: at, std: err == nil}
}

// archivesOf are the archives of a guest on a storage, the newest first.
func (s *Server) archivesOf(st *storage, node string, k kind, vmid int) []*volume {
	var out []*volume
	for _, v := range s.onStorage(st, node) {
		if a := archiveOf(v.ID); a != nil && a.std && a.vmid == vmid && a.kind == k {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b *volume) int { return archiveOf(b.ID).at.Compare(archiveOf(a.ID).at) })
	return out
}
