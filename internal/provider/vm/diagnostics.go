package vm

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

func unreadableKey(id guest.VMID, err error) diag.Diagnostic {
	key := "a key"
	if e, ok := errors.AsType[*KeyError](err); ok {
		key = e.Key
	}
	return diag.NewWarningDiagnostic(fmt.Sprintf("%s of VM %d cannot be read", key, id),
		fmt.Sprintf("Its value is no property string: %v. It is left alone, and the rest of the VM is managed.\n\nMend the line on the node with qm set or an editor.", err))
}
