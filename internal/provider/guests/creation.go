package guests

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// LostError says that the answer to the request that makes a guest was lost, and
// that no task of it was found.
type LostError struct {
	Ref guest.Ref
	Err error
}

// Error is what happened to the request.
func (e *LostError) Error() string { return e.Err.Error() }

// Unwrap is what happened to the request.
func (e *LostError) Unwrap() error { return e.Err }

// Begin sends the one request that makes a guest. When its answer is lost, the task
// that it may have started is looked for; it is never sent again. The error is a
// *LostError then.
func Begin(ctx context.Context, client *pve.Client, lost pve.LostCall, send func() (pve.UPID, error)) (pve.UPID, error) {
	lost.Sent = client.ServerTime()
	task, err := send()
	if !errors.Is(err, pve.ErrAmbiguous) {
		return task, err
	}
	found, lookErr := client.FindLost(ctx, lost)
	if lookErr == nil && found.Task != "" {
		return found.Task, nil
	}
	if lookErr != nil {
		err = errors.Join(err, lookErr)
	}
	return "", &LostError{Ref: lost.Guest, Err: err}
}

// Broke words a creation that failed after it was accepted. The record is nil when
// the guest was proved not to be there: then there is nothing to track.
func Broke(ctx context.Context, life *lifecycle.Lifecycle, ref guest.Ref, at stage.Stage, task pve.UPID, cause error) (*stage.Record, diag.Diagnostic) {
	stop := life.Interrupt(ctx, ref, at, task, cause)
	if exists := stop.Record.Exists; exists != nil && !*exists {
		return nil, diags.Failed(fmt.Sprintf("%s was not created on node %s", Title(ref.Kind, ref.VMID), ref.Node), cause,
			"Proxmox has removed what it had begun: the number is free again.")
	}
	return &stop.Record, diags.Failed(halfDone(stop.Record), cause, stop.Record.Story()+" This stands in the state as its reconcile record.")
}

func halfDone(r stage.Record) string {
	name := Title(r.Guest.Kind, r.Guest.VMID)
	switch r.Stage {
	case stage.Start:
		return name + " was created and did not start"
	case stage.Configure:
		return name + " was created and not configured to the end"
	}
	return name + " was perhaps created only in part"
}

// NotCreated words an error of the request that makes a guest, other than refused
// parameters. ref.VMID is 0 when no number was tried.
func NotCreated(ctx context.Context, data *meta.Data, ref guest.Ref, err error) diag.Diagnostic {
	number := "without a VMID"
	if ref.VMID != 0 {
		number = ref.VMID.String()
	}
	if errors.Is(err, pve.ErrExists) {
		return taken(ctx, data, ref, number, err)
	}
	if _, lost := errors.AsType[*LostError](err); lost {
		return diags.Failed(fmt.Sprintf("Whether %s %s was created on node %s is not known", ref.Kind.Noun(), number, ref.Node), err,
			fmt.Sprintf("No task of this create was found in the node's list. The %s is not in the state, and its number must not be taken for free. "+
				"Look at the task list of node %s.", ref.Kind.Noun(), ref.Node))
	}
	return diags.Failed(Summary(ref), err, diags.Nothing)
}

// Summary is the summary of a creation that was refused.
func Summary(ref guest.Ref) string {
	if ref.VMID == 0 {
		return fmt.Sprintf("A %s without a VMID was not created on node %s", ref.Kind.Noun(), ref.Node)
	}
	return fmt.Sprintf("%s was not created on node %s", Title(ref.Kind, ref.VMID), ref.Node)
}

// taken words that somebody has the number, and who. It is not taken over.
func taken(ctx context.Context, data *meta.Data, ref guest.Ref, number string, err error) diag.Diagnostic {
	who := data.Holder(ctx, ref.VMID)
	if who == "" {
		who = "a guest"
		if e, ok := errors.AsType[*pve.ExistsError](err); ok && e.Node != "" {
			who = "a " + e.Kind.Noun() + " on node " + e.Node
		}
	}
	return diags.FailedAt(path.Root("vmid"), fmt.Sprintf("VMID %s is taken by %s", number, who), err,
		"A guest that exists is never taken over by a create. Nothing has been changed.\n\n"+
			fmt.Sprintf("Use another vmid, or leave vmid out and set vmid_range in the provider block. If the guest is the one that you mean, import it: terraform import ADDRESS %s.", number))
}
