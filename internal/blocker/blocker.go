// Package blocker holds the reasons for which a guest is not destroyed.
//
// There are nine, each a type with its facts and its own sentence, and the
// interface is sealed: a reason that is not here cannot be given. Beside them
// stand the refusals that compare what was planned with what is there. The
// package words them; it does not gather the facts.
package blocker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Kind is the name of a blocker, as waivers and error texts use it.
type Kind string

// The nine.
const (
	KindGone                   Kind = "gone"
	KindProtected              Kind = "protected"
	KindLocked                 Kind = "locked"
	KindBackupOrRestoreRunning Kind = "backup_or_restore_running"
	KindProtectedRestorePoint  Kind = "protected_restore_point"
	KindRootfsWouldShrink      Kind = "rootfs_would_shrink"
	KindSizeUnreadable         Kind = "size_unreadable"
	KindUnclassifiableVolume   Kind = "unclassifiable_volume"
	KindReplaceInFlight        Kind = "replace_in_flight"
)

var kinds = []Kind{
	KindGone, KindProtected, KindLocked, KindBackupOrRestoreRunning, KindProtectedRestorePoint,
	KindRootfsWouldShrink, KindSizeUnreadable, KindUnclassifiableVolume, KindReplaceInFlight,
}

// All lists the kinds in the order in which they are reported. The slice is
// the caller's own.
func All() []Kind { return slices.Clone(kinds) }

// Waivable reports whether a user may name this kind in waive_blockers.
func (k Kind) Waivable() bool { return k == KindProtectedRestorePoint }

// Concerns reports whether a blocker of this kind stands in the way of an
// operation. Sizes concern a reinstall only, because only then another disk is
// made; and a guest that is gone is what a destroy wants.
func (k Kind) Concerns(op Operation) bool {
	switch k {
	case KindGone, KindRootfsWouldShrink, KindSizeUnreadable:
		return op == Reinstall
	default:
		return true
	}
}

// Operation is what is about to happen to a guest.
type Operation string

// The operations that end a guest.
const (
	Reinstall Operation = "reinstalled"
	Destroy   Operation = "destroyed"
)

// Blocker is one reason to refuse. Only this package has implementations.
type Blocker interface {
	Kind() Kind
	// Sentence is the reason, complete with its full stop.
	Sentence() string
	// Help says what the user can do, in sentences with commands; empty if
	// nothing can be done but wait or look.
	Help() string
	sealed()
}

// Gone says that the guest is not where the state has it.
type Gone struct {
	Guest guest.Ref
	// Now is the guest that has the number now; nil if nobody has.
	Now *guest.Ref
}

// Protected says that protection is set.
type Protected struct {
	Guest guest.Ref
}

// Locked says that an operation holds the guest, or left its lock behind.
type Locked struct {
	Guest guest.Ref
	Lock  string
}

// Task is a running task as far as a sentence needs it.
type Task struct {
	UPID string
	Type string // vzdump, vzrestore, …
}

// BackupOrRestoreRunning says that a backup or a restore of the guest runs.
type BackupOrRestoreRunning struct {
	Guest guest.Ref
	Tasks []Task
}

// ProtectedRestorePoint says that somebody protected a backup of the guest.
type ProtectedRestorePoint struct {
	Guest guest.Ref
	// Archives are volume ids, each with its storage.
	Archives []string
}

// RootfsWouldShrink says that the new root file system, or another disk, would
// be smaller than the one that is there.
type RootfsWouldShrink struct {
	Guest   guest.Ref
	Key     string
	Current bytesize.Size
	Wanted  bytesize.Size
}

// SizeUnreadable says that the size of a disk cannot be told, so that nobody
// can say whether the new one would be smaller.
type SizeUnreadable struct {
	Guest guest.Ref
	Key   string
	// Text is what the configuration says, empty if it says nothing.
	Text string
}

// KeyValue is one line of a guest's configuration.
type KeyValue struct {
	Key, Value string
}

// UnclassifiableVolume says that the fate of some volumes cannot be told.
type UnclassifiableVolume struct {
	Guest   guest.Ref
	Entries []KeyValue
}

