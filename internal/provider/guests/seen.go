package guests

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// privateKey is where the private state keeps what was last read.
const privateKey = "config"

// Seen is what the private state keeps of a configuration: its digest, and what
// was pending under that digest. The digest is a hash of the whole file, so an
// equal one means that nothing has changed and that nothing more need be asked.
// See docs/adr/0001-refresh-by-digest.md.
type Seen struct {
	Digest string `json:"digest"`
	// Pending holds the changes that wait for the next start.
	Pending map[string]pve.PendingValue `json:"pending,omitempty"`
	// Current holds the volume keys in effect, only when something is pending.
	Current map[string]string `json:"current,omitempty"`
}

// PrivateReader reads private state.
type PrivateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// PrivateWriter writes private state.
type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// ReadSeen is what was written last. What cannot be read is asked for again.
func ReadSeen(ctx context.Context, private PrivateReader) Seen {
	var s Seen
	if raw, d := private.GetKey(ctx, privateKey); !d.HasError() && raw != nil {
		_ = json.Unmarshal(raw, &s)
	}
	return s
}

// Write keeps s for the next read.
func (s Seen) Write(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	raw, err := json.Marshal(s)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("The private state of a guest cannot be written", err.Error()+".")}
	}
	return private.SetKey(ctx, privateKey, raw)
}

// Since returns what is pending now: what was seen before under the same digest,
// else the node is asked.
func (s Seen) Since(ctx context.Context, client *pve.Client, f Found) (Seen, error) {
	if f.Config.Digest != "" && f.Config.Digest == s.Digest {
		return s, nil
	}
	now := Seen{Digest: f.Config.Digest}
	pending, err := client.Pending(ctx, f.Ref)
	if err != nil || len(pending) == 0 {
		return now, err
	}
	full, err := client.ConfigFull(ctx, f.Ref)
	if err != nil {
		return now, err
	}
	now.Digest, now.Pending, now.Current = full.Digest, full.Pending, map[string]string{}
	for key, value := range full.Values {
		if datalabel.IsVolumeKey(f.Ref.Kind, key) {
			now.Current[key] = value
		}
	}
	return now, nil
}

// Entries lists the volume keys of the guest, those in effect and those that are
// pending.
func (s Seen) Entries(f Found) []datalabel.Entry {
	if len(s.Pending) == 0 {
		return datalabel.Entries(f.Ref.Kind, f.Ref.VMID, f.Config.Values, nil)
	}
	pending := map[string]string{}
	for key, change := range s.Pending {
		if change.Delete == 0 {
			pending[key] = change.Value
		}
	}
	return datalabel.Entries(f.Ref.Kind, f.Ref.VMID, s.Current, pending)
}
