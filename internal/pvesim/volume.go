package pvesim

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// volume is something a storage holds. It is stored as JSON in pvesim/volumes.json.
type volume struct {
	Node      string            `json:"node,omitempty"` // empty on shared storages
	ID        string            `json:"volid"`
	Size      int64             `json:"size"`                // bytes, as seen by the guest
	File      int64             `json:"file,omitempty"`      // bytes of the file if they differ
	Used      int64             `json:"used,omitempty"`      // bytes in use
	Parent    string            `json:"parent,omitempty"`    // base volume of a linked clone
	Snapshots map[string]int64  `json:"snapshots,omitempty"` // size at that time, by name
	Created   int64             `json:"ctime,omitempty"`
	Notes     string            `json:"notes,omitempty"`
	Noted     bool              `json:"noted,omitempty"` // has notes, be they empty
	Protected bool              `json:"protected,omitempty"`
	Systemd   int               `json:"systemd,omitempty"` // version of systemd in it, 0 for none
	Archive   map[string]string `json:"archive,omitempty"` // of a backup: its files, such as the configuration
}

const volumesFile = "pvesim/volumes.json"

func (s *Server) volKey(node, volid string) string {
	if id, _, err := splitVolid(volid); err == nil {
		if st, err := s.storage(id); err == nil && st.shared() {
			node = ""
		}
	}
	return node + "/" + volid
}

// vol returns a volume as a node sees it, nil if it is not there.
func (s *Server) vol(node, volid string) *volume { return s.vols[s.volKey(node, volid)] }

// putVol adds or changes a volume.
func (s *Server) putVol(v *volume) {
	key := s.volKey(v.Node, v.ID)
	if strings.HasPrefix(key, "/") {
		v.Node = ""
	}
	if v.Created == 0 {
		v.Created = s.now().Unix()
	}
	s.vols[key] = v
	s.saveVolumes()
}

func (s *Server) dropVol(v *volume) {
	delete(s.vols, s.volKey(v.Node, v.ID))
	s.saveVolumes()
}

// saveVolumes stores the volumes if there is a directory to store them in.
func (s *Server) saveVolumes() {
	if s.opts.Dir == "" {
		return
	}
	var list []*volume
	for _, key := range sortedKeys(s.vols) {
		list = append(list, s.vols[key])
	}
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		panic(err)
	}
	s.write(volumesFile, string(text))
}

// loadVolumes reads what was stored, else volumes.txt.
func (s *Server) loadVolumes() error {
	var list []*volume
	if text, ok := s.files[volumesFile]; ok {
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return fmt.Errorf("%s: %w", volumesFile, err)
		}
		for _, v := range list {
			s.vols[s.volKey(v.Node, v.ID)] = v
		}
		return nil
	}
	for line := range strings.SplitSeq(s.files["volumes.txt"], "\n") {
		f := strings.Fields(line)
		if len(f) < 2 || strings.HasPrefix(f[0], "#") {
			continue
		}
		v := volume{ID: f[0]}
		v.Size, _ = strconv.ParseInt(f[1], 10, 64)
		if len(f) > 2 {
			v.File = v.Size
			v.Size, _ = strconv.ParseInt(f[2], 10, 64)
		}
		for _, n := range s.nodes {
			w := v
			w.Node = n.name
			if owner := s.find(s.owner(v.ID)); owner == nil || owner.node == n.name {
				s.putVol(&w)
			}
		}
	}
	return nil
}

// adoptVolumes makes the volumes that a guest's file names exist, as they do
// on a cluster from which the file was taken.
func (s *Server) adoptVolumes(g *guest) {
	sections := append(sectionsOf(g), &g.Section, g.Pending)
	for _, sec := range sections {
		for key, text := range sec.Values {
			m := s.mount(g.kind, key, text)
			if m == nil || m.kind != mountVolume || s.vol(g.node, m.volid) != nil {
				continue
			}
			s.adoptVolume(g.node, m)
		}
	}
}

