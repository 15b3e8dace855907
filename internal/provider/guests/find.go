package guests

import (
	"context"
	"errors"
	"fmt"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// GoneError says that it is proved that no guest has the number.
type GoneError struct{ VMID guest.VMID }

// Error names the number.
func (e *GoneError) Error() string {
	return fmt.Sprintf("there is no guest %d in the cluster", e.VMID)
}

// OtherKindError says that the number belongs to a guest of the other kind.
type OtherKindError struct {
	Wanted guest.Kind
	Ref    guest.Ref // the guest that has the number
}

// Error names the number and where the guest is.
func (e *OtherKindError) Error() string {
	return fmt.Sprintf("guest %d on node %s is a %s, not a %s", e.Ref.VMID, e.Ref.Node, e.Ref.Kind.Noun(), e.Wanted.Noun())
}

// UnseenError says that the number is taken and the guest cannot be read.
type UnseenError struct {
	Ref guest.Ref
	Err error
}

// Error says what is known and what is not.
func (e *UnseenError) Error() string {
	return fmt.Sprintf("the number %d is in use, but no %s %d can be read on node %s: %v", e.Ref.VMID, e.Ref.Kind.Noun(), e.Ref.VMID, e.Ref.Node, e.Err)
}

// Unwrap is what the node said.
func (e *UnseenError) Unwrap() error { return e.Err }

// Found is a guest, where it is and what it is like.
type Found struct {
	Ref    guest.Ref
	Config pve.GuestConfig
	Row    pve.Resource // of the listing; zero when it was not listed
	Listed bool
}

// Find reads the configuration of a guest with pending changes merged in: one
// request beside the listing that the whole process shares. ref.Node is where it
// was last seen, empty when nobody knows.
//
// The error is a *GoneError only with proof. It is an *OtherKindError when a guest
// of the other kind has the number and an *UnseenError when somebody has it who
// cannot be seen.
func Find(ctx context.Context, data *meta.Data, ref guest.Ref) (Found, error) {
	f, err := look(ctx, data, ref)
	if err == nil || !errors.Is(err, pve.ErrNotFound) {
		return f, absence(ctx, data, f.Ref, err)
	}
	// It is not where the listing or the state has it. It may have moved since.
	data.Guests.Forget()
	again, retryErr := look(ctx, data, ref)
	if again.Ref.Node == f.Ref.Node {
		return f, absence(ctx, data, f.Ref, err)
	}
	return again, absence(ctx, data, again.Ref, retryErr)
}

func look(ctx context.Context, data *meta.Data, ref guest.Ref) (Found, error) {
	f := Found{Ref: ref}
	var err error
	f.Row, f.Listed, err = data.Guests.Guest(ctx, ref.VMID)
	if err != nil {
		return f, err
	}
	if f.Listed && f.Row.Type != "" && f.Row.Type != string(ref.Kind) {
		other, _ := f.Row.Guest()
		return f, &OtherKindError{Wanted: ref.Kind, Ref: other}
	}
	if f.Listed {
		f.Ref.Node = f.Row.Node
	}
	if f.Ref.Node == "" {
		return f, pve.ErrNotFound // nobody has a guess where to ask
	}
	f.Config, err = data.Client.Config(ctx, f.Ref)
	return f, err
}

// absence turns "not on this node" and "you may not see it" into what they
// prove. nextid answers for any identity whether a number is taken.
func absence(ctx context.Context, data *meta.Data, ref guest.Ref, err error) error {
	if !errors.Is(err, pve.ErrNotFound) && !errors.Is(err, pve.ErrPermission) {
		return err
	}
	taken, askErr := data.Client.VMIDTaken(ctx, ref.VMID)
	switch {
	case askErr != nil:
		return errors.Join(err, askErr)
	case taken:
		return &UnseenError{Ref: ref, Err: err}
	}
	return &GoneError{VMID: ref.VMID}
}
