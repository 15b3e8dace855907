// Package diags words what people read when something goes wrong: one place
// for the texts of diagnostics, and one converter for the errors of the client
// and of the rules.
//
// A summary is one sentence that names the object and what would go or went
// wrong. A detail says why, then what has been changed, then what to do; the
// original error stands last. It knows no resource's schema: paths are handed
// in.
package diags

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// What a failed operation has changed.
const (
	Nothing = "Nothing has been changed."
	Unclear = "Whether anything has been changed is not known."
)

// Failed words an error of the client or of a rule. changed says what has been
// changed so far, as a whole sentence.
func Failed(summary string, err error, changed string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summary, detail(err, changed))
}

// FailedAt is Failed for an error that one attribute caused.
func FailedAt(at path.Path, summary string, err error, changed string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, summary, detail(err, changed))
}

func detail(err error, changed string) string {
	why, remedy := explain(err)
	var b strings.Builder
	for _, part := range []string{why, changed} {
		if part != "" && b.Len() > 0 {
			b.WriteString(" ")
		}
		b.WriteString(part)
	}
	paragraphs := []string{b.String(), remedy}
	if original := original(err); !strings.Contains(b.String(), original) {
		paragraphs = append(paragraphs, "The error was: "+original)
	}
	paragraphs = slices.DeleteFunc(paragraphs, func(p string) bool { return p == "" })
	return strings.Join(paragraphs, "\n\n")
}

// original is what the cluster said; empty for a refusal of ours, of which why
// has said everything.
func original(err error) string {
	if e, ok := errors.AsType[*meta.CollisionError](err); ok {
		return e.Err.Error()
	}
	if why, _ := explainNumber(err); why != "" {
		return ""
	}
	return err.Error()
}

// explain says why an error came about and what helps against it.
func explain(err error) (why, remedy string) {
	if why, remedy = explainNumber(err); why != "" {
		return why, remedy
	}
	if e, ok := errors.AsType[*pve.TaskError](err); ok {
		return explainTask(e)
	}
	return explainCall(err)
}

func explainTask(e *pve.TaskError) (why, remedy string) {
	why = fmt.Sprintf("The task %s ended with: %s.", e.UPID, strings.TrimSuffix(e.Exit, "."))
	if len(e.Log) > 0 {
		remedy = "The last lines of its log:\n  " + strings.Join(e.Log, "\n  ")
	}
	return why, remedy
}

func explainCall(err error) (why, remedy string) {
	if e, ok := errors.AsType[*pve.PermissionError](err); ok {
		if e.RootOnly {
			return "Proxmox lets only root@pam do this, and an API token is never root@pam.",
				"Use username and password of root@pam in the provider block, or leave the attribute out."
		}
		if e.Path != "" {
			return fmt.Sprintf("The privilege %s is missing on %s.", strings.ReplaceAll(e.Privilege, "|", " or "), e.Path),
				fmt.Sprintf("Give it to the user and, with privilege separation, to the token as well: pveum acl modify %s --tokens USER@REALM!NAME --roles ROLE.", e.Path)
		}
		return "A privilege is missing.", ""
	}
	if e, ok := errors.AsType[*pve.LockedError](err); ok {
		return fmt.Sprintf("The guest is locked (%s): an operation is running on it, or one broke off and left the lock behind.", e.Lock),
			"Wait for the operation to end. If none is running, look into what happened and remove the lock on the node with pct unlock VMID (qm unlock VMID for a VM)."
	}
	for _, known := range []struct {
		is          error
		why, remedy string
	}{
		{pve.ErrUnauthorized, "The node did not accept the credentials.", "Check the token or the password, that the token has not expired, and that the user is enabled."},
		{pve.ErrUntrusted, "The certificate of the node is not trusted, so nothing was sent.", "Set tls_fingerprint to the SHA-256 fingerprint of the node's certificate, or tls_ca_file to the CA that signed it."},
		{pve.ErrUnreachable, "The node could not be reached; this says nothing about the guest.", "Check the endpoint and the network, or name the other nodes of the cluster in endpoints."},
		{pve.ErrAmbiguous, "The request was sent and its answer was lost: whether it took effect is not known.", "Look at the guest and at the task list of the node before you try again."},
		{pve.ErrNoQuorum, "The cluster has no quorum, so nothing can be written now.", "Bring the missing nodes back, then try again."},
		{pve.ErrDigest, "Somebody else changed the configuration after it was read.", "Plan again and look at what changed."},
		{pve.ErrProtected, "It is protected.", "Set protection to false and apply that alone first."},
		{pve.ErrLockTimeout, "Another operation held a lock of Proxmox for too long.", "Try again when the other operation has ended."},
		{pve.ErrNotImplemented, "This version of Proxmox VE does not know the call.", "This provider works with Proxmox VE 8 and 9."},
	} {
		if errors.Is(err, known.is) {
			return known.why, known.remedy
		}
	}
	return "", ""
}

// Warning is a diagnostic that the user can act on.
func Warning(summary, detail string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summary, detail)
}
