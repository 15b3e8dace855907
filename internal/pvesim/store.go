package pvesim

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// load fills the state from the directory, the files given or the defaults.
func (s *Server) load() error {
	s.files = map[string]string{}
	for path, text := range s.opts.Files {
		s.files[path] = text
	}
	if s.opts.Dir != "" {
		if err := s.readDir(); err != nil {
			return err
		}
	}
	fresh := len(s.files) == 0
	if fresh {
		for path, text := range defaultFiles() {
			s.write(path, text)
		}
	}
	s.findNodes(fresh)
	if err := s.loadVolumes(); err != nil {
		return err
	}
	s.loadTokens()
	s.loadRunning()
	s.loadTasks()
	for _, g := range s.guests() {
		s.adoptVolumes(g)
	}
	return nil
}

func (s *Server) readDir() error {
	return filepath.WalkDir(s.opts.Dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return os.MkdirAll(s.opts.Dir, 0o755)
		}
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.opts.Dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		s.files[filepath.ToSlash(name)] = string(text)
		return err
	})
}

// findNodes takes the nodes of the options, else those that have a folder.
func (s *Server) findNodes(fresh bool) {
	names := append([]string(nil), s.opts.Nodes...)
	if len(names) == 0 && fresh {
		names = []string{"pve1", "pve2"}
	}
	if len(names) == 0 {
		seen := map[string]bool{}
		for path := range s.files {
			if part := strings.Split(path, "/"); len(part) > 2 && part[0] == "nodes" && !seen[part[1]] {
				seen[part[1]] = true
				names = append(names, part[1])
			}
		}
		sort.Strings(names)
	}
	if len(names) == 0 {
		names = []string{"pve1"}
	}
	for _, name := range names {
		s.nodes = append(s.nodes, &node{name: name, since: s.now()})
	}
}

// write puts a file, on disk too if there is a directory.
func (s *Server) write(path, text string) {
	s.files[path] = text
	s.cond.Broadcast()
	if s.opts.Dir == "" {
		return
	}
	full := filepath.Join(s.opts.Dir, filepath.FromSlash(path))
	err := os.MkdirAll(filepath.Dir(full), 0o755)
	if err == nil {
		err = os.WriteFile(full+".tmp", []byte(text), 0o600)
	}
	if err == nil {
		err = os.Rename(full+".tmp", full)
	}
	if err != nil {
		panic("pvesim: the state directory can not be written: " + err.Error())
	}
}

func (s *Server) remove(path string) {
	delete(s.files, path)
	if s.opts.Dir != "" {
		_ = os.Remove(filepath.Join(s.opts.Dir, filepath.FromSlash(path)))
	}
}
