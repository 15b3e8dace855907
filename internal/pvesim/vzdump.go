package pvesim

import (
	"strings"
	"time"
)

func init() {
	routes(map[string]handler{
		"POST /nodes/{node}/vzdump":              vzdump,
		"GET /nodes/{node}/vzdump/defaults":      vzdumpDefaults,
		"GET /nodes/{node}/vzdump/extractconfig": extractConfig,
	})
}

// vzdumpRun is one call of vzdump.
type vzdumpRun struct {
	c         *call
	t         *task
	st        *storage
	values    map[string]string
	guests    []*guest
	missing   []int
	all       bool
	retention map[string]string // nil: nothing is pruned
}

// vzdump checks what can be checked before the task and starts it. The
// storage is not among it. Source: PVE::API2::VZDump vzdump.
func vzdump(c *call) (any, error) {
	if err := c.vzdumpPermission(); err != nil {
		return nil, err
	}
	values, err := c.jobValues()
	if err != nil {
		return nil, err
	}
	if err := verifyVzdump(values, true); err != nil {
		return nil, err
	}
	if pool := values["pool"]; pool != "" && c.s.users().Pools[pool] == nil {
		return nil, die("pool '%s' does not exist", pool)
	}
	values["node"] = c.node.name
	r := &vzdumpRun{c: c, values: values, all: values["all"] == "1"}
	r.guests, r.missing = c.s.selected(values)
	if len(r.guests)+len(r.missing) == 0 && !r.all {
		return "OK", nil
	}
	id := ""
	if list := splitList(values["vmid"]); len(list) == 1 {
		id = list[0]
	}
	return c.fork("vzdump", id, r.work), nil
}

func (c *call) vzdumpPermission() error {
	for _, key := range []string{"dumpdir", "script", "tmpdir", "job-id"} {
		if c.has(key) && !c.user.root() {
			return wrong(key, "Only root may set this option.")
		}
	}
	for _, key := range []string{"bwlimit", "ionice", "performance"} {
		if c.has(key) {
			if err := c.need("/", "Sys.Modify"); err != nil {
				return err
			}
		}
	}
	if id := c.str("storage"); id != "" {
		if err := c.need("/storage/"+id, "Datastore.AllocateSpace"); err != nil {
			return err
		}
		if c.has("prune-backups") {
			return c.need("/storage/"+id, "Datastore.Allocate")
		}
	}
	return nil
}

// work is the worker: one guest after the other, one vzdump at a time a node.
// Source: PVE::VZDump exec_backup.
func (r *vzdumpRun) work(t *task) error {
	r.t = t
	if err := r.findStorage(); err != nil {
		return err
	}
	lock := "/var/run/vzdump.lock on " + t.node
	if !t.s.locks[lock].free(false) {
		t.log("INFO: trying to get global lock - waiting...")
	}
	if !t.s.lock(lock, r.minutes("lockwait", 180)) {
		t.log("ERROR: can't acquire lock '/var/run/vzdump.lock' - got timeout")
		return errUnexpected
	}
	defer t.s.unlock(lock)
	t.log("INFO: starting new backup job: vzdump %s", r.commandLine())
	for _, g := range r.guests {
		if err := r.c.need(vmPath(g.vmid), "VM.Backup"); err != nil && !r.all {
			return err
		}
	}
	failed, err := r.each()
	if err != nil {
		return err
	}
	if failed {
		t.log("INFO: Backup job finished with errors")
		return die("job errors")
	}
	t.log("INFO: Backup job finished successfully")
	return nil
}

func (r *vzdumpRun) each() (failed bool, err error) {
	for _, g := range r.guests {
		if r.all && !r.c.may(vmPath(g.vmid), "VM.Backup") {
			continue
		}
		b := &dump{vzdumpRun: r, g: g, start: r.t.s.now()}
		if err := b.run(); err != nil {
			if r.t.stopped {
				return true, die("interrupted by signal")
			}
			failed = true
			r.failure(g.vmid, err)
		}
	}
	for _, id := range r.missing {
		failed = true
		r.failure(id, die("unable to find VM '%d'", id))
	}
	return failed, nil
}

func (r *vzdumpRun) failure(vmid int, err error) {
	r.t.log("ERROR: Backup of VM %d failed - %s", vmid, err)
	r.t.log("INFO: Failed at %s", r.t.s.now().UTC().Format(time.DateTime))
}

// findStorage is the check that belongs before the task and is not there.
// Source: PVE::VZDump storage_info.
func (r *vzdumpRun) findStorage() error {
	id := r.values["storage"]
	if id == "" {
		id = "local"
	}
	st, err := r.t.s.usable(id, r.t.node)
	if err != nil {
		return die("could not activate storage '%s': %s\ncould not get storage information for '%s': %s", id, err, id, err)
	}
	if r.t.s.knobs.offline[id] {
		return die("could not activate storage '%s': storage '%s' is not online", id, id)
	}
	if !st.takes("backup") {
		return die("could not get storage information for '%s': can't use storage '%s' for backups - wrong content type", id, id)
	}
	r.st = st
	retention := r.values["prune-backups"]
	if retention == "" {
		retention = st.Values["prune-backups"]
	}
	if retention != "" && r.values["remove"] != "0" {
		keys, err := r.t.s.table.Parse("prune-backups", retention, "prune-backups")
		if err == nil && keys["keep-all"] != "1" {
			r.retention = keys
		}
	}
	return nil
}

func (r *vzdumpRun) minutes(key string, otherwise int) time.Duration {
	return time.Duration(number(r.values[key], otherwise)) * time.Minute
}

// commandLine are the options as the log shows them; Proxmox has them in no order.
func (r *vzdumpRun) commandLine() string {
	words := splitList(r.values["vmid"])
	for _, key := range sortedKeys(r.values) {
		if key == "vmid" {
			continue
		}
		value := r.values[key]
		if strings.ContainsAny(value, " ={}'*?;|&") {
			value = "'" + value + "'"
		}
		words = append(words, "--"+key, value)
	}
	return strings.Join(words, " ")
}

// vzdumpDefaults are the defaults where /etc/vzdump.conf says nothing.
func vzdumpDefaults(c *call) (any, error) {
	id := c.str("storage")
	if id == "" {
		id = "local"
	}
	st, err := c.s.usable(id, c.node.name)
	if err != nil {
		return nil, err
	}
	retention := "keep-all=1"
	if v := st.Values["prune-backups"]; v != "" {
		retention = v
	}
	out := object{
		"all": 0, "bwlimit": 0, "compress": "0", "fleecing": object{"enabled": 0}, "ionice": 7, "lockwait": 180,
		"mailnotification": "always", "mode": "snapshot", "notification-mode": "auto",
		"performance": object{"max-workers": 16, "pbs-entries-max": 1048576}, "pigz": 0, "prune-backups": retention,
		"quiet": 0, "remove": 1, "stdexcludes": 1, "stop": 0, "stopwait": 10, "storage": id, "zstd": 1,
	}
	if st.plugin().files {
		out["dumpdir"] = st.subdir("backup")
	}
	return out, nil
}

// extractConfig is the configuration that an archive holds.
func extractConfig(c *call) (any, error) {
	volid := c.str("volume")
	if err := c.mayUse(volid, 0, "backup"); err != nil {
		return nil, err
	}
	v := c.s.vol(c.node.name, volid)
	if v == nil {
		return nil, die("volume '%s' does not exist", volid)
	}
	return v.Archive["config"], nil
}
