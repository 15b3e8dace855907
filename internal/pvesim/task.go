package pvesim

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// firstPID is below the process numbers of all workers.
const firstPID = 1000

// task is a worker: what a UPID names.
type task struct {
	s        *Server
	upid     string
	node     string
	pid      int
	pstart   int
	start    time.Time
	kind     string
	id       string
	user     identity
	lines    []string
	warnings int
	stopped  bool // somebody asked it to stop
	done     bool
	end      time.Time
	exit     string // "OK", "WARNINGS: n" or the error
	hidden   bool   // forgotten by ForgetTask
}

// errStopped is what a task ends with that was stopped by a client.
var errStopped = die("received interrupt")

// errUnexpected is what a task ends with that dies without a last line.
// Source: PVE::UPID read_status.
var errUnexpected = die("unexpected status")

// fork starts a worker and returns its UPID. The body holds the mutex of the
// server; its error becomes the exit status.
//
// Source: PVE::RESTEnvironment fork_worker.
func (c *call) fork(kind, id string, body func(t *task) error) string {
	return c.s.fork(c.node, kind, id, c.user, body)
}

func (s *Server) fork(n *node, kind, id string, user identity, body func(t *task) error) string {
	s.tick++
	t := &task{
		s: s, node: n.name, kind: kind, id: id, user: user, start: s.now(),
		pid: firstPID + int(s.tick), pstart: 100000 + int(s.tick),
	}
	t.upid = fmt.Sprintf("UPID:%s:%08X:%08X:%08X:%s:%s:%s:", t.node, t.pid, t.pstart, t.start.Unix(), kind, id, user.name)
	s.tasks = append(s.tasks, t)
	t.save()
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.awaitRelease(kind)
		t.finish(t.run(body))
	}()
	return t.upid
}

// finish writes the last line of the log and the exit status.
func (t *task) finish(err error) {
	t.exit = "OK"
	last := "TASK OK"
	switch {
	case err != nil:
		t.exit = strings.ReplaceAll(strings.TrimRight(err.Error(), "\n"), "\n", " ")
		last = "TASK ERROR: " + t.exit
	case t.warnings > 0:
		t.exit = fmt.Sprintf("WARNINGS: %d", t.warnings)
		last = "TASK " + t.exit
	}
	if err != errUnexpected { //nolint:errorlint // it is this very value
		t.lines = append(t.lines, last)
	}
	t.done, t.end = true, t.s.now()
	t.save()
	t.s.cond.Broadcast()
}

// log adds lines to the log of the task.
func (t *task) log(format string, args ...any) {
	t.lines = append(t.lines, strings.Split(fmt.Sprintf(format, args...), "\n")...)
}

// warn adds a line that makes the exit status WARNINGS.
func (t *task) warn(format string, args ...any) {
	t.warnings++
	t.log("WARN: "+format, args...)
}

// work passes the time a task takes, see Options.TaskTime. It returns
// errStopped if a client stops the task meanwhile.
func (t *task) work() error {
	if err := t.strike(); err != nil {
		return err
	}
	return t.pass(t.s.opts.TaskTime)
}

// pass lets d of real time pass, unless the task is stopped.
func (t *task) pass(d time.Duration) error {
	deadline := time.Now().Add(d)
	timer := time.AfterFunc(d, t.s.cond.Broadcast)
	defer timer.Stop()
	for !t.stopped && !t.s.closed && time.Now().Before(deadline) {
		t.s.cond.Wait()
	}
	if t.stopped {
		return errStopped
	}
	return nil
}

// await blocks until another task of the server ends, and tells how.
func (s *Server) await(upid string) string {
	t := s.task(upid)
	for !t.done {
		s.cond.Wait()
	}
	return t.exit
}

func (s *Server) task(upid string) *task {
	for _, t := range s.tasks {
		if t.upid == upid && !t.hidden {
			return t
		}
	}
	return nil
}

var upidFormat = regexp.MustCompile(`^UPID:([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?):([0-9A-Fa-f]{8}):([0-9A-Fa-f]{8,9}):([0-9A-Fa-f]{8}):([^:\s]+):([^:\s]*):([^:\s]+):$`)

// parseUPID reads the facts a UPID carries in its text.
func parseUPID(text string) (*task, bool) {
	m := upidFormat.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	num := func(s string) int { n, _ := strconv.ParseInt(s, 16, 64); return int(n) }
	return &task{
		upid: text, node: m[1], pid: num(m[3]), pstart: num(m[4]), start: time.Unix(int64(num(m[5])), 0),
		kind: m[6], id: m[7], user: identity{m[8]},
	}, true
}
