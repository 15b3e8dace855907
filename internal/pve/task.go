package pve

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// TaskStatus is a task as its node knows it.
type TaskStatus struct {
	UPID    UPID   `json:"upid"`
	Node    string `json:"node"`
	Type    string `json:"type"`
	ID      Text   `json:"id"`
	User    string `json:"user"`
	TokenID string `json:"tokenid"`
	Start   Int    `json:"starttime"`  // seconds since 1970
	Status  string `json:"status"`     // running or stopped
	Exit    string `json:"exitstatus"` // only when stopped
}

// TaskResult is a task that succeeded.
type TaskResult struct {
	UPID     UPID
	Exit     string   // OK or "WARNINGS: n"
	Warnings []string // the warnings of the log, without "WARN: "
}

// TaskError is a task that failed. It unwraps to the same kinds as an *Error with
// the same words, such as ErrLocked.
type TaskError struct {
	UPID UPID
	Exit string   // Proxmox's words
	Log  []string // the last lines of the log; empty if it could not be read
}

func (e *TaskError) Error() string {
	s := fmt.Sprintf("task %s failed: %s", e.UPID, e.Exit)
	if len(e.Log) != 0 {
		s += "\nThe task's log ends with:\n  " + strings.Join(e.Log, "\n  ")
	}
	return s
}

// Unwrap returns the kinds of error that the exit status stands for.
func (e *TaskError) Unwrap() []error { return classify(innerText(e.Exit)) }

// prefixed are texts of a worker that stand in front of the reason.
var prefixed = regexp.MustCompile(`^(?:unable to (?:create|restore) (?:CT|VM) \d+ - |clone failed: )`)

func innerText(exit string) string { return prefixed.ReplaceAllString(exit, "") }

// StillRunningError says that the wait for a task ended before the task: it goes on
// at the node. It unwraps to the reason, such as context.DeadlineExceeded.
type StillRunningError struct {
	UPID  UPID
	Cause error
}

func (e *StillRunningError) Error() string {
	return fmt.Sprintf("the wait for task %s on node %s ended (%s); the task goes on", e.UPID, e.UPID.Node(), e.Cause)
}

// Unwrap returns the reason.
func (e *StillRunningError) Unwrap() error { return e.Cause }

// LogLine is one line of a task's log. Number counts from 1.
type LogLine struct {
	Number int
	Text   string
}

// TaskStatus asks the node that runs the task for its state. ErrNoSuchTask means
// that the node has forgotten it, which says nothing about what it did.
func (c *Client) TaskStatus(ctx context.Context, u UPID) (TaskStatus, error) {
	return call[TaskStatus](ctx, c, taskStatusRequest(u))
}

func taskStatusRequest(u UPID) *request { return get(nil, "nodes", u.Node(), "tasks", u, "status") }

// TaskLog returns the log from line start (counting from 0) on.
func (c *Client) TaskLog(ctx context.Context, u UPID, start int) ([]LogLine, error) {
	type row struct {
		Number Int  `json:"n"`
		Text   Text `json:"t"`
	}
	// limit=0 is all of it. Source: PVE::Tools dump_logfile_by_filehandle.
	rows, err := call[[]row](ctx, c, get(Params{"start": fmt.Sprint(start), "limit": "0"}, "nodes", u.Node(), "tasks", u, "log"))
	var lines []LogLine
	for _, r := range rows {
		if r.Number == 0 || r.Number == 1 && r.Text == "no content" {
			continue // what Proxmox answers for a log without lines
		}
		lines = append(lines, LogLine{Number: int(r.Number), Text: string(r.Text)})
	}
	return lines, err
}

// StopTask asks the node to end a task. Whether it ended shows TaskStatus.
func (c *Client) StopTask(ctx context.Context, u UPID) error {
	return send(ctx, c, del(nil, "nodes", u.Node(), "tasks", u))
}

// tailLines is how much of a log goes into an error.
const tailLines = 12

// tail returns the last lines of a log without the one that repeats the result.
func tail(lines []LogLine) []string {
	var texts []string
	for _, l := range lines {
		if text := strings.TrimSpace(l.Text); text != "" && !strings.HasPrefix(text, "TASK ") {
			texts = append(texts, text)
		}
	}
	return slices.Clone(texts[max(0, len(texts)-tailLines):])
}

// warnings returns the warnings of a log. Source: PVE::RESTEnvironment log_warn.
func warnings(lines []LogLine) []string {
	var found []string
	for _, l := range lines {
		if text, ok := strings.CutPrefix(strings.TrimSpace(l.Text), "WARN: "); ok {
			found = append(found, text)
		}
	}
	return found
}
