package container

import (
	"context"
	"encoding/json"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// privateKey is where the private state keeps what was last read.
const privateKey = "config"

// seen is what the private state keeps of a configuration: its digest, and what
// was pending under that digest. The digest is a hash of the whole file, so an
// equal one means that nothing has changed and that nothing more need be asked.
// See docs/adr/0001-refresh-by-digest.md.
type seen struct {
	Digest string `json:"digest"`
	// Pending holds the changes that wait for the next start.
	Pending map[string]pve.PendingValue `json:"pending,omitempty"`
	// Current holds the volume keys in effect, only when something is pending.
	Current map[string]string `json:"current,omitempty"`
}

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func readSeen(ctx context.Context, private privateReader) seen {
	var s seen
	if raw, d := private.GetKey(ctx, privateKey); !d.HasError() && raw != nil {
		_ = json.Unmarshal(raw, &s) // what cannot be read is asked for again
	}
	return s
}

func (s seen) write(ctx context.Context, private privateWriter) diag.Diagnostics {
	raw, err := json.Marshal(s)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("The private state of a container cannot be written", err.Error()+".")}
	}
	return private.SetKey(ctx, privateKey, raw)
}

// since returns what is pending now: what was seen before under the same digest,
// else the node is asked.
func (r *Resource) since(ctx context.Context, f found, before seen) (seen, error) {
	if f.config.Digest != "" && f.config.Digest == before.Digest {
		return before, nil
	}
	now := seen{Digest: f.config.Digest}
	pending, err := r.data.Client.Pending(ctx, f.ref)
	if err != nil || len(pending) == 0 {
		return now, err
	}
	full, err := r.data.Client.ConfigFull(ctx, f.ref)
	if err != nil {
		return now, err
	}
	now.Digest, now.Pending, now.Current = full.Digest, full.Pending, map[string]string{}
	for key, value := range full.Values {
		if datalabel.IsVolumeKey(guest.LXC, key) {
			now.Current[key] = value
		}
	}
	return now, nil
}

// entries lists the volume keys of the container, those in effect and those that
// are pending.
func (s seen) entries(f found) []datalabel.Entry {
	if len(s.Pending) == 0 {
		return datalabel.Entries(guest.LXC, f.ref.VMID, f.config.Values, nil)
	}
	pending := map[string]string{}
	for key, change := range s.Pending {
		if change.Delete == 0 {
			pending[key] = change.Value
		}
	}
	return datalabel.Entries(guest.LXC, f.ref.VMID, s.Current, pending)
}

// refresh reads everything into the model, which holds what was known before:
// the state in Read, the plan in Create and Update.
func (r *Resource) refresh(ctx context.Context, m *model, f found, before seen) (seen, diag.Diagnostics) {
	now, err := r.since(ctx, f, before)
	if err != nil {
		return now, diag.Diagnostics{unreadable(f.ref, err)}
	}
	first := m.Volumes.IsNull() // never read before: an import
	var d diag.Diagnostics
	diags := m.absorb(ctx, f.config.Values, first)
	m.CurrentNode = types.StringValue(f.ref.Node)
	if !attrs.Known(m.Node) {
		m.Node = m.CurrentNode
	}
	m.RawLXC = rawLines(f.config.Raw)
	m.setVolumes(ctx, now.entries(f), &diags)
	m.Fingerprint = m.fingerprint(f)
	if m.Reconcile.IsUnknown() || m.Reconcile.AttributeTypes(ctx) == nil {
		m.Reconcile = types.ObjectNull(reconcileTypes)
	}
	diags.Append(r.refreshListed(ctx, m, f)...)
	m.Firewall, d = guestfirewall.Refresh(ctx, r.data.Client, f.ref, m.Firewall)
	diags.Append(d...)
	diags.Append(r.refreshAddresses(ctx, m, f)...)
	return now, diags
}

