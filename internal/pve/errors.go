package pve

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// The kinds of error, to be matched with errors.Is.
var (
	// ErrNotFound: there is no guest of this kind and number on this node. It may
	// be on another node or of the other kind, so this alone proves no absence.
	ErrNotFound = errors.New("the guest is not on this node")
	// ErrNoSuch: something other than a guest does not exist; see NoSuchError.
	ErrNoSuch = errors.New("it does not exist")
	// ErrNoSuchTask: the node does not know the task (any more).
	ErrNoSuchTask = errors.New("the node does not know the task")
	// ErrExists: the number or name is taken; see ExistsError. Never means "mine".
	ErrExists = errors.New("it already exists")
	// ErrLocked: the guest's configuration carries a lock; see LockedError.
	ErrLocked = errors.New("the guest is locked")
	// ErrLockTimeout: Proxmox gave up waiting for a lock of its own; nothing was done.
	ErrLockTimeout = errors.New("a lock was not free in time")
	// ErrProtected: protection mode, or the protection of a backup, forbids the call.
	ErrProtected = errors.New("it is protected")
	// ErrPermission: the identity lacks a privilege; see PermissionError.
	ErrPermission = errors.New("permission denied")
	// ErrUnauthorized: the token, ticket or password was not accepted.
	ErrUnauthorized = errors.New("the credentials were not accepted")
	// ErrDigest: the configuration changed since it was read.
	ErrDigest = errors.New("the configuration was changed by someone else")
	// ErrParams: parameters were refused; see Error.Params.
	ErrParams = errors.New("parameters were refused")
	// ErrRunning: the guest runs and must not.
	ErrRunning = errors.New("the guest is running")
	// ErrNotRunning: the guest does not run and must.
	ErrNotRunning = errors.New("the guest is not running")
	// ErrNoAgent: the VM's guest agent is not configured or does not answer.
	ErrNoAgent = errors.New("the guest agent does not answer")
	// ErrShrink: a volume would become smaller.
	ErrShrink = errors.New("volumes do not shrink")
	// ErrSameSize: the volume has the size already (containers only).
	ErrSameSize = errors.New("the volume has this size already")
	// ErrInUse: a volume is the base of linked clones.
	ErrInUse = errors.New("it is in use")
	// ErrNoQuorum: the cluster cannot write its configuration now.
	ErrNoQuorum = errors.New("the cluster has no quorum")
	// ErrNotImplemented: this version of Proxmox VE does not know the path or method.
	ErrNotImplemented = errors.New("the server does not know this call")
	// ErrUnreachable: no endpoint, or not the node in question, could be reached, and
	// the request has had no effect.
	ErrUnreachable = errors.New("the node could not be reached")
	// ErrUntrusted: the server's certificate is not the expected one; nothing was sent.
	ErrUntrusted = errors.New("the server's certificate is not trusted")
	// ErrAmbiguous: the request was sent and its answer was lost. Whether it took
	// effect is not known.
	ErrAmbiguous = errors.New("whether the request took effect is not known")
	// ErrProtocol: the answer was not one that Proxmox VE gives.
	ErrProtocol = errors.New("the answer is not understood")
)

// Error is a request that failed. No secret of the request or the client stands
// in any of its fields.
type Error struct {
	Method  string
	Path    string            // below /api2/json, not encoded
	Status  int               // 0 if there was no answer
	Message string            // Proxmox's words, without trailing line feeds
	Params  map[string]string // parameter → what is wrong with it
	causes  []error           // sentinels, details and the transport's error
}

// Error names the call, the status and Proxmox's own words.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", e.Method, e.Path)
	if e.Status != 0 {
		fmt.Fprintf(&b, "%d ", e.Status)
	}
	b.WriteString(strings.ReplaceAll(e.Message, "\n", " "))
	for _, key := range slices.Sorted(maps.Keys(e.Params)) {
		fmt.Fprintf(&b, "; %s: %s", key, e.Params[key])
	}
	return b.String()
}

// Unwrap returns the sentinels and details, for errors.Is and errors.As.
func (e *Error) Unwrap() []error { return e.causes }

// ExistsError says what holds a number or a name. Kind is empty when Proxmox
// does not tell it: it says "VM" for a container in some places.
type ExistsError struct {
	VMID guest.VMID // 0 if it is not a guest
	Kind guest.Kind
	Node string
}

func (e *ExistsError) Error() string {
	if e.VMID == 0 {
		return ErrExists.Error()
	}
	s := fmt.Sprintf("VMID %s is taken by a %s", e.VMID, e.Kind.Noun())
	if e.Node != "" {
		s += " on node " + e.Node
	}
	return s
}

// NotFoundError says which guest is not where it was looked for.
type NotFoundError struct{ Guest guest.Ref }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no %s %s on node %s", e.Guest.Kind.Noun(), e.Guest.VMID, e.Guest.Node)
}

// NoSuchError says what does not exist: What is "storage", "pool", "volume",
// "snapshot", "node", "backup job", "HA resource" or "IPSet".
type NoSuchError struct{ What, Name string }

func (e *NoSuchError) Error() string {
	if e.Name == "" {
		return "there is no such " + e.What
	}
	return fmt.Sprintf("there is no %s %q", e.What, e.Name)
}

// LockedError carries the lock in a guest's configuration, such as "backup".
type LockedError struct{ Lock string }

func (e *LockedError) Error() string { return fmt.Sprintf("the guest is locked (%s)", e.Lock) }

// LockTimeoutError names the lock file that was not free. Guest: it is that of the
// guest itself, which is taken before a call does anything.
type LockTimeoutError struct {
	File  string
	Guest bool
}

func (e *LockTimeoutError) Error() string { return "the lock " + e.File + " was not free in time" }

// PermissionError says what is missing. Path is empty when Proxmox does not say.
// Privilege may list alternatives: "VM.Audit|VM.Backup" is any of them.
type PermissionError struct {
	Path      string
	Privilege string
	RootOnly  bool // only root@pam itself may, and no API token ever
}

func (e *PermissionError) Error() string {
	switch {
	case e.RootOnly:
		return "only root@pam may do this, and no API token"
	case e.Path == "":
		return "a privilege is missing"
	}
	return fmt.Sprintf("the privilege %s on %s is missing", strings.ReplaceAll(e.Privilege, "|", " or "), e.Path)
}
