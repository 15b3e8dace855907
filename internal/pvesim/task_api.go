package pvesim

import (
	"slices"
	"strings"
)

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/tasks":               taskIndex,
		"GET /nodes/{node}/tasks/{upid}":        taskParts,
		"GET /nodes/{node}/tasks/{upid}/status": taskStatus,
		"GET /nodes/{node}/tasks/{upid}/log":    taskLog,
		"DELETE /nodes/{node}/tasks/{upid}":     taskStop,
		"GET /cluster/tasks":                    clusterTasks,
	})
}

// row is a task as the lists show it.
func (t *task) row() object {
	out := object{
		"upid": t.upid, "node": t.node, "pid": t.pid, "pstart": t.pstart, "starttime": t.start.Unix(),
		"type": t.kind, "id": t.id, "user": t.user.user(),
	}
	if t.user.token() != "" {
		out["tokenid"] = t.user.token()
	}
	return out
}

// owns tells whether the caller started a task. A token owns only what it
// started itself. Source: PVE::API2::Tasks check_task_user.
func (c *call) owns(t *task) bool { return t.user == c.user }

func taskParts(*call) (any, error) {
	return []object{{"name": "log"}, {"name": "status"}}, nil
}

// findTask finds the task that a call names, nil if there is no such task.
func (c *call) findTask(priv string) (*task, error) {
	named, ok := parseUPID(c.str("upid"))
	if !ok {
		return nil, wrong("upid", "unable to parse worker upid")
	}
	if !c.owns(named) {
		if err := c.need("/nodes/"+c.str("node"), priv); err != nil {
			return nil, err
		}
	}
	return c.s.task(named.upid), nil
}

func taskStatus(c *call) (any, error) {
	t, err := c.findTask("Sys.Audit")
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, wrong("upid", "no such task")
	}
	out := t.row()
	out["status"] = "running"
	if t.done {
		out["status"], out["exitstatus"] = "stopped", t.exit
	}
	return out, nil
}

func taskLog(c *call) (any, error) {
	t, err := c.findTask("Sys.Audit")
	if err != nil {
		return nil, err
	}
	lines := []string{"unable to open file - No such file or directory"}
	if t != nil {
		lines = t.lines
	}
	return logLines(lines, c.int("start"), c.limit(50)), nil
}

// limit is the parameter of that name.
func (c *call) limit(otherwise int) int {
	if c.has("limit") {
		return c.int("limit")
	}
	return otherwise
}

// logLines answers a part of a log; 0 is no limit.
// Source: PVE::Tools dump_logfile_by_filehandle.
func logLines(lines []string, start, limit int) listing {
	if len(lines) == 0 {
		lines = []string{"no content"}
	}
	out := []object{}
	for i := start; i < len(lines) && (limit == 0 || len(out) < limit); i++ {
		out = append(out, object{"n": i + 1, "t": lines[i]})
	}
	return listing{out, len(lines)}
}

func taskStop(c *call) (any, error) {
	t, err := c.findTask("Sys.Modify")
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, wrong("upid", "no such task")
	}
	if !t.done {
		t.stopped = true
		c.s.cond.Broadcast()
	}
	return nil, nil
}

// taskIndex lists tasks of a node, the newest first.
func taskIndex(c *call) (any, error) {
	audit := c.may("/nodes/"+c.str("node"), "Sys.Audit")
	source := c.str("source")
	out := []object{}
	found := 0
	for _, t := range slices.Backward(c.s.tasks) {
		wanted := source == "all" || source == "active" && !t.done || (source == "" || source == "archive") && t.done
		if t.hidden || t.node != c.str("node") || !wanted || !audit && !c.owns(t) || !c.taskWanted(t) {
			continue
		}
		if found++; found <= c.int("start") || len(out) >= c.limit(50) {
			continue
		}
		row := t.row()
		if t.done {
			row["endtime"], row["status"] = t.end.Unix(), t.exit
		} else {
			row["status"] = "RUNNING"
		}
		out = append(out, row)
	}
	return listing{out, found}, nil
}

// taskWanted applies the filters of the index.
func (c *call) taskWanted(t *task) bool {
	state := "error"
	switch {
	case t.exit == "OK":
		state = "ok"
	case strings.HasPrefix(t.exit, "WARNINGS: "):
		state = "warning"
	case t.exit == "unexpected status":
		state = "unknown"
	}
	start := int(t.start.Unix())
	return (!c.has("vmid") || t.id == c.str("vmid")) &&
		(!c.has("typefilter") || t.kind == c.str("typefilter")) &&
		(!c.has("userfilter") || strings.Contains(t.user.name, c.str("userfilter"))) &&
		(!c.flag("errors") || t.done && state != "ok") &&
		(!c.has("statusfilter") || slices.Contains(splitList(c.str("statusfilter")), state)) &&
		(!c.has("since") || start >= c.int("since")) && (!c.has("until") || start <= c.int("until"))
}

// clusterTasks lists what runs and the newest 25 that ended, of each node.
func clusterTasks(c *call) (any, error) {
	all := c.may("/", "Sys.Audit")
	ended := map[string]int{}
	out := []object{}
	for _, t := range slices.Backward(c.s.tasks) {
		if t.hidden || !all && !c.owns(t) {
			continue
		}
		row := t.row()
		if t.done {
			if ended[t.node]++; ended[t.node] > 25 {
				continue
			}
			row["endtime"], row["status"] = t.end.Unix(), t.exit
		}
		out = append(out, row)
	}
	return out, nil
}