// ReplaceInFlight says that another create or destroy of the number has not
// come to an end: a record is open, or tasks are running.
type ReplaceInFlight struct {
	Guest  guest.Ref
	Record *stage.Record
	Tasks  []Task
}

// Kind is the blocker's name.
func (Gone) Kind() Kind                   { return KindGone }
func (Protected) Kind() Kind              { return KindProtected }
func (Locked) Kind() Kind                 { return KindLocked }
func (BackupOrRestoreRunning) Kind() Kind { return KindBackupOrRestoreRunning }
func (ProtectedRestorePoint) Kind() Kind  { return KindProtectedRestorePoint }
func (RootfsWouldShrink) Kind() Kind      { return KindRootfsWouldShrink }
func (SizeUnreadable) Kind() Kind         { return KindSizeUnreadable }
func (UnclassifiableVolume) Kind() Kind   { return KindUnclassifiableVolume }
func (ReplaceInFlight) Kind() Kind        { return KindReplaceInFlight }

func (Gone) sealed()                   {}
func (Protected) sealed()              {}
func (Locked) sealed()                 {}
func (BackupOrRestoreRunning) sealed() {}
func (ProtectedRestorePoint) sealed()  {}
func (RootfsWouldShrink) sealed()      {}
func (SizeUnreadable) sealed()         {}
func (UnclassifiableVolume) sealed()   {}
func (ReplaceInFlight) sealed()        {}

// Relevant keeps the blockers that stand in the way of op and are not waived,
// in the order of All. Naming a kind that cannot be waived changes nothing.
func Relevant(op Operation, found []Blocker, waived []string) []Blocker {
	var list []Blocker
	for _, b := range found {
		k := b.Kind()
		if k.Concerns(op) && !(k.Waivable() && slices.Contains(waived, string(k))) {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b Blocker) int {
		return slices.Index(kinds, a.Kind()) - slices.Index(kinds, b.Kind())
	})
	return list
}

// Refusal is the error that lists every reason at once.
type Refusal struct {
	Guest     guest.Ref
	Operation Operation
	Blockers  []Blocker
	// Managed is not nil if high availability or replication has the guest.
	Managed *Managed
	// Changed is not nil if the volumes are not those that were planned on.
	Changed *Changed
}

// Refuse is nil if nothing stands in the way, and changed itself if that is
// the only reason.
func Refuse(ref guest.Ref, op Operation, list []Blocker, managed *Managed, changed *Changed) error {
	switch {
	case len(list) > 0 || managed != nil:
		return &Refusal{Guest: ref, Operation: op, Blockers: list, Managed: managed, Changed: changed}
	case changed != nil:
		return changed
	}
	return nil
}

// Summary is one sentence without a full stop.
func (r *Refusal) Summary() string {
	return fmt.Sprintf("%s %d cannot be %s", title(r.Guest.Kind.Noun()), r.Guest.VMID, r.Operation)
}

// Reasons lists every reason with its name and, below it, what can be done.
func (r *Refusal) Reasons() string {
	var text strings.Builder
	for _, b := range r.Blockers {
		item(&text, string(b.Kind()), b.Sentence(), b.Help())
	}
	if r.Managed != nil {
		item(&text, "managed", r.Managed.Sentence(), r.Managed.Help())
	}
	if r.Changed != nil {
		item(&text, "changed", r.Changed.Summary()+":", strings.ReplaceAll(r.Changed.Reasons(), "\n", "\n  "))
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// Error is the summary with all reasons.
func (r *Refusal) Error() string { return r.Summary() + ":\n" + r.Reasons() }

// Has reports whether a blocker of this kind is among the reasons.
func (r *Refusal) Has(k Kind) bool {
	return slices.ContainsFunc(r.Blockers, func(b Blocker) bool { return b.Kind() == k })
}

func item(text *strings.Builder, name, sentence, help string) {
	fmt.Fprintf(text, "- %s: %s\n", name, sentence)
	if help != "" {
		fmt.Fprintf(text, "  %s\n", help)
	}
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
