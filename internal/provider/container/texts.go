package container

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
)

func outside(id guest.VMID, err error) diag.Diagnostic {
	return diags.FailedAt(path.Root("vmid"), fmt.Sprintf("Container %d is not within the provider's VMID range", id), err, diags.Nothing)
}

func unreadable(ref guest.Ref, err error) diag.Diagnostic {
	return diags.Failed(fmt.Sprintf("Container %d on node %s cannot be read", ref.VMID, ref.Node), err, "")
}

func unreadableKey(key string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("The key %s of the container's configuration cannot be read", key),
		fmt.Sprintf("It says: %v. Nothing has been changed.\n\nMend the line on the node with pct set or an editor, then plan again.", err))
}

// notRead words why a container of the state could not be read. The resource
// stays in the state.
func notRead(id guest.VMID, node string, err error) diag.Diagnostic {
	if e, ok := errors.AsType[*NotContainerError](err); ok {
		return diag.NewErrorDiagnostic(fmt.Sprintf("VMID %d belongs to a VM now, not to a container", id),
			fmt.Sprintf("The state has a container %d, and on node %s a VM has the number: the container was destroyed and somebody else took its number. The VM is left alone. Nothing has been changed.\n\n"+
				"Remove the container from the state with terraform state rm, and manage the VM with proxmox_vm if it is yours.", id, e.Node))
	}
	if e, ok := errors.AsType[*UnseenError](err); ok {
		return diags.Failed(fmt.Sprintf("Container %d on node %s cannot be seen", id, e.Ref.Node), e.Err,
			"The cluster says that the number is in use, so the container stays in the state. Nothing has been changed.")
	}
	return diags.Failed(fmt.Sprintf("Container %d on node %s cannot be read", id, node), err, "It stays in the state. "+diags.Nothing)
}

func notImported(id guest.VMID, node string, err error) diag.Diagnostic {
	if _, gone := errors.AsType[*GoneError](err); gone {
		return diag.NewErrorDiagnostic(fmt.Sprintf("There is no guest %d in the cluster", id),
			"The cluster says that the number is free. Nothing has been imported.")
	}
	if e, ok := errors.AsType[*NotContainerError](err); ok {
		return diag.NewErrorDiagnostic(fmt.Sprintf("Guest %d is a VM, not a container", id),
			fmt.Sprintf("It is on node %s. Nothing has been imported.\n\nImport it into a resource of type proxmox_vm.", e.Node))
	}
	if _, ok := errors.AsType[*UnseenError](err); ok && node == "" {
		return diags.Failed(fmt.Sprintf("Guest %d cannot be found", id), err,
			"The number is in use, but the cluster's listing does not show the guest, which needs VM.Audit on /vms/"+id.String()+". Nothing has been imported.")
	}
	return diags.Failed(fmt.Sprintf("Container %d cannot be imported", id), err, "Nothing has been imported.")
}
