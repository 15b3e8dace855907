package archives

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// Unusable words why an archive cannot be restored.
func Unusable(at path.Path, archive string, err error) diag.Diagnostic {
	summary := "The archive " + archive + " cannot be restored"
	if _, gone := errors.AsType[*GoneError](err); gone {
		return diag.NewAttributeErrorDiagnostic(at, "There is no archive "+archive,
			"The storage does not hold it, and the user may see what it holds. "+diags.Nothing+"\n\nThe data source proxmox_backups lists the archives.")
	}
	if hidden, ok := errors.AsType[*HiddenError](err); ok {
		return diag.NewAttributeErrorDiagnostic(at, "The archive "+archive+" cannot be seen",
			fmt.Sprintf("Whether it exists is not known: lists leave out what one may not see. %s\n\nGive the user %s.", diags.Nothing, hidden.Needs))
	}
	if _, ok := errors.AsType[*vzdump.ArchiveError](err); ok {
		return diag.NewAttributeErrorDiagnostic(at, summary, "The value is refused: "+err.Error()+". "+diags.Nothing)
	}
	return diags.FailedAt(at, summary, err, diags.Nothing)
}

// Losses is the warning of a restore: what does not come back, and what comes back
// empty. A restore brings back disks and the configuration, and nothing else.
func (s Source) Losses(at path.Path, r Restoration) diag.Diagnostic {
	var b strings.Builder
	brings := "the disks that are in the archive, the guest's configuration and its firewall rules as they were"
	switch {
	case r.Managed && s.Archive.Kind == guest.LXC:
		brings = "the data that is in the archive; the configuration is as declared here"
	case r.Managed:
		brings = "the disks and the configuration that are in the archive, with what is declared here laid over it"
	}
	fmt.Fprintf(&b, "%s brings back %s. What does not come back:\n", s.Volume, brings)
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  - "+format+".\n", args...) }
	line("addresses that were leased, and what DNS, monitoring and other automation know of the guest")
	line("access rules, pool, high availability, replication and backup jobs of the original, and firewall aliases and groups outside of the guest")
	line("snapshots, and changes that were pending")
	if r.Unique {
		line("the MAC addresses: the guest gets new ones")
	}
	for _, c := range s.Empty() {
		switch {
		case s.Archive.Kind == guest.QEMU:
			line("the disk %s (%s): it was left out of the backup and comes back as a line of the description", c.Key, c.Source)
		case r.Managed:
			line("the data of %s at %s: it is not in the archive, its backup flag was off", c.Key, c.Path)
		default:
			line("the data of %s at %s: it comes back EMPTY, its backup flag was off", c.Key, c.Path)
		}
	}
	for _, c := range s.Bound() {
		switch {
		case r.Managed:
			line("the mount %s at %s of %s of the node, unless it is declared", c.Key, c.Path, c.Source)
		case r.Root && len(r.Mounts) == 0:
			line("the data of %s at %s: %s of the node is attached again, as it is now", c.Key, c.Path, c.Source)
		default:
			line("the mount %s at %s: %s of the node is not attached, which only root@pam may do", c.Key, c.Path, c.Source)
		}
	}
	return diag.NewAttributeWarningDiagnostic(at, fmt.Sprintf("The restored %s is not all of guest %d", s.Archive.Kind.Noun(), s.Archive.VMID), strings.TrimRight(b.String(), "\n"))
}

// CheckUnique refuses to make a second guest with the MAC addresses of one that
// runs.
func (s Source) CheckUnique(ctx context.Context, data *meta.Data, at path.Path, unique bool) diag.Diagnostics {
	if unique {
		return nil
	}
	original, err := Locate(ctx, data, s.Archive.VMID)
	if err != nil || original.Ref.Kind != s.Archive.Kind {
		if unknown, ok := errors.AsType[*UnknownGuestError](err); err == nil || ok && !unknown.Taken {
			return nil // the original is gone
		}
		return diag.Diagnostics{diags.FailedAt(at, fmt.Sprintf("Whether the original guest %d runs cannot be seen", s.Archive.VMID), err, diags.Nothing)}
	}
	status, err := data.Client.Status(ctx, original.Ref)
	if errors.Is(err, pve.ErrNotFound) || err == nil && !status.Running() {
		return nil
	}
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(at, fmt.Sprintf("Whether the original guest %d runs cannot be seen", s.Archive.VMID), err, diags.Nothing)}
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("The restored guest would have the MAC addresses of the running %s", original),
		fmt.Sprintf("unique is false, and the original runs on node %s. Two guests with the same MAC addresses take each other's packets and leases. %s\n\nLeave unique out, or stop the original first.", original.Ref.Node, diags.Nothing))}
}
