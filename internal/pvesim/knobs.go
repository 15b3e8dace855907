package pvesim

import (
	"errors"
	"net/url"
	"path"
	"strings"
	"time"
)

// Request is one line of the request log.
type Request struct {
	Method   string
	Path     string     // below /api2/json
	Params   url.Values // of query and body, decoded
	Status   int        // 0 if the connection was dropped
	Identity string     // USER or USER!TOKEN, empty if nobody was let in
}

// Fault is what happens to a request instead of, or after, its effect.
type Fault struct {
	Status  int           // 0 means the request is answered as usual
	Message string        // reason phrase of Status
	Drop    bool          // close the connection without an answer
	After   bool          // the request takes effect first
	Delay   time.Duration // before anything else
}

var errDropped = errors.New("connection dropped")

func (f *Fault) err() error {
	switch {
	case f.Drop:
		return errDropped
	case f.Status == 0:
		return nil
	}
	// Answers that are not Proxmox's own but of the proxy in it have no body.
	return &apiError{status: f.Status, message: f.Message + "\n", silent: f.Status == 401 || f.Status >= 595}
}

// knobs are what a test turned.
type knobs struct {
	now    func() time.Time
	faults []rule
	hooks  []rule
	held   map[string]bool // types of tasks that wait
	full   map[string]bool // storages without space

	taskFaults []taskFault     // for tasks to come
	offline    map[string]bool // storages that can not be reached
	stubborn   map[int]bool    // guests that ignore shutdowns

	pruneFails map[string]bool       // storages on which pruning fails
	remote     map[string]RemoteFile // what downloads find, by URL
}

// rule is for one request.
type rule struct {
	method, pattern string
	fault           *Fault
	hook            func()
}

// matches compares the method ("*" is any) and the path, part by part, where
// "*" stands for one part and a final "**" for the rest.
func (r rule) matches(method, p string) bool {
	if r.method != "*" && r.method != method {
		return false
	}
	if head, ok := strings.CutSuffix(r.pattern, "/**"); ok {
		parts := strings.Split(p, "/")
		n := len(strings.Split(head, "/"))
		return len(parts) > n && (rule{"*", head, nil, nil}).matches(method, strings.Join(parts[:n], "/"))
	}
	ok, _ := path.Match(r.pattern, p)
	return ok
}

// FailNext lets the next request of this method and path fail. The pattern is
// a path below /api2/json in which "*" stands for any part.
func (s *Server) FailNext(method, pattern string, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.faults = append(s.knobs.faults, rule{method, pattern, &f, nil})
}

// DelayNext lets the next request of this method and path wait.
func (s *Server) DelayNext(method, pattern string, d time.Duration) {
	s.FailNext(method, pattern, Fault{Delay: d, After: true})
}

// DropConnection closes the connection of the next request, before or after its effect.
func (s *Server) DropConnection(method, pattern string, after bool) {
	s.FailNext(method, pattern, Fault{Drop: true, After: after})
}

// Hook calls f once before the next request of this method and path is
// handled; f may turn other knobs.
func (s *Server) Hook(method, pattern string, f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.hooks = append(s.knobs.hooks, rule{method, pattern, nil, f})
}

func (s *Server) runHooks(c *call) {
	s.mu.Lock()
	var due []func()
	kept := s.knobs.hooks[:0]
	for _, r := range s.knobs.hooks {
		if r.matches(c.req.Method, c.path) {
			due = append(due, r.hook)
		} else {
			kept = append(kept, r)
		}
	}
	s.knobs.hooks = kept
	s.mu.Unlock()
	for _, f := range due {
		f()
	}
}

func (s *Server) takeFault(c *call) *Fault {
	for i, r := range s.knobs.faults {
		if r.matches(c.req.Method, c.path) {
			s.knobs.faults = append(s.knobs.faults[:i:i], s.knobs.faults[i+1:]...)
			return r.fault
		}
	}
	return nil
}

// Requests returns the request log.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.log...)
}

// ResetRequests empties the request log.
func (s *Server) ResetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = nil
}

// SetClock replaces the clock: times of tasks, tickets and files.
func (s *Server) SetClock(now func() time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.now = now
}

// SetTaskTime changes how long tasks work.
func (s *Server) SetTaskTime(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.TaskTime = d
}

// HoldTasks lets new tasks of a type ("vzcreate", "*" for all) wait before
// they do anything, until ReleaseTasks.
func (s *Server) HoldTasks(kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.knobs.held == nil {
		s.knobs.held = map[string]bool{}
	}
	s.knobs.held[kind] = true
}

// ReleaseTasks lets all tasks go on.
func (s *Server) ReleaseTasks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.held = nil
	s.cond.Broadcast()
}

// IgnoreShutdown lets a guest not react when it is asked to shut down.
func (s *Server) IgnoreShutdown(vmid int, ignore bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.knobs.stubborn == nil {
		s.knobs.stubborn = map[int]bool{}
	}
	s.knobs.stubborn[vmid] = ignore
}

func (s *Server) awaitRelease(kind string) {
	for (s.knobs.held[kind] || s.knobs.held["*"]) && !s.closed {
		s.cond.Wait()
	}
}

// WaitTasks returns when no task runs any more.
func (s *Server) WaitTasks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.idle() {
		s.cond.Wait()
	}
}

func (s *Server) idle() bool {
	for _, t := range s.tasks {
		if !t.done {
			return false
		}
	}
	return true
}

// ForgetTask makes a task unknown, as after its log was removed.
func (s *Server) ForgetTask(upid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.task(upid); t != nil {
		t.hidden = true
	}
}
