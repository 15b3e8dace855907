package container

import (
	"context"
	"errors"
	"fmt"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// GoneError says that it is proved that no guest has the number.
type GoneError struct{ VMID guest.VMID }

// Error names the number.
func (e *GoneError) Error() string {
	return fmt.Sprintf("there is no guest %d in the cluster", e.VMID)
}

// NotContainerError says that the number belongs to a VM.
type NotContainerError struct {
	VMID guest.VMID
	Node string
}

// Error names the number and where the VM is.
func (e *NotContainerError) Error() string {
	return fmt.Sprintf("guest %d on node %s is a VM, not a container", e.VMID, e.Node)
}

// UnseenError says that the number is taken and the guest cannot be read.
type UnseenError struct {
	Ref guest.Ref
	Err error
}

// Error says what is known and what is not.
func (e *UnseenError) Error() string {
	return fmt.Sprintf("the number %d is in use, but no container %d can be read on node %s: %v", e.Ref.VMID, e.Ref.VMID, e.Ref.Node, e.Err)
}

// Unwrap is what the node said.
func (e *UnseenError) Unwrap() error { return e.Err }

// found is a container, where it is and what it is like.
type found struct {
	ref    guest.Ref
	config pve.GuestConfig
	row    pve.Resource // of the listing; zero when it was not listed
	listed bool
}

// find reads the container's configuration with pending changes merged in: one
// request beside the listing that the whole process shares. node is where it
// was last seen.
//
// The error is a *GoneError only with proof. It is a *NotContainerError when a
// VM has the number and an *UnseenError when somebody has it who cannot be seen.
func (r *Resource) find(ctx context.Context, id guest.VMID, node string) (found, error) {
	f, err := r.look(ctx, id, node)
	if err == nil || !errors.Is(err, pve.ErrNotFound) {
		return f, r.absence(ctx, f.ref, err)
	}
	// It is not where the listing or the state has it. It may have moved since.
	r.data.Guests.Forget()
	again, retryErr := r.look(ctx, id, node)
	if again.ref.Node == f.ref.Node {
		return f, r.absence(ctx, f.ref, err)
	}
	return again, r.absence(ctx, again.ref, retryErr)
}

func (r *Resource) look(ctx context.Context, id guest.VMID, node string) (found, error) {
	f := found{ref: guest.Ref{Node: node, Kind: guest.LXC, VMID: id}}
	var err error
	f.row, f.listed, err = r.data.Guests.Guest(ctx, id)
	if err != nil {
		return f, err
	}
	if f.listed && f.row.Type == string(guest.QEMU) {
		return f, &NotContainerError{VMID: id, Node: f.row.Node}
	}
	if f.listed {
		f.ref.Node = f.row.Node
	}
	if f.ref.Node == "" {
		return f, pve.ErrNotFound // nobody has a guess where to ask
	}
	f.config, err = r.data.Client.Config(ctx, f.ref)
	return f, err
}

// absence turns "not on this node" and "you may not see it" into what they
// prove. nextid answers for any identity whether a number is taken.
func (r *Resource) absence(ctx context.Context, ref guest.Ref, err error) error {
	if !errors.Is(err, pve.ErrNotFound) && !errors.Is(err, pve.ErrPermission) {
		return err
	}
	taken, askErr := r.data.Client.VMIDTaken(ctx, ref.VMID)
	switch {
	case askErr != nil:
		return errors.Join(err, askErr)
	case taken:
		return &UnseenError{Ref: ref, Err: err}
	}
	return &GoneError{VMID: ref.VMID}
}