// fingerprint is the marks of the live container, which was recognised before or
// was changed by us, and when we made it.
func (m *model) fingerprint(f found) types.String {
	live := lifecycle.FingerprintOf(guest.LXC, f.ref.VMID, f.config.Values)
	if kept, err := lifecycle.ParseFingerprint(m.Fingerprint.ValueString()); err == nil {
		live = kept.Refreshed(live)
	}
	return types.StringValue(live.String())
}

// recognise is nil if the container that was found is the one of the state. A
// number is free again the moment its guest is gone, so what has it now may be
// somebody else's.
func (r *Resource) recognise(ctx context.Context, m *model, f found) diag.Diagnostic {
	if !attrs.Known(m.Fingerprint) {
		return nil
	}
	err := r.life().Recognise(ctx, f.ref, f.config.Values, m.Fingerprint.ValueString())
	if err == nil {
		return nil
	}
	return ending.NotRead(f.ref, err)
}

func rawLines(raw [][2]string) types.List {
	lines := make([]attr.Value, len(raw))
	for i, line := range raw {
		lines[i] = types.StringValue(line[0] + ": " + line[1])
	}
	return types.ListValueMust(types.StringType, lines)
}

func (m *model) setVolumes(ctx context.Context, entries []datalabel.Entry, diags *diag.Diagnostics) {
	elements := map[string]volumeModel{}
	mounts, devices := m.MountPoints.Elements(), m.Devices.Elements()
	for _, e := range entries {
		_, mounted := mounts[e.Key]
		_, passed := devices[e.Key]
		v := volumeModel{
			ID: types.StringValue(e.Source), Size: types.StringNull(), Owner: types.Int64Null(),
			Data:  types.StringValue(string(e.Label)),
			Mount: types.StringValue(string(datalabel.FateOf(e.Key, mounted || passed))),
		}
		if e.Size != "" {
			v.Size = types.StringValue(printSize(e.Size))
		}
		if e.Owner != 0 {
			v.Owner = types.Int64Value(int64(e.Owner))
		}
		elements[e.Key] = v
	}
	v, d := types.MapValueFrom(ctx, volumeType, elements)
	diags.Append(d...)
	m.Volumes = v
}

// printSize is a recorded size in Proxmox's own print. A bare number stays as it
// is: it has two readings.
func printSize(text string) string {
	stored, err := bytesize.ParseStored(text)
	if err != nil || stored.Bare {
		return text
	}
	return stored.Size.String()
}

// refreshListed reads what only the listing has: whether the container runs and
// its pool. The listing lags, so a status that it does not know changes nothing.
func (r *Resource) refreshListed(ctx context.Context, m *model, f found) diag.Diagnostics {
	switch {
	case f.listed && (f.row.Status == "running" || f.row.Status == "stopped"):
		m.Started = types.BoolValue(f.row.Status == "running")
	case !attrs.Known(m.Started):
		status, err := r.data.Client.Status(ctx, f.ref)
		if err != nil {
			return diag.Diagnostics{unreadable(f.ref, err)}
		}
		m.Started = types.BoolValue(status.Running())
	}
	if f.listed && f.row.Pool != "" {
		m.Pool = types.StringValue(f.row.Pool)
	} else if f.listed && attrs.Known(m.Pool) {
		return r.checkPool(ctx, m)
	}
	return nil
}

func (r *Resource) refreshAddresses(ctx context.Context, m *model, f found) diag.Diagnostics {
	m.Addresses = types.SetNull(types.StringType)
	if !m.ReadAddresses.ValueBool() {
		return nil
	}
	interfaces, err := r.data.Client.Interfaces(ctx, f.ref)
	if err != nil {
		return diag.Diagnostics{unreadable(f.ref, err)}
	}
	var texts []string
	for _, one := range interfaces {
		for _, address := range one.Addresses {
			if a, err := netip.ParseAddr(address.IP); err == nil && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
				texts = append(texts, a.String())
			}
		}
	}
	m.Addresses = attrs.TagSet(texts)
	if m.Addresses.IsNull() {
		m.Addresses = types.SetValueMust(types.StringType, nil)
	}
	return nil
}
