package ending

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

func name(ref guest.Ref) string {
	noun := ref.Kind.Noun()
	return fmt.Sprintf("%s %d", strings.ToUpper(noun[:1])+noun[1:], ref.VMID)
}

// refused words why a guest is not ended. Before the first irreversible call
// nothing has been changed, unless the guest had been stopped.
func refused(op blocker.Operation, ref guest.Ref, err error) diag.Diagnostic {
	if e, ok := errors.AsType[*lifecycle.Interrupted](err); ok {
		return interrupted(op, e)
	}
	changed := diags.Nothing
	if e, ok := errors.AsType[*lifecycle.Halted](err); ok {
		changed = fmt.Sprintf("%s has been stopped and nothing else has been changed.", name(ref))
		err = e.Cause
	}
	if e, ok := errors.AsType[*blocker.Refusal](err); ok {
		return reasons(e.Summary(), e.Reasons(), changed, "")
	}
	if e, ok := errors.AsType[*blocker.Changed](err); ok {
		return reasons(e.Summary(), e.Reasons(), changed, "Whoever approved the plan saw other volumes. Refresh the state with terraform apply -refresh-only, plan again, and look at what the plan says now.")
	}
	if e, ok := errors.AsType[*blocker.Stranger](err); ok {
		return reasons(e.Summary(), e.Reasons(), changed, stranger(ref))
	}
	if e, ok := errors.AsType[*lifecycle.Lacking](err); ok {
		return reasons(e.Summary(), e.Reasons(), changed, "Provide what is missing and plan again.")
	}
	return diags.Failed(fmt.Sprintf("%s cannot be %s", name(ref), op), err, changed)
}

// NotRead words that the guest under the number is not the one of the state.
func NotRead(ref guest.Ref, err error) diag.Diagnostic {
	if e, ok := errors.AsType[*blocker.Stranger](err); ok {
		return reasons(e.Summary(), e.Reasons(), "It is left alone and stays in the state as it was. "+diags.Nothing, stranger(ref))
	}
	return diags.Failed(name(ref)+" cannot be read", err, "")
}

func reasons(summary, list, changed, remedy string) diag.Diagnostic {
	text := list + "\n\n" + changed
	if remedy != "" {
		text += "\n\n" + remedy
	}
	return diag.NewErrorDiagnostic(summary, text)
}

func stranger(ref guest.Ref) string {
	return fmt.Sprintf("If it is somebody else's, forget it: terraform state rm, and give this resource another vmid. If it is the same guest, changed outside of Terraform, forget it and import it again: terraform import ADDRESS %d.", ref.VMID)
}

// interrupted tells the whole story of an operation that died half done.
func interrupted(op blocker.Operation, e *lifecycle.Interrupted) diag.Diagnostic {
	summary := fmt.Sprintf("%s may be half %s and needs reconcile", name(e.Record.Guest), op)
	return diag.NewErrorDiagnostic(summary, fmt.Sprintf("%s\n\n%s\n\nThe error was: %s", e.Record.Story(), WaysOut(e.Record), e.Cause))
}

// Open words a record that stands in the way of everything else.
func Open(r stage.Record) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("reconcile"), name(r.Guest)+" needs reconcile before anything else is planned for it",
		r.Story()+" "+diags.Nothing+"\n\n"+WaysOut(r))
}

// Closed warns that a human has closed a record.
func Closed(r stage.Record) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("The reconcile record of %s %d is closed", r.Guest.Kind.Noun(), r.Guest.VMID),
		r.Story()+" The record was acknowledged in the provider's configuration. The token can be removed from it after the next apply.")
}

// Settled warns that Proxmox's own answers have closed a record.
func Settled(r stage.Record, outcome lifecycle.Outcome) diag.Diagnostic {
	text := "Proxmox says that its task has ended, that the guest is there and that it is this one."
	if outcome == lifecycle.SettledAbsent {
		text = "Proxmox says that its task has ended, that the number is free and that no volume of it is left."
	}
	return diag.NewWarningDiagnostic(fmt.Sprintf("The reconcile record of %s %d is settled", r.Guest.Kind.Noun(), r.Guest.VMID),
		r.Story()+" "+text)
}

// WaysOut says what helps while a record is open.
func WaysOut(r stage.Record) string {
	ref := r.Guest
	look := fmt.Sprintf("Look at it on node %s: %s config %d", ref.Node, ref.Kind.Command(), ref.VMID)
	if r.Task != "" {
		look += fmt.Sprintf("; pvesh get /nodes/%s/tasks/%s/log", ref.Node, r.Task)
	}
	return look + ". The next refresh settles the record when Proxmox's own answers are clear: the task has ended, and the guest is there without a lock or nothing of it is left. " +
		fmt.Sprintf("A lock that a dead task left behind goes with %s unlock %d. Otherwise:\n", ref.Kind.Command(), ref.VMID) +
		fmt.Sprintf("  - to go on with what exists, or to have it made again, sign the record, which vouches that the guest under the number is this one: acknowledge = [%q] in the provider block or PROXMOX_VE_ACKNOWLEDGE=%s. A tainted guest that turns out complete: terraform apply -refresh-only, then terraform untaint.\n", r.Token(), r.Token()) +
		"  - to forget it and leave it as it is: terraform state rm."
}
