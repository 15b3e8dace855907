package lifecycle

import "github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"

// Evidence is what Proxmox itself answers about the guest of an open record.
// Every field has a value for "could not be seen".
type Evidence struct {
	// Ended says that the record's task has come to its end, or, without a task
	// id, that the node's list shows no running task of the number. Nil: could
	// not be seen.
	Ended *bool
	// Present says that the guest's own configuration is on its node, or that
	// it is nowhere: the number is free in the whole cluster. Nil: neither was
	// seen.
	Present *bool
	// Lock is the lock of a configuration that is present.
	Lock string
	// Recognised says whether the guest that is present is the one the state
	// knows. Nil: could not be told.
	Recognised *bool
	// VolumesLeft says whether any storage still lists a volume of the number.
	// Nil: not all storages could be seen.
	VolumesLeft *bool
}

// Outcome is what Settle makes of the evidence.
type Outcome int

// The outcomes.
const (
	// StillOpen: the answers do not settle it. A human has to.
	StillOpen Outcome = iota
	// SettledPresent: the task has ended and the guest is there, ours and without
	// a lock: a task that died leaves its lock behind.
	SettledPresent
	// SettledAbsent: the task has ended, the guest is nowhere and nothing of it
	// is left.
	SettledAbsent
)

// Settle closes a record by Proxmox's own answers only, and returns the record
// with what is known now about the guest's existence. What could not be seen
// leaves Exists nil: it never reads as absence.
func Settle(r stage.Record, e Evidence) (stage.Record, Outcome) {
	r.Exists = e.Present
	if e.Ended == nil || !*e.Ended || e.Present == nil {
		return r, StillOpen
	}
	if !*e.Present {
		if e.VolumesLeft != nil && !*e.VolumesLeft {
			return r, SettledAbsent
		}
		return r, StillOpen
	}
	if e.Recognised == nil || !*e.Recognised || e.Lock != "" {
		return r, StillOpen
	}
	return r, SettledPresent
}
