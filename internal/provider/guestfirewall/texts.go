package guestfirewall

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
)

var root = path.Root(AttributeName)

func unreadable(ref guest.Ref, err error) diag.Diagnostic {
	return diags.FailedAt(root, fmt.Sprintf("The firewall of %s %d cannot be read", ref.Kind.Noun(), ref.VMID), err, "")
}

// Failed words an error of Close and Open, as diagnostics; none for nil.
func (c *Change) Failed(err error) diag.Diagnostics {
	if err == nil {
		return nil
	}
	return diag.Diagnostics{c.failed(err)}
}

func (c *Change) failed(err error) diag.Diagnostic {
	changed := diags.Nothing
	if c.wrote {
		changed = "It was changed in part. What is in effect now lets through no more than before the change, or no more than what the plan wants."
	}
	if e, ok := errors.AsType[*ConflictError](err); ok {
		return diag.NewAttributeErrorDiagnostic(root, fmt.Sprintf("The firewall of %s %d has been changed by somebody else since the plan was made", c.Ref.Kind.Noun(), c.Ref.VMID),
			fmt.Sprintf("These parts of it are neither what they were when the plan was made nor what the plan wants: %s. %s\n\nPlan again and look at the difference.", strings.Join(e.What, ", "), changed))
	}
	at := root
	if e, ok := errors.AsType[*RuleError](err); ok {
		at = root.AtName("rules").AtListIndex(e.Index)
		err = e.Err
	}
	return diags.FailedAt(at, fmt.Sprintf("The firewall of %s %d could not be changed", c.Ref.Kind.Noun(), c.Ref.VMID), err, changed)
}
