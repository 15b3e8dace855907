package pvesim

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// ReadFile returns the text of a file of the state, such as
// "nodes/pve1/lxc/100.conf".
func (s *Server) ReadFile(path string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.files[path]
	return text, ok
}

// WriteFile puts a file into the state behind the back of the API. The
// volumes that a guest's file names come into being with it.
func (s *Server) WriteFile(path, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(path, text)
	if g := s.guestOf(path); g != nil {
		s.adoptVolumes(g)
	}
}

// RemoveFile removes a file behind the back of the API.
func (s *Server) RemoveFile(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(path)
}

// EditConfig changes the file of a guest behind the back of the API; it
// reports whether there is such a guest.
func (s *Server) EditConfig(vmid int, edit func(text string) string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.find(vmid)
	if g == nil {
		return false
	}
	s.write(g.path(), edit(s.files[g.path()]))
	if again := s.find(vmid); again != nil {
		s.adoptVolumes(again)
	}
	return true
}

// Lock sets or, with an empty word, removes the lock of a guest.
func (s *Server) Lock(vmid int, word string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.find(vmid)
	if g == nil {
		return false
	}
	delete(g.Values, "lock")
	if word != "" {
		g.Values["lock"] = word
	}
	s.save(g)
	return true
}

// NodeDown switches a node off, NodeUp on again.
func (s *Server) NodeDown(name string) { s.setDown(name, true) }

// NodeUp switches a node on again.
func (s *Server) NodeUp(name string) { s.setDown(name, false) }

func (s *Server) setDown(name string, down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.node(name); n != nil {
		n.down = down
	}
}

// StorageFull lets nothing more be allocated on a storage, or again.
func (s *Server) StorageFull(id string, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.knobs.full == nil {
		s.knobs.full = map[string]bool{}
	}
	s.knobs.full[id] = full
}

// StorageOffline makes a storage unreachable, or reachable again.
func (s *Server) StorageOffline(id string, offline bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.knobs.offline == nil {
		s.knobs.offline = map[string]bool{}
	}
	s.knobs.offline[id] = offline
}

// PruneFails lets the pruning of backups on a storage fail, or no longer.
func (s *Server) PruneFails(id string, fails bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.knobs.pruneFails == nil {
		s.knobs.pruneFails = map[string]bool{}
	}
	s.knobs.pruneFails[id] = fails
}

// AddVolume puts a volume of size bytes on a storage of a node.
func (s *Server) AddVolume(node, volid string, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.putVol(&volume{Node: node, ID: volid, Size: size})
}

// SystemdTemplate puts a version of systemd into a template. Creating and
// starting a container made of it without nesting ends with a warning then,
// as that of most distributions does.
func (s *Server) SystemdTemplate(volid string, version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.vols {
		if v.ID == volid {
			v.Systemd = version
		}
	}
	s.saveVolumes()
}

// RemoveVolume removes a volume behind the back of the API.
func (s *Server) RemoveVolume(node, volid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.vol(node, volid); v != nil {
		s.dropVol(v)
	}
}

// Volumes returns the identifiers of all volumes that a node sees.
func (s *Server) Volumes(node string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, key := range sortedKeys(s.vols) {
		if v := s.vols[key]; v.Node == "" || v.Node == node {
			out = append(out, v.ID)
		}
	}
	return out
}

// SetRunning starts or stops a guest behind the back of the API.
func (s *Server) SetRunning(vmid int, running bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setRunning(vmid, running)
}

// Running tells whether a guest is started.
func (s *Server) Running(vmid int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isRunning(vmid)
}

const runningFile = "pvesim/running.json"

func (s *Server) setRunning(vmid int, running bool) {
	delete(s.running, vmid)
	if running {
		s.tick++
		s.running[vmid] = &process{since: s.now(), pid: 5000 + int(s.tick)}
	}
	if s.opts.Dir == "" {
		return
	}
	since := map[string]int64{}
	for id, p := range s.running {
		since[strconv.Itoa(id)] = p.since.Unix()
	}
	s.write(runningFile, string(encodeJSON(since)))
}

func (s *Server) loadRunning() {
	since := map[string]int64{}
	if json.Unmarshal([]byte(s.files[runningFile]), &since) != nil {
		return
	}
	for id, at := range since {
		if vmid, err := strconv.Atoi(strings.TrimSpace(id)); err == nil && s.find(vmid) != nil {
			s.running[vmid] = &process{since: time.Unix(at, 0), pid: 4000 + vmid%1000}
		}
	}
}
