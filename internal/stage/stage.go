// Package stage is the ordered list of steps of a reinstall.
//
// It decides one thing: whether anything that cannot be undone may have
// happened by the time a stage is reached, and it decides that by position in
// the list alone. It does not know how a stage is carried out.
package stage

import "slices"

// Stage is one step of a reinstall; a create or a destroy walks a part of it.
type Stage string

// The stages, in the order in which they are walked.
const (
	Inspect   Stage = "inspect"
	Stop      Stage = "stop"
	Destroy   Stage = "destroy"
	Create    Stage = "create"
	Configure Stage = "configure"
	Start     Stage = "start"
)

var order = []Stage{Inspect, Stop, Destroy, Create, Configure, Start}

// All lists the stages in order. The slice is the caller's own.
func All() []Stage { return slices.Clone(order) }

// Irreversible reports whether something irreversible may have happened once s
// has begun: from Destroy on. A word that is not a stage is irreversible,
// because a record that cannot be understood must never look harmless.
func Irreversible(s Stage) bool {
	at := slices.Index(order, s)
	return at < 0 || at >= slices.Index(order, Destroy)
}

// Known reports whether s is on the list.
func Known(s Stage) bool { return slices.Contains(order, s) }
