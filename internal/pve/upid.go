package pve

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// UPID names a task. It carries the node that runs it, which is where it must be
// asked for.
type UPID string

// upidPattern has the groups node, pid, pstart, start time, type, id and user.
// Source: PVE::UPID decode.
var upidPattern = regexp.MustCompile(
	`^UPID:([a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?):([0-9A-Fa-f]{8}):([0-9A-Fa-f]{8,9}):([0-9A-Fa-f]{8}):([^:\s]+):([^:\s]*):([^:\s]+):$`)

// UPIDError says that a text is not a task id.
type UPIDError struct{ Text string }

func (e *UPIDError) Error() string { return fmt.Sprintf("%q is not a task id (UPID)", e.Text) }

// ParseUPID checks that a text is a task id. The error is an *UPIDError.
func ParseUPID(s string) (UPID, error) {
	if !upidPattern.MatchString(s) {
		return "", &UPIDError{Text: s}
	}
	return UPID(s), nil
}

func (u UPID) group(i int) string {
	groups := upidPattern.FindStringSubmatch(string(u))
	if groups == nil {
		return ""
	}
	return groups[i]
}

// Node is the node that runs the task; empty if u is no task id.
func (u UPID) Node() string { return u.group(1) }

// Type is the worker type, such as "vzcreate".
func (u UPID) Type() string { return u.group(5) }

// ID is what the task works on, mostly a VMID; often the source of a clone, and
// empty for a backup of several guests.
func (u UPID) ID() string { return u.group(6) }

// User is who started the task: USER@REALM, with !TOKENID for a token.
func (u UPID) User() string { return u.group(7) }

// Started is when the task began, by the node's clock, in whole seconds.
func (u UPID) Started() time.Time {
	seconds, err := strconv.ParseInt(u.group(4), 16, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(seconds, 0)
}
