package guests

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
)

// Title names a guest at the beginning of a sentence, for example "VM 5001".
func Title(kind guest.Kind, id guest.VMID) string {
	noun := kind.Noun()
	return fmt.Sprintf("%s %d", strings.ToUpper(noun[:1])+noun[1:], id)
}

// Outside words that a guest is not ours.
func Outside(kind guest.Kind, id guest.VMID, err error) diag.Diagnostic {
	return diags.FailedAt(path.Root("vmid"), fmt.Sprintf("%s is not within the provider's VMID range", Title(kind, id)), err, diags.Nothing)
}

// Unreadable words that a guest's node did not say what the guest is like.
func Unreadable(ref guest.Ref, err error) diag.Diagnostic {
	return diags.Failed(fmt.Sprintf("%s on node %s cannot be read", Title(ref.Kind, ref.VMID), ref.Node), err, "")
}

// NotRead words why a guest of the state could not be read. The resource stays in
// the state.
func NotRead(ref guest.Ref, err error) diag.Diagnostic {
	noun := ref.Kind.Noun()
	if e, ok := errors.AsType[*OtherKindError](err); ok {
		return diag.NewErrorDiagnostic(fmt.Sprintf("VMID %d belongs to a %s now, not to a %s", ref.VMID, e.Ref.Kind.Noun(), noun),
			fmt.Sprintf("The state has a %s %d, and on node %s a %s has the number: the %s was destroyed and somebody else took its number. It is left alone. Nothing has been changed.\n\n"+
				"Remove the %s from the state with terraform state rm, and manage the other one with %s if it is yours.",
				noun, ref.VMID, e.Ref.Node, e.Ref.Kind.Noun(), noun, noun, resourceOf(e.Ref.Kind)))
	}
	if e, ok := errors.AsType[*UnseenError](err); ok {
		return diags.Failed(fmt.Sprintf("%s on node %s cannot be seen", Title(ref.Kind, ref.VMID), e.Ref.Node), e.Err,
			fmt.Sprintf("The cluster says that the number is in use, so the %s stays in the state. Nothing has been changed.", noun))
	}
	return diags.Failed(fmt.Sprintf("%s on node %s cannot be read", Title(ref.Kind, ref.VMID), ref.Node), err, "It stays in the state. "+diags.Nothing)
}

// NotImported words why a guest could not be imported. ref.Node is the node that
// the user named, empty for none.
func NotImported(ref guest.Ref, err error) diag.Diagnostic {
	if _, gone := errors.AsType[*GoneError](err); gone {
		return diag.NewErrorDiagnostic(fmt.Sprintf("There is no guest %d in the cluster", ref.VMID),
			"The cluster says that the number is free. Nothing has been imported.")
	}
	if e, ok := errors.AsType[*OtherKindError](err); ok {
		return diag.NewErrorDiagnostic(fmt.Sprintf("Guest %d is a %s, not a %s", ref.VMID, e.Ref.Kind.Noun(), ref.Kind.Noun()),
			fmt.Sprintf("It is on node %s. Nothing has been imported.\n\nImport it into a resource of type %s.", e.Ref.Node, resourceOf(e.Ref.Kind)))
	}
	if _, ok := errors.AsType[*UnseenError](err); ok && ref.Node == "" {
		return diags.Failed(fmt.Sprintf("Guest %d cannot be found", ref.VMID), err,
			"The number is in use, but the cluster's listing does not show the guest, which needs VM.Audit on /vms/"+ref.VMID.String()+". Nothing has been imported.")
	}
	return diags.Failed(fmt.Sprintf("%s cannot be imported", Title(ref.Kind, ref.VMID)), err, "Nothing has been imported.")
}

func resourceOf(kind guest.Kind) string {
	if kind == guest.QEMU {
		return "proxmox_vm"
	}
	return "proxmox_container"
}
