package pvesim

import (
	"fmt"
	"time"
)

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/storage/{storage}/prunebackups":    pruneDryRun,
		"DELETE /nodes/{node}/storage/{storage}/prunebackups": pruneNow,
	})
}

// pruneMark is an archive and what becomes of it: keep, remove or protected.
type pruneMark struct {
	v    *volume
	mark string
}

// pruneRules are the rules in their order; two archives of the same slot
// count once. Source: PVE::Storage prune_mark_backup_group.
var pruneRules = []struct {
	key  string
	slot func(time.Time) string
}{
	{"keep-last", func(t time.Time) string { return t.Format(time.RFC3339Nano) }},
	{"keep-hourly", func(t time.Time) string { return t.Format("2006-01-02 15") }},
	{"keep-daily", func(t time.Time) string { return t.Format("2006-01-02") }},
	{"keep-weekly", func(t time.Time) string { y, w := t.ISOWeek(); return fmt.Sprintf("%d-%d", y, w) }},
	{"keep-monthly", func(t time.Time) string { return t.Format("2006-01") }},
	{"keep-yearly", func(t time.Time) string { return t.Format("2006") }},
}

// pruneMarks judges the archives of one guest, the newest first.
func pruneMarks(archives []*volume, retention map[string]string) []pruneMark {
	marks := make([]pruneMark, len(archives))
	for i, v := range archives {
		marks[i].v = v
		if v.Protected {
			marks[i].mark = "protected"
		}
	}
	if retention["keep-all"] != "1" {
		for _, rule := range pruneRules {
			markRule(marks, number(retention[rule.key], 0), rule.slot)
		}
	}
	for i := range marks {
		switch {
		case marks[i].mark == "" && retention["keep-all"] == "1":
			marks[i].mark = "keep"
		case marks[i].mark == "":
			marks[i].mark = "remove"
		}
	}
	return marks
}

func markRule(marks []pruneMark, count int, slot func(time.Time) string) {
	at := func(m pruneMark) string { return slot(archiveOf(m.v.ID).at) }
	before, now := map[string]bool{}, map[string]bool{}
	for _, m := range marks {
		if m.mark == "keep" {
			before[at(m)] = true
		}
	}
	for i := range marks {
		id := at(marks[i])
		if marks[i].mark != "" || before[id] {
			continue
		}
		if !now[id] {
			if len(now) >= count {
				return
			}
			now[id] = true
			marks[i].mark = "keep"
			continue
		}
		marks[i].mark = "remove"
	}
}

// pruneList judges all archives that a call is about.
func (c *call) pruneList() ([]pruneMark, error) {
	st, err := c.s.usable(c.str("storage"), c.node.name)
	if err != nil {
		return nil, err
	}
	if !st.takes("backup") {
		return nil, die("storage '%s' does not support backups", st.ID)
	}
	text := c.str("prune-backups")
	if text == "" {
		text = st.Values["prune-backups"]
	}
	if text == "" {
		return nil, die("no prune-backups options configured for storage '%s'", st.ID)
	}
	retention, err := c.s.table.Parse("prune-backups", text, "prune-backups")
	if err != nil {
		return nil, err
	}
	var out []pruneMark
	seen := map[string]bool{}
	for _, v := range c.s.onStorage(st, c.node.name) {
		a := archiveOf(v.ID)
		if a == nil || c.has("vmid") && a.vmid != c.int("vmid") || c.has("type") && apiName(a.kind) != c.str("type") {
			continue
		}
		group := fmt.Sprint(a.kind, a.vmid)
		if !seen[group] {
			seen[group] = true
			out = append(out, pruneMarks(c.s.archivesOf(st, c.node.name, a.kind, a.vmid), retention)...)
		}
	}
	return out, nil
}

func pruneDryRun(c *call) (any, error) {
	marks, err := c.pruneList()
	if err != nil {
		return nil, err
	}
	out := []object{}
	for _, m := range marks {
		a := archiveOf(m.v.ID)
		out = append(out, object{"volid": m.v.ID, "ctime": m.v.Created, "mark": m.mark, "type": apiName(a.kind), "vmid": a.vmid})
	}
	return out, nil
}

// pruneNow removes what the dry run marks. Source: PVE::API2::Storage::PruneBackups delete.
func pruneNow(c *call) (any, error) {
	path := "/storage/" + c.str("storage")
	if c.has("vmid") {
		if err := c.need(path, "Datastore.AllocateSpace"); err != nil {
			return nil, err
		}
		if err := c.need(vmPath(c.int("vmid")), "VM.Backup"); err != nil {
			return nil, err
		}
	} else if err := c.need(path, "Datastore.Allocate"); err != nil {
		return nil, err
	}
	if _, err := c.pruneList(); err != nil {
		return nil, err
	}
	id := c.str("storage")
	if c.has("vmid") {
		id = fmt.Sprintf("%d@%s", c.int("vmid"), id)
	}
	return c.fork("prunebackups", id, func(t *task) error {
		marks, err := c.pruneList()
		if err != nil {
			return err
		}
		for _, m := range marks {
			if m.mark == "remove" {
				t.log("removing backup '%s'", m.v.ID)
				c.s.dropVol(m.v)
			}
		}
		return nil
	}), nil
}
