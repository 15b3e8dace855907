package vm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

func unreadableKey(id guest.VMID, err error) diag.Diagnostic {
	key := "a key"
	if e, ok := errors.AsType[*KeyError](err); ok {
		key = e.Key
	}
	return diag.NewWarningDiagnostic(fmt.Sprintf("%s of VM %d cannot be read", key, id),
		fmt.Sprintf("Its value is no property string: %v. It is left alone, and the rest of the VM is managed.\n\nMend the line on the node with qm set or an editor.", err))
}

// shrinks words that a disk of the clone's source is larger than what is wanted.
func shrinks(e *ShrinkError) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("disks").AtMapKey(e.Key).AtName("size"),
		fmt.Sprintf("%s would shrink from %s to %s", e.Key, e.Has, e.Wanted),
		fmt.Sprintf("The disk of the source has %d bytes (%d GiB rounded up) and the configuration asks for %d bytes (%d GiB rounded up). Disks never shrink. Nothing has been changed.\n\n"+
			"Set the size to %s or more, or use a template with a smaller disk.", e.Has, e.Has.GiBUp(), e.Wanted, e.Wanted.GiBUp(), e.Has))
}

// noSource words that a disk is to be made from nothing.
func noSource(e *SourceError) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("disks").AtMapKey(e.Key),
		fmt.Sprintf("Nothing says what %s is made from", e.Key),
		"The disk does not exist yet. Nothing has been changed.\n\nSet storage and size for a new disk, storage and import_from for a copy of an image, or volume for one that exists.")
}

// occupied words that the source of a clone has something else under a key.
func occupied(source guest.VMID, e *ConflictError) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("VM %d has something else at %s than what is declared", source, strings.Join(e.Keys, ", ")),
		"The configuration declares a disk where the source of the clone has a CD-ROM or cloud-init drive, the other way round, or a disk that is somebody else's. What a template brought and nobody declared is never overwritten. Nothing has been changed.\n\n"+
			"Use other keys; qm config shows what the source has.")
}

func withoutNumber() diag.Diagnostic {
	return diags.FailedAt(path.Root("vmid"), "The VM has no VMID and the provider no range to take one from", meta.ErrNoBoundary, diags.Nothing)
}

// refusedParams puts each parameter that Proxmox refused at the attribute that it
// came from.
func refusedParams(summary string, e *pve.Error, wanted flat) diag.Diagnostics {
	var d diag.Diagnostics
	for _, key := range sortedKeys(e.Params) {
		why := strings.TrimSuffix(strings.TrimSpace(e.Params[key]), ".")
		text := fmt.Sprintf("Proxmox refuses the parameter %s: %s. %s", key, why, diags.Nothing)
		if at, known := attributeOf(key, wanted); known {
			d.AddAttributeError(at, summary, text)
			continue
		}
		d.AddError(summary, text)
	}
	return d
}

// attributeOf is where a key of the configuration is in the schema: the attribute
// itself for a plain key, the object or element for a property string.
func attributeOf(key string, wanted flat) (path.Path, bool) {
	if key == "vmid" || key == "pool" {
		return path.Root(key), true
	}
	for name, at := range keys.Paths[settings](wanted) {
		of, sub := keyOf(name)
		switch {
		case of != key:
		case sub == "":
			return at, true
		default:
			return at.ParentPath(), true
		}
	}
	if isDrive(key) {
		return path.Root("disks").AtMapKey(key), true
	}
	return path.Empty(), false
}
