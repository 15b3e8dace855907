package pvesim

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
)

const taskFolder = "pvesim/tasks"

// storedTask is a task in pvesim/tasks/UPID.
type storedTask struct {
	Lines []string `json:"log"`
	Exit  string   `json:"exitstatus,omitempty"` // empty while it runs
	End   int64    `json:"endtime,omitempty"`
}

// save stores a task if there is a directory to store it in.
func (t *task) save() {
	if t.s.opts.Dir == "" {
		return
	}
	out := storedTask{Lines: t.lines}
	if t.done {
		out.Exit, out.End = t.exit, t.end.Unix()
	}
	t.s.write(taskFolder+"/"+t.upid, string(encodeJSON(out)))
}

// loadTasks reads the tasks of earlier runs. Those that had not ended were
// killed with the program, which clients see as an unexpected status.
func (s *Server) loadTasks() {
	for file, text := range s.files {
		if path.Dir(file) != taskFolder {
			continue
		}
		t, ok := parseUPID(path.Base(file))
		var stored storedTask
		if !ok || json.Unmarshal([]byte(text), &stored) != nil {
			continue
		}
		t.s, t.lines, t.exit, t.done = s, stored.Lines, stored.Exit, true
		t.end = time.Unix(stored.End, 0)
		if t.exit == "" {
			t.exit, t.end = errUnexpected.Error(), s.now()
		}
		s.tasks = append(s.tasks, t)
		s.tick = max(s.tick, uint64(max(0, t.pid-firstPID))) //nolint:gosec // not negative
	}
	slices.SortFunc(s.tasks, func(a, b *task) int {
		if d := a.start.Compare(b.start); d != 0 {
			return d
		}
		return strings.Compare(a.upid, b.upid)
	})
}
