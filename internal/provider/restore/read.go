package restore

import (
	"context"
	"errors"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// Read is one request for an unchanged guest beside the listing. It removes the
// resource from the state only when it is proved that nobody has its number.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.data.Boundary.Check(m.id()); err != nil {
		resp.Diagnostics.Append(guests.Outside(m.kind(), m.id(), err))
		return
	}
	settlement, d := guests.SettleRecord(ctx, r.data, r.life, m.kind(), m.Reconcile, m.Fingerprint.ValueString())
	resp.Diagnostics.Append(d...)
	switch settlement {
	case guests.Absent:
		resp.State.RemoveResource(ctx)
		return
	case guests.StaysOpen:
		return
	}
	m.Reconcile = types.ObjectNull(guests.ReconcileTypes)
	f, err := guests.Find(ctx, r.data, m.ref())
	if _, gone := errors.AsType[*guests.GoneError](err); gone {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.Append(guests.NotRead(m.ref(), err))
		return
	}
	if stranger := guests.Recognise(ctx, r.life, f, m.Fingerprint); stranger != nil {
		resp.Diagnostics.Append(stranger)
		return
	}
	now, err := guests.ReadSeen(ctx, req.Private).Since(ctx, r.data.Client, f)
	if err != nil {
		resp.Diagnostics.Append(guests.Unreadable(f.Ref, err))
		return
	}
	resp.Diagnostics.Append(m.absorb(ctx, f, now)...)
	if m.Started, m.Pool, err = guests.Listed(ctx, r.data, f, m.Started, m.Pool); err != nil {
		resp.Diagnostics.Append(guests.Unreadable(f.Ref, err))
		return
	}
	resp.Diagnostics.Append(now.Write(ctx, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// absorb takes over what the guest is like.
func (m *model) absorb(ctx context.Context, f guests.Found, seen guests.Seen) diag.Diagnostics {
	var d diag.Diagnostics
	m.CurrentNode, m.Kind = types.StringValue(f.Ref.Node), types.StringValue(string(f.Ref.Kind))
	m.Fingerprint = guests.Fingerprint(f, m.Fingerprint)
	m.Volumes, d = guests.Volumes(ctx, seen.Entries(f), func(string) bool { return false })
	m.MACAddresses = addresses(f.Config.Values)
	if live := f.Config.Values[nameKey(f.Ref.Kind)]; attrs.Known(m.Name) && live != m.Name.ValueString() {
		m.Name = types.StringValue(live)
	}
	return d
}

func nameKey(kind guest.Kind) string {
	if kind == guest.QEMU {
		return "name"
	}
	return "hostname"
}

var (
	netKey = regexp.MustCompile(`^net\d+$`)
	mac    = regexp.MustCompile(`(?i)[0-9a-f]{2}(?::[0-9a-f]{2}){5}`)
)

func addresses(values map[string]string) types.Map {
	found := map[string]attr.Value{}
	for key, text := range values {
		if address := mac.FindString(text); netKey.MatchString(key) && address != "" {
			found[key] = types.StringValue(address)
		}
	}
	return types.MapValueMust(types.StringType, found)
}

// logsToLookInto is how many logs of backups are read for one archive.
const logsToLookInto = 5

// consistency looks for the log of the backup that made the archive. What cannot
// be found is not known.
func (r *Resource) consistency(ctx context.Context, s archives.Source) types.String {
	rows, err := r.data.Client.Tasks(ctx, s.Node, pve.TaskFilter{Type: "vzdump"})
	if err != nil {
		return types.StringNull()
	}
	looked := 0
	for _, row := range rows {
		// The id of a backup of several guests is empty.
		if id := string(row.ID); id != "" && id != s.Archive.VMID.String() {
			continue
		}
		if looked++; looked > logsToLookInto {
			break
		}
		lines, err := r.data.Client.TaskLog(ctx, row.UPID, 0)
		if err != nil {
			continue
		}
		texts := make([]string, len(lines))
		for i, line := range lines {
			texts[i] = line.Text
		}
		if run, ok := vzdump.ParseLog(texts).Run(s.Archive.VMID); ok && archives.Made(run, s) {
			if c := vzdump.ConsistencyOf(run); c != "" {
				return types.StringValue(string(c))
			}
		}
	}
	return types.StringNull()
}

// Update starts or stops the guest, renames it and changes its pool. What matters
// only while a guest is restored is only written down.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state, plan model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.data.Boundary.Check(plan.id()); err != nil {
		resp.Diagnostics.Append(guests.Outside(plan.kind(), plan.id(), err))
		return
	}
	ref := state.ref()
	steps := guests.Steps{Data: r.data, Ref: ref, Diags: &resp.Diagnostics, Did: "changed"}
	resp.Diagnostics.Append(guests.ChangePool(ctx, r.data, ref, state.Pool, plan.Pool)...)
	if attrs.Known(plan.Name) && !plan.Name.Equal(state.Name) {
		err := r.data.Client.UpdateConfig(ctx, ref, pve.ConfigChange{Set: map[string]string{nameKey(ref.Kind): plan.Name.ValueString()}})
		if err != nil {
			resp.Diagnostics.Append(diags.FailedAt(path.Root("name"), guests.Title(ref.Kind, ref.VMID)+" was not renamed", err, diags.Nothing))
		}
	}
	if !plan.Started.Equal(state.Started) && !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(steps.Power(ctx, plan.Started.ValueBool())...)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	}
}

// Delete destroys the guest if it is what was planned on.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	limit, d := state.Timeouts.Delete(ctx, deleteTimeout)
	resp.Diagnostics.Append(d...)
	s, d := r.subject(ctx, &state)
	resp.Diagnostics.Append(d...)
	marker, d := ending.Left(ctx, req.Private)
	resp.Diagnostics.Append(d...)
	if r.doors().Closed(s, &resp.Diagnostics) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	record, d := ending.Delete(ctx, r.life, s, marker, limit)
	resp.Diagnostics.Append(d...)
	if record != nil {
		kept, d := guests.RecordValue(ctx, record)
		resp.Diagnostics.Append(d...)
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("reconcile"), kept)...)
	}
	if !resp.Diagnostics.HasError() {
		r.data.Guests.Note(s.Guest.VMID, meta.Note{Gone: true})
	}
}
