package pve

import (
	"context"
	"errors"
	"strings"
	"time"
)

const (
	firstPoll      = 100 * time.Millisecond
	longestPoll    = 2 * time.Second
	lostPolls      = 10 // polls in a row that may fail: the task goes on without us
	unflushedPolls = 3  // polls of a task that ended without its last line
	logAttempt     = 10 * time.Second
)

// WaitOption changes how Wait waits.
type WaitOption func(*waiting)

// OnLog has every new line of the task's log passed to f while the task runs. It
// costs a second request a poll.
func OnLog(f func(LogLine)) WaitOption { return func(w *waiting) { w.onLog = f } }

// Wait polls a task until it ends: at once, then with growing pauses of 0.1 to 2 s.
// "WARNINGS: n" is success with warnings. The error is a *TaskError for a task that
// failed, a *StillRunningError when the context ended first or the node could not be
// asked for a while, and ErrNoSuchTask when the node forgot the task.
func (c *Client) Wait(ctx context.Context, u UPID, options ...WaitOption) (TaskResult, error) {
	if _, err := ParseUPID(string(u)); err != nil {
		return TaskResult{}, err
	}
	w := waiting{client: c, upid: u}
	for _, option := range options {
		option(&w)
	}
	for attempt := 0; ; attempt++ {
		status, err := w.poll(ctx)
		if err != nil {
			return TaskResult{}, err
		}
		if status.Status == "stopped" && !w.unflushed(status.Exit) {
			return w.finish(ctx, status.Exit)
		}
		if err := c.clock.Sleep(ctx, backoff(firstPoll, longestPoll, attempt)); err != nil {
			return TaskResult{}, &StillRunningError{UPID: u, Cause: err}
		}
	}
}

type waiting struct {
	client   *Client
	upid     UPID
	onLog    func(LogLine)
	line     int // lines of the log passed on
	lost     int // polls in a row that failed
	unending int // polls that found no last line
}

// poll asks once. A failure that may pass is reported as a task that still runs.
func (w *waiting) poll(ctx context.Context) (TaskStatus, error) {
	r := taskStatusRequest(w.upid)
	r.single = true
	status, err := call[TaskStatus](ctx, w.client, r)
	if err == nil {
		w.lost = 0
		w.follow(ctx)
		return status, nil
	}
	if ctx.Err() != nil {
		return status, &StillRunningError{UPID: w.upid, Cause: context.Cause(ctx)}
	}
	w.lost++
	if w.lost >= lostPolls || !passing(err) {
		if errors.Is(err, ErrNoSuchTask) {
			return status, err
		}
		return status, &StillRunningError{UPID: w.upid, Cause: err}
	}
	return TaskStatus{Status: "running"}, nil
}

// passing reports whether a failed poll says nothing about the task.
func passing(err error) bool {
	for _, lasting := range []error{ErrNoSuchTask, ErrPermission, ErrUnauthorized, ErrParams, ErrUntrusted, ErrNotImplemented} {
		if errors.Is(err, lasting) {
			return false
		}
	}
	return true
}

func (w *waiting) follow(ctx context.Context) {
	if w.onLog == nil {
		return
	}
	lines, err := w.client.TaskLog(ctx, w.upid, w.line)
	if err != nil {
		return // the next poll, or the end, brings the lines
	}
	for _, l := range lines {
		if l.Number > w.line {
			w.line = l.Number
			w.onLog(l)
		}
	}
}

// unflushed reports a task that seems to have ended without a result: for a moment
// the process is gone and its last line is not written yet.
// Source: PVE::UPID read_status.
func (w *waiting) unflushed(exit string) bool {
	if exit != unexpectedStatus {
		return false
	}
	w.unending++
	return w.unending < unflushedPolls
}

const unexpectedStatus = "unexpected status"

// finish turns an exit status into a result or an error, with the log's help.
func (w *waiting) finish(ctx context.Context, exit string) (TaskResult, error) {
	result := TaskResult{UPID: w.upid, Exit: exit}
	w.follow(ctx)
	if exit == "OK" {
		return result, nil
	}
	lines := w.log(ctx)
	if exit == unexpectedStatus {
		// A node keeps the status that it read too early; the log has the truth.
		result.Exit = lastResult(lines, exit)
	}
	switch {
	case result.Exit == "OK":
		return result, nil
	case strings.HasPrefix(result.Exit, "WARNINGS: "):
		if result.Warnings = warnings(lines); result.Warnings == nil {
			result.Warnings = []string{"the task ended with " + result.Exit + "; its log does not say which"}
		}
		return result, nil
	}
	return TaskResult{}, &TaskError{UPID: w.upid, Exit: result.Exit, Log: tail(lines)}
}

// log reads the whole log also when the time for the operation is over: the reason
// of a failure is worth some seconds.
func (w *waiting) log(ctx context.Context) []LogLine {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), logAttempt)
	defer cancel()
	lines, err := w.client.TaskLog(ctx, w.upid, 0)
	if err != nil {
		return nil
	}
	return lines
}

// lastResult reads the result out of the last line of a log.
// Source: PVE::RESTEnvironment fork_worker.
func lastResult(lines []LogLine, otherwise string) string {
	if len(lines) == 0 {
		return otherwise
	}
	last := strings.TrimSpace(lines[len(lines)-1].Text)
	for prefix, result := range map[string]string{"TASK OK": "OK", "TASK WARNINGS: ": "WARNINGS: ", "TASK ERROR: ": ""} {
		if rest, ok := strings.CutPrefix(last, prefix); ok {
			return result + rest
		}
	}
	return otherwise
}
