package vzdumppolicy

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"

	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// excludePath is the one option that is a list of parameters.
const excludePath = "exclude-path"

// Create makes the job. A job that has the id already is never taken for ours.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(r.within(&plan)...)
	want, d := plan.wants(ctx)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !attrs.Known(plan.ID) {
		plan.ID = types.StringValue(newID())
	}
	id := plan.ID.ValueString()
	if err := r.make(ctx, id, want, plan.defaults(&config)); err != nil {
		resp.Diagnostics.Append(notWritten(id, "created", err)...)
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), plan.ID)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), plan.ID)...)
	resp.Diagnostics.Append(r.readBack(ctx, &plan)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// make sends the whole job. When the server refuses a default of ours, which a
// Proxmox of another version may not know, it is left out: nothing was written.
func (r *Resource) make(ctx context.Context, id string, want options, ours []string) error {
	change := pve.JobChange{Set: maps.Clone(want.values)}
	if len(want.excludePaths) > 0 {
		change.Lists = map[string][]string{excludePath: want.excludePaths}
	}
	err := r.data.Client.CreateBackupJob(ctx, id, change)
	refused, ok := errors.AsType[*pve.Error](err)
	if !ok || !errors.Is(err, pve.ErrParams) {
		return err
	}
	dropped := false
	for _, key := range ours {
		if _, named := refused.Params[key]; named {
			delete(change.Set, key)
			dropped = true
		}
	}
	if !dropped {
		return err
	}
	return r.data.Client.CreateBackupJob(ctx, id, change)
}

// newID is an id like those that the web interface makes.
func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	text := hex.EncodeToString(b[:])
	return "backup-" + text[:8] + "-" + text[8:]
}

// Update sends what differs from the job as it is now. A new id is a new job
// first and the removal of the old one then, so that there is always one.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan, config model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(r.within(&plan)...)
	before, d := state.wants(ctx)
	resp.Diagnostics.Append(d...)
	want, d := plan.wants(ctx)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	id := plan.ID.ValueString()
	if old := state.ID.ValueString(); id != old {
		// What the resource has no attribute for moves along.
		for key, value := range state.OtherOptions.Elements() {
			if text, ok := value.(types.String); ok {
				want.values[key] = text.ValueString()
			}
		}
		resp.Diagnostics.Append(r.rename(ctx, old, id, want, plan.defaults(&config))...)
	} else if err := r.change(ctx, id, before, want); err != nil {
		resp.Diagnostics.Append(notWritten(id, "changed", err)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), plan.ID)...)
	resp.Diagnostics.Append(r.readBack(ctx, &plan)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// change brings the job as it is now to what is wanted, option by option. What
// somebody else changed meanwhile in another way is not overwritten: the error is
// a *TheirsError. Options that the resource never set stay.
func (r *Resource) change(ctx context.Context, id string, before, want options) error {
	job, err := r.data.Client.BackupJob(ctx, id)
	if err != nil {
		return err
	}
	change, theirs := compare(optionsOf(job), before, want)
	if len(theirs) > 0 {
		return &TheirsError{Options: theirs}
	}
	for _, key := range []string{"notes-template", "protected"} {
		// Proxmox takes these only beside the storage. Source: PVE::VZDump::Common, requires.
		if _, sent := change.Set[key]; sent && want.values["storage"] != "" {
			change.Set["storage"] = want.values["storage"]
		}
	}
	return r.data.Client.UpdateBackupJob(ctx, id, change)
}

// TheirsError says that somebody else changed options after the plan was made.
type TheirsError struct{ Options []string }

// Error names the options, sorted.
func (e *TheirsError) Error() string {
	return "somebody else has changed " + strings.Join(e.Options, ", ") + " since the plan was made"
}

func compare(live, before, want options) (change pve.JobChange, theirs []string) {
	change.Set = map[string]string{}
	c := keys.Changes[model](live.values, before.values, want.values)
	for _, key := range c.Set {
		change.Set[key] = want.values[key]
	}
	change.Delete, theirs = c.Gone, c.Theirs
	for _, key := range mapped {
		text, asked := want.values[key]
		was, had := before.values[key]
		now, there := live.values[key]
		switch {
		case asked == had && sameOption(key, was, text), asked && sameOption(key, now, text), !asked && !there:
		case had != there || !sameOption(key, was, now):
			theirs = append(theirs, key)
		case asked:
			change.Set[key] = text
		default:
			change.Delete = append(change.Delete, key)
		}
	}
	switch {
	case slices.Equal(before.excludePaths, want.excludePaths), slices.Equal(live.excludePaths, want.excludePaths):
	case !slices.Equal(live.excludePaths, before.excludePaths):
		theirs = append(theirs, excludePath)
	case len(want.excludePaths) > 0:
		change.Lists = map[string][]string{excludePath: want.excludePaths}
	default:
		change.Delete = append(change.Delete, excludePath)
	}
	slices.Sort(theirs)
	return change, theirs
}

// Delete removes the job. Its archives stay.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	id := state.ID.ValueString()
	if err := r.data.Client.DeleteBackupJob(ctx, id); err != nil && !errors.Is(err, pve.ErrNoSuch) {
		resp.Diagnostics.Append(notWritten(id, "removed", err)...)
	}
}

// sameOption compares two texts of an option that is mapped by hand.
func sameOption(key, a, b string) bool {
	switch key {
	case "vmid", "exclude":
		return vmidSet(a).Equal(vmidSet(b))
	case "prune-backups":
		return sameRetention(a, b)
	default:
		return maps.Equal(pairs(a), pairs(b))
	}
}

// optionsOf takes a job apart.
func optionsOf(job pve.BackupJob) options {
	return options{values: job.Values, excludePaths: job.Lists[excludePath]}
}
