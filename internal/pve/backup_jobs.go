package pve

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// BackupJob is a job of the cluster's configuration: what is backed up when.
type BackupJob struct {
	ID string
	// Values are the options, each as text: booleans as 1 and 0, and what the API
	// takes as a property string and returns as an object as that string, every
	// sub-key written out and sorted.
	Values map[string]string
	// Lists are the options with several values, exclude-path.
	Lists map[string][]string
	// NextRun is when it runs next; only the list of all jobs tells it.
	NextRun time.Time
}

// UnmarshalJSON reads a row of /cluster/backup.
func (j *BackupJob) UnmarshalJSON(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	*j = BackupJob{Values: map[string]string{}, Lists: map[string][]string{}}
	for key, raw := range fields {
		if err := j.read(key, raw); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func (j *BackupJob) read(key string, raw json.RawMessage) error {
	switch raw[0] {
	case '{':
		var object map[string]Text
		if err := json.Unmarshal(raw, &object); err != nil {
			return err
		}
		var parts []string
		for _, sub := range slices.Sorted(maps.Keys(object)) {
			parts = append(parts, sub+"="+string(object[sub]))
		}
		j.Values[key] = strings.Join(parts, ",")
		return nil
	case '[':
		var list []Text
		if err := json.Unmarshal(raw, &list); err != nil {
			return err
		}
		for _, item := range list {
			j.Lists[key] = append(j.Lists[key], string(item))
		}
		return nil
	}
	text, err := scalarText(raw)
	if err != nil || string(raw) == "null" {
		return err
	}
	switch key {
	case "id":
		j.ID = text
	case "type":
	case "next-run":
		var seconds Int
		if err := json.Unmarshal(raw, &seconds); err != nil {
			return err
		}
		j.NextRun = time.Unix(int64(seconds), 0).UTC()
	default:
		j.Values[key] = text
	}
	return nil
}

// JobChange is what a job is to become. What is not named stays.
type JobChange struct {
	Set    map[string]string
	Lists  map[string][]string
	Delete []string
}

// Empty reports whether nothing would change: Proxmox refuses such an update.
func (ch JobChange) Empty() bool {
	return len(ch.Set) == 0 && len(ch.Lists) == 0 && len(ch.Delete) == 0
}

func (ch JobChange) apply(r *request) *request {
	for key, value := range ch.Set {
		r.form.Set(key, value)
	}
	for key, list := range ch.Lists {
		r.form[key] = slices.Clone(list)
	}
	if len(ch.Delete) != 0 {
		r.form.Set("delete", strings.Join(slices.Sorted(slices.Values(ch.Delete)), ","))
	}
	return r
}

// BackupJobs lists the backup jobs of the cluster. Needs Sys.Audit on /.
func (c *Client) BackupJobs(ctx context.Context) ([]BackupJob, error) {
	return call[[]BackupJob](ctx, c, get(nil, "cluster", "backup"))
}

// BackupJob reads one job, without its next run. Needs Sys.Audit on /.
func (c *Client) BackupJob(ctx context.Context, id string) (BackupJob, error) {
	return call[BackupJob](ctx, c, get(nil, "cluster", "backup", id))
}

// CreateBackupJob makes a job. The id has to be chosen: the answer names none.
// Proxmox checks neither that the storage can take backups nor that the guests
// exist. ErrExists: the id is taken. Needs Sys.Modify on / and Datastore.Allocate
// on the storage.
func (c *Client) CreateBackupJob(ctx context.Context, id string, ch JobChange) error {
	return send(ctx, c, ch.apply(post(Params{"id": id}, "cluster", "backup")))
}

// UpdateBackupJob changes a job; an empty change sends nothing. Needs what
// CreateBackupJob needs.
func (c *Client) UpdateBackupJob(ctx context.Context, id string, ch JobChange) error {
	if ch.Empty() {
		return nil
	}
	return send(ctx, c, ch.apply(put(nil, "cluster", "backup", id)))
}

// DeleteBackupJob removes a job; its archives stay. Needs what CreateBackupJob
// needs.
func (c *Client) DeleteBackupJob(ctx context.Context, id string) error {
	return send(ctx, c, del(nil, "cluster", "backup", id))
}

// UnprotectedGuest is a guest that no backup job selects.
type UnprotectedGuest struct {
	VMID guest.VMID
	Kind guest.Kind
	Name string
}

// NotBackedUp lists the guests that no backup job selects. Needs Sys.Audit on /;
// guests that the identity may not audit are missing.
func (c *Client) NotBackedUp(ctx context.Context) ([]UnprotectedGuest, error) {
	type row struct {
		VMID Int    `json:"vmid"`
		Type string `json:"type"`
		Name Text   `json:"name"`
	}
	rows, err := call[[]row](ctx, c, get(nil, "cluster", "backup-info", "not-backed-up"))
	var guests []UnprotectedGuest
	for _, r := range rows {
		guests = append(guests, UnprotectedGuest{VMID: guest.VMID(r.VMID), Kind: guest.Kind(r.Type), Name: string(r.Name)})
	}
	return guests, err
}
