// Package ending guards the doors through which a guest's end passes, for the
// resources of either kind: the destroy plan, the first plan call when it
// requires replacement, the second one that finds the first one's marker, and
// Delete.
//
// It decides which door asks what and how the answer reads as a diagnostic.
// What stands in the way is decided by internal/blocker, and the order of calls
// by internal/lifecycle. It knows no schema but the names of the attributes
// that both resources have: volumes, reconcile, fingerprint, waive_blockers.
package ending

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Subject is the guest whose end is planned, with what the plan knows of it.
type Subject struct {
	Guest guest.Ref `json:"guest"`
	// Volumes are the keys and volumes that the state shows.
	Volumes map[string]string `json:"volumes,omitempty"`
	// Fingerprint is what the guest was last recognised by.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Record is the open record of the state. One that a human has closed is
	// nil here.
	Record *stage.Record `json:"record,omitempty"`
	// Waived are the names in waive_blockers.
	Waived []string `json:"waived,omitempty"`
	// Pool is the pool that the guest is in.
	Pool string `json:"pool,omitempty"`
	// Declared are the volume keys of the configuration that comes after.
	Declared map[string]bool `json:"declared,omitempty"`
	// PoolDeclared and FirewallDeclared say what that configuration brings back.
	PoolDeclared     bool `json:"pool_declared,omitempty"`
	FirewallDeclared bool `json:"firewall_declared,omitempty"`
	// Needs and Wanted are what that guest needs; nil and empty if none comes.
	Needs  *lifecycle.Needs         `json:"needs,omitempty"`
	Wanted map[string]bytesize.Size `json:"wanted,omitempty"`
}

// Marker travels in planned private state from a plan call to the next one and
// to Delete. Every first call leaves one: with -replace and
// replace_triggered_by the first call cannot see that it is one half of a
// replace, and only the marker tells the second.
type Marker struct {
	Operation blocker.Operation `json:"operation"`
	// Checked says that the call that left the marker went through its door.
	Checked bool    `json:"checked"`
	Subject Subject `json:"subject"`
}

// markerKey is where private state keeps the marker.
const markerKey = "ending"

// Keeper reads and writes private state.
type Keeper interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// Reader reads private state.
type Reader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// Leave writes the marker.
func Leave(ctx context.Context, private Keeper, m Marker) diag.Diagnostics {
	if private == nil {
		return nil
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("The plan's private state cannot be written", err.Error()+".")}
	}
	return private.SetKey(ctx, markerKey, raw)
}

// Left is the marker of an earlier call, nil if there is none: the object is
// tainted, or it is created.
func Left(ctx context.Context, private Reader) (*Marker, diag.Diagnostics) {
	if private == nil {
		return nil, nil
	}
	raw, d := private.GetKey(ctx, markerKey)
	if raw == nil || d.HasError() {
		return nil, d
	}
	m := new(Marker)
	if err := json.Unmarshal(raw, m); err != nil {
		d.AddError("The plan's private state cannot be read", err.Error()+". Nothing has been changed.\n\nPlan again.")
		return nil, d
	}
	return m, d
}

// Want notes that the guest that comes after gets a volume of a size.
func (s *Subject) Want(key, storage string, size bytesize.Size) {
	if s.Wanted == nil {
		s.Wanted = map[string]bytesize.Size{}
	}
	s.Wanted[key] = size
	s.Needs.Storages[storage] += size
}

// ending is what the lifecycle is asked to do.
func (s Subject) ending(op blocker.Operation) lifecycle.Ending {
	return lifecycle.Ending{
		Guest: s.Guest, Operation: op, Planned: s.Volumes, Fingerprint: s.Fingerprint,
		Wanted: s.Wanted, Needs: s.Needs, Waived: s.Waived, Record: s.Record,
	}
}
