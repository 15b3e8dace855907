package pvesim

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// command is the body of POST /control/KNOB: the arguments of the Go knob of
// that name.
type command struct {
	VMID    int    `json:"vmid"`
	Node    string `json:"node"`
	Storage string `json:"storage"`
	Path    string `json:"path"`
	Text    string `json:"text"`
	Lock    string `json:"lock"`
	UPID    string `json:"upid"`
	Method  string `json:"method"`
	Pattern string `json:"pattern"`
	Status  int    `json:"status"`
	Message string `json:"message"`
	After   bool   `json:"after"`
	Drop    bool   `json:"drop"`
	On      bool   `json:"on"`
	MS      int    `json:"ms"`
	Type    string `json:"type"`
	VolID   string `json:"volid"`
	Version int    `json:"version"`
}

// commands are the knobs that can be reached over HTTP, outside /api2 and
// without credentials.
var commands = map[string]func(s *Server, c command) any{
	"write-file":       func(s *Server, c command) any { s.WriteFile(c.Path, c.Text); return nil },
	"remove-file":      func(s *Server, c command) any { s.RemoveFile(c.Path); return nil },
	"read-file":        func(s *Server, c command) any { text, _ := s.ReadFile(c.Path); return text },
	"lock":             func(s *Server, c command) any { return s.Lock(c.VMID, c.Lock) },
	"agent":            func(s *Server, c command) any { s.controlAgent(c.VMID, c.On); return nil },
	"running":          func(s *Server, c command) any { s.SetRunning(c.VMID, c.On); return nil },
	"node-down":        func(s *Server, c command) any { s.NodeDown(c.Node); return nil },
	"node-up":          func(s *Server, c command) any { s.NodeUp(c.Node); return nil },
	"storage-full":     func(s *Server, c command) any { s.StorageFull(c.Storage, c.On); return nil },
	"systemd-template": func(s *Server, c command) any { s.SystemdTemplate(c.VolID, c.Version); return nil },
	"forget-task":      func(s *Server, c command) any { s.ForgetTask(c.UPID); return nil },
	"hold-tasks":       func(s *Server, c command) any { s.HoldTasks(c.Type); return nil },
	"release-tasks":    func(s *Server, _ command) any { s.ReleaseTasks(); return nil },
	"task-time":        func(s *Server, c command) any { s.SetTaskTime(time.Duration(c.MS) * time.Millisecond); return nil },
	"requests":         func(s *Server, _ command) any { return s.Requests() },
	"reset-requests":   func(s *Server, _ command) any { s.ResetRequests(); return nil },
	"fail-next": func(s *Server, c command) any {
		s.FailNext(c.Method, c.Pattern, Fault{
			Status: c.Status, Message: c.Message, After: c.After, Drop: c.Drop, Delay: time.Duration(c.MS) * time.Millisecond,
		})
		return nil
	},
}

// control answers /control/KNOB; it reports whether the path was one of its own.
func (s *Server) control(w http.ResponseWriter, r *http.Request) bool {
	name, ok := strings.CutPrefix(r.URL.Path, "/control/")
	if !ok {
		return false
	}
	f := commands[name]
	var c command
	if f == nil {
		http.Error(w, "no such knob; there are "+strings.Join(sortedKeys(commands), " "), http.StatusNotFound)
		return true
	}
	if r.ContentLength != 0 {
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return true
		}
	}
	reply(w, object{"data": f(s, c)})
	return true
}
