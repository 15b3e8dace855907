package guests

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// StorageUse is a storage that a volume is to be made on.
type StorageUse struct {
	At      path.Path
	Node    string
	Storage string
	Content string // rootdir or images
}

// takes names the guests that a content type stands for.
var takes = map[string]string{"rootdir": "containers", "images": "disks of VMs"}

// CheckStorage looks into the shared listing first. A storage that is not listed
// may be hidden from the user, so the node is asked for it by name.
func CheckStorage(ctx context.Context, data *meta.Data, use StorageUse) diag.Diagnostics {
	rows, err := data.Guests.All(ctx)
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(use.At, fmt.Sprintf("Storage %s could not be checked", use.Storage), err, diags.Nothing)}
	}
	for _, row := range rows {
		if row.Type == "storage" && row.Storage == use.Storage && row.Node == use.Node {
			if slices.Contains(row.ContentTypes(), use.Content) {
				return nil
			}
			return diag.Diagnostics{use.refused()}
		}
	}
	storage, err := data.Client.Storage(ctx, use.Node, use.Storage)
	switch {
	case errors.Is(err, pve.ErrPermission):
		return nil // could not see: the call itself will tell
	case errors.Is(err, pve.ErrNoSuch):
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(use.At, fmt.Sprintf("There is no storage %s on node %s", use.Storage, use.Node),
			"Nothing has been changed.\n\nUse one of the storages that pvesm status shows on the node, with content "+use.Content+".")}
	case err != nil:
		return diag.Diagnostics{diags.FailedAt(use.At, fmt.Sprintf("Storage %s on node %s could not be checked", use.Storage, use.Node), err, diags.Nothing)}
	case !storage.Allows(use.Content):
		return diag.Diagnostics{use.refused()}
	}
	return nil
}

func (use StorageUse) refused() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(use.At, fmt.Sprintf("Storage %s on node %s does not take %s", use.Storage, use.Node, takes[use.Content]),
		"Its content types do not include "+use.Content+". Nothing has been changed.\n\nUse another storage, or allow it: pvesm set "+use.Storage+" --content "+use.Content+",… with the types that it has now.")
}
