package stage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Record is what is known about an operation that died half done: neither
// success nor failure. It stays open until Proxmox's own answers settle it or
// a human closes it with its token.
type Record struct {
	Guest guest.Ref
	// Stage is the stage on which the operation died.
	Stage Stage
	// Task is the id of the task that was running, empty if none was known.
	Task string
	// Exists says whether the guest exists: true, false, or nil for "could not
	// be determined", which never means that the number is free.
	Exists *bool
	// Since is when the record was opened, in UTC, to the second.
	Since time.Time
}

// Token is the signature with which a human closes this record and no other:
// it depends on everything that the record says except on Exists, which a
// later look may have corrected.
func (r Record) Token() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		r.Guest.VMID.String(), r.Guest.Node, string(r.Guest.Kind), string(r.Stage), r.Task, r.Since.UTC().Format(time.RFC3339),
	}, "\x00")))
	return fmt.Sprintf("%d-%s-%s", r.Guest.VMID, r.Stage, hex.EncodeToString(sum[:4]))
}

// Existence is the sentence about Exists.
func (r Record) Existence() string {
	noun, id := r.Guest.Kind.Noun(), r.Guest.VMID
	switch {
	case r.Exists == nil:
		return fmt.Sprintf("Whether %s %d exists could not be determined; its number must not be taken for free.", noun, id)
	case *r.Exists:
		return fmt.Sprintf("A %s %d exists, possibly incomplete.", noun, id)
	default:
		return fmt.Sprintf("No guest with the number %d exists.", id)
	}
}

// Story tells the record in sentences: what died where, what exists, and which
// task can be looked into.
func (r Record) Story() string {
	text := fmt.Sprintf("An operation on %s %d on node %s died at stage %q on %s. %s",
		r.Guest.Kind.Noun(), r.Guest.VMID, r.Guest.Node, r.Stage, r.Since.UTC().Format(time.RFC3339), r.Existence())
	if r.Task != "" {
		text += fmt.Sprintf(" Its task was %s.", r.Task)
	}
	return text
}
