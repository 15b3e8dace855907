package pvesim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

func init() {
	routes(map[string]handler{
		"GET /cluster/backup":                       jobIndex,
		"POST /cluster/backup":                      jobCreate,
		"GET /cluster/backup/{id}":                  jobRead,
		"PUT /cluster/backup/{id}":                  jobUpdate,
		"DELETE /cluster/backup/{id}":               jobDelete,
		"GET /cluster/backup/{id}/included_volumes": jobVolumes,
		"GET /cluster/backup-info":                  parts("subdir", "not-backed-up"),
		"GET /cluster/backup-info/not-backed-up":    notBackedUp,
	})
}

func jobIndex(c *call) (any, error) {
	out := []object{}
	for _, e := range c.s.jobs() {
		row := c.s.jobJSON(e)
		if next := c.s.nextRun(e); next != 0 {
			row["next-run"] = next
		}
		out = append(out, row)
	}
	return out, nil
}

func jobRead(c *call) (any, error) {
	e := c.s.job(c.str("id"))
	if e == nil {
		return nil, wrong("id", "No such job '%s'", c.str("id"))
	}
	return c.s.jobJSON(e), nil
}

// jobCreate does not check that guests and storage exist.
// Source: PVE::API2::Backup create_job.
func jobCreate(c *call) (any, error) {
	if err := c.jobPermission(c.str("storage"), true); err != nil {
		return nil, err
	}
	if !c.has("schedule") && !c.has("starttime") {
		return nil, wrong("schedule", "neither 'starttime' nor 'schedule' were set")
	}
	values, err := c.jobValues()
	if err != nil {
		return nil, err
	}
	id := c.str("id")
	if id == "" {
		id = uuid()
	}
	if c.s.job(id) != nil {
		return nil, die("Job '%s' already exists", id)
	}
	if err := verifyVzdump(values, true); err != nil {
		return nil, nested(err)
	}
	e := conf.NewEntry("vzdump", id)
	if values["enabled"] == "" {
		values["enabled"] = "1"
	}
	for key, value := range values {
		e.Set(key, value)
	}
	c.s.saveJobs(append(c.s.jobs(), e))
	return nil, nil
}

// jobUpdate changes what is sent; a new selection takes the place of the old.
// Source: PVE::API2::Backup update_job.
func jobUpdate(c *call) (any, error) {
	values, err := c.jobValues()
	if err != nil {
		return nil, err
	}
	if len(c.sent) == 0 {
		return nil, die("no options specified")
	}
	jobs := c.s.jobs()
	at := slices.IndexFunc(jobs, func(e *conf.Entry) bool { return e.ID == c.str("id") })
	if at < 0 {
		return nil, die("no such vzdump job")
	}
	e := jobs[at]
	if err := c.jobPermission(e.Values["storage"], false); err != nil {
		return nil, err
	}
	deleted := splitList(c.str("delete"))
	for _, key := range deleted {
		if c.s.table.Group("vzdump")[key] == nil && key != "comment" && key != "repeat-missed" {
			return nil, nested(wrong("delete", "unknown option '%s'", key))
		}
	}
	if err := verifyVzdump(values, false); err != nil {
		return nil, nested(err)
	}
	displaced := displacedBy(values)
	for _, key := range slices.Concat(deleted, displaced) {
		e.Delete(key)
	}
	for key, value := range values {
		e.Set(key, value)
	}
	if err := verifyVzdump(maps.Clone(e.Values), true); err != nil {
		return nil, nested(err)
	}
	c.s.saveJobs(jobs)
	return nil, nil
}

// displacedBy are the keys that go when another selection is set.
func displacedBy(values map[string]string) []string {
	switch {
	case values["vmid"] != "":
		return []string{"all", "exclude", "pool"}
	case values["all"] == "1":
		return []string{"vmid", "pool"}
	case values["pool"] != "":
		return []string{"vmid", "all", "exclude"}
	}
	return nil
}

func jobDelete(c *call) (any, error) {
	id := c.str("id")
	e := c.s.job(id)
	if e == nil {
		return nil, nested(wrong("id", "No such job '%s'", id))
	}
	if err := c.jobPermission(e.Values["storage"], false); err != nil {
		return nil, err
	}
	c.s.saveJobs(slices.DeleteFunc(c.s.jobs(), func(e *conf.Entry) bool { return e.ID == id }))
	return nil, nil
}