// adoptVolume makes a volume of the size that the line says, or of a usual
// one; a linked clone hangs on its base.
func (s *Server) adoptVolume(node string, m *mount) {
	v := &volume{Node: node, ID: m.volid, Size: m.size}
	switch {
	case v.Size > 0:
	case cloudinitVolume.MatchString(m.volid):
		v.Size = 4 * mib
	default:
		v.Size = gib
	}
	id, name, err := splitVolid(m.volid)
	if err != nil {
		return
	}
	st, err := s.storage(id)
	if err != nil {
		return
	}
	if parsed, err := st.parseVolname(name); err == nil && parsed.base != "" {
		v.Parent = id + ":" + parsed.base
	}
	s.putVol(v)
}

// nextName is the first free name for a disk of a guest.
// Source: PVE::Storage::Plugin get_next_vm_diskname.
func (s *Server) nextName(st *storage, node string, vmid int, format string) string {
	taken := map[int]bool{}
	for _, v := range s.onStorage(st, node) {
		_, name, _ := splitVolid(v.ID)
		parsed, err := st.parseVolname(name)
		if err != nil || parsed.owner != vmid {
			continue
		}
		_, rest, ok := strings.Cut(parsed.file, fmt.Sprintf("-%d-disk-", vmid))
		if n, err := strconv.Atoi(strings.SplitN(rest, ".", 2)[0]); ok && err == nil {
			taken[n] = true
		}
	}
	n := 0
	for taken[n] {
		n++
	}
	prefix := "vm"
	if format == "subvol" {
		prefix = "subvol"
	}
	name := fmt.Sprintf("%s-%d-disk-%d", prefix, vmid, n)
	if st.plugin().files {
		name = fmt.Sprintf("%d/%s.%s", vmid, name, format)
	}
	return name
}

// onStorage are the volumes of a storage that a node sees, by name.
func (s *Server) onStorage(st *storage, node string) []*volume {
	var out []*volume
	for _, key := range sortedKeys(s.vols) {
		v := s.vols[key]
		if strings.HasPrefix(v.ID, st.ID+":") && (st.shared() || v.Node == node) {
			out = append(out, v)
		}
	}
	return out
}

// alloc makes a volume of size bytes. format is raw, subvol, qcow2 or vmdk.
func (s *Server) alloc(node, storageID string, vmid int, format string, size int64) (*volume, error) {
	st, err := s.storage(storageID)
	if err != nil {
		return nil, err
	}
	return s.allocNamed(node, storageID, s.nextName(st, node, vmid, format), vmid, size)
}

// allocNamed makes a volume with a name of its own.
func (s *Server) allocNamed(node, storageID, name string, vmid int, size int64) (*volume, error) {
	st, err := s.usable(storageID, node)
	switch {
	case err != nil:
		return nil, err
	case s.knobs.offline[st.ID]:
		return nil, die("storage '%s' is not online", st.ID)
	case s.knobs.full[st.ID]:
		return nil, noSpace(st, vmid)
	}
	v := &volume{Node: node, ID: st.ID + ":" + name, Size: size}
	s.putVol(v)
	return v, nil
}

// noSpace is what a full storage answers.
func noSpace(st *storage, vmid int) error {
	switch st.Type {
	case "lvm", "lvmthin":
		return die("lvcreate '%s/vm-%d-disk-0' error:   Volume group \"%s\" has insufficient free space", st.poolName(), vmid, st.poolName())
	case "zfspool":
		return die("zfs error: cannot create '%s/vm-%d-disk-0': out of space", st.poolName(), vmid)
	}
	return die("unable to create image: '%s': No space left on device", st.poolName())
}

// free removes a volume. clones is the word that the message uses for what
// hangs on a base volume.
func (s *Server) free(node, volid string) error {
	v := s.vol(node, volid)
	if v == nil {
		return nil
	}
	if clone := s.cloneOf(v); clone != "" {
		return die("base volume '%s' is still in use by linked clones", strings.SplitN(volid, ":", 2)[1])
	}
	s.dropVol(v)
	return nil
}

// cloneOf returns a volume that is a linked clone of v, empty if there is none.
func (s *Server) cloneOf(v *volume) string {
	for _, key := range sortedKeys(s.vols) {
		if s.vols[key].Parent == v.ID {
			return s.vols[key].ID
		}
	}
	return ""
}