// jobPermission is what changing a job needs besides Sys.Modify.
// Source: PVE::API2::Backup assert_param_permission_create.
func (c *call) jobPermission(storage string, create bool) error {
	for _, key := range []string{"dumpdir", "script", "tmpdir"} {
		if c.has(key) && !c.user.root() {
			return wrong(key, "Only root may set this option.")
		}
	}
	if pool := c.str("pool"); pool != "" {
		if c.s.users().Pools[pool] == nil {
			return denied("pool '%s' does not exist", pool)
		}
		if err := c.need("/pool/"+pool, "VM.Backup"); err != nil {
			return err
		}
	}
	if storage == "" && create {
		storage = "local"
	}
	for _, id := range []string{storage, c.str("storage")} {
		if id == "" {
			continue
		}
		if err := c.need("/storage/"+id, "Datastore.Allocate"); err != nil {
			return err
		}
	}
	return nil
}

// jobValues are the parameters as the file stores them.
func (c *call) jobValues() (map[string]string, error) {
	if c.has("starttime") {
		if c.has("schedule") {
			return nil, wrong("starttime", "'starttime' and 'schedule' cannot both be set")
		}
		c.params["schedule"] = schema.Text(strings.TrimSpace(c.str("dow") + " " + c.str("starttime")))
	}
	out := map[string]string{}
	for name := range c.params {
		switch name {
		case "id", "delete", "dow", "starttime":
			continue
		}
		out[name] = strings.Join(c.list(name), "\n")
		if format := jobObjects[name]; format != "" {
			keys, err := c.s.table.Parse(format, out[name], name)
			if err != nil {
				return nil, err
			}
			out[name] = c.s.table.Print(format, keys)
		}
	}
	return out, nil
}

// verifyVzdump refuses selections that contradict each other. exclude alone
// selects all others. Source: PVE::VZDump verify_vzdump_parameters.
func verifyVzdump(values map[string]string, whole bool) error {
	for _, key := range []string{"all", "exclude", "pool"} {
		if values["vmid"] != "" && values[key] != "" && values[key] != "0" {
			return wrong(key, "option conflicts with option 'vmid'")
		}
	}
	if values["exclude"] != "" && values["pool"] == "" {
		values["all"] = "1"
	}
	if err := verifyNotes(values["notes-template"]); err != "" {
		return wrong("notes-template", "%s\n", err)
	}
	if whole && values["vmid"] == "" && values["pool"] == "" && values["all"] != "1" {
		return wrong("vmid", "property is missing")
	}
	return nil
}

// nested is a refusal of parameters from inside of a lock: it lost its form.
// Source: PVE::Cluster cfs_lock_file, which turns every error into text.
func nested(err error) error {
	e, ok := err.(*apiError) //nolint:errorlint // made a line above, never wrapped
	if !ok || e.errors == nil {
		return err
	}
	lines := []string{"400 Parameter verification failed."}
	for _, key := range sortedKeys(e.errors) {
		lines = append(lines, fmt.Sprintf("%s: %s", key, strings.TrimRight(e.errors[key], "\n")))
	}
	return die("%s", strings.Join(lines, "\n"))
}

// jobVolumes is the tree of guests and volumes of a job.
// Source: PVE::API2::Backup get_volume_backup_included.
func jobVolumes(c *call) (any, error) {
	e := c.s.job(c.str("id"))
	if e == nil {
		return nil, wrong("id", "No such job '%s'", c.str("id"))
	}
	found, missing := c.s.selected(e.Values)
	children := []object{}
	for _, id := range missing {
		children = append(children, object{"id": id, "leaf": 1, "type": "unknown"})
	}
	for _, g := range found {
		volumes := []object{}
		for _, v := range c.s.backupVolumes(g) {
			volumes = append(volumes, object{
				"id": fmt.Sprintf("%d:%s", g.vmid, v.key), "name": v.volid, "included": number(flagText(v.in), 0), "reason": v.reason, "leaf": 1,
			})
		}
		slices.SortFunc(volumes, func(a, b object) int { return strings.Compare(a["id"].(string), b["id"].(string)) })
		children = append(children, object{"id": g.vmid, "name": g.displayName(), "type": apiName(g.kind), "leaf": 0, "children": volumes})
	}
	return object{"children": children}, nil
}

// notBackedUp are the guests that no job selects; whether a job is enabled
// does not count. Source: PVE::API2::BackupInfo get_included_vmids.
func notBackedUp(c *call) (any, error) {
	covered := map[int]bool{}
	for _, e := range c.s.jobs() {
		found, _ := c.s.selected(e.Values)
		for _, g := range found {
			covered[g.vmid] = true
		}
	}
	out := []object{}
	for _, g := range c.s.guests() {
		if !covered[g.vmid] && c.may(vmPath(g.vmid), "VM.Audit") {
			out = append(out, object{"vmid": g.vmid, "type": apiName(g.kind), "name": g.displayName()})
		}
	}
	return out, nil
}
