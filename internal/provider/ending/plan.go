package ending

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
)

// Plan is the guard of the plan calls: it refuses what Delete would refuse, and
// warns of everything that goes.
func Plan(ctx context.Context, life *lifecycle.Lifecycle, op blocker.Operation, s Subject) diag.Diagnostics {
	facts, err := life.Inspect(ctx, s.Guest, s.Wanted)
	if err != nil {
		return diag.Diagnostics{refused(op, s.Guest, err)}
	}
	if err := s.ending(op).Admit(facts); err != nil {
		return diag.Diagnostics{refused(op, s.Guest, err)}
	}
	if !facts.Present {
		return nil
	}
	var d diag.Diagnostics
	if s.Needs != nil {
		if err := life.Check(ctx, *s.Needs, facts); err != nil {
			return diag.Diagnostics{refused(op, s.Guest, err)}
		}
	}
	losses := life.Losses(ctx, facts)
	losses.Pool = s.Pool
	if w := warning(op, s, facts, losses.Lines(s.FirewallDeclared, s.PoolDeclared)); w != nil {
		d.Append(w)
	}
	return d
}

// warning names everything that goes if that is more than the root volume.
func warning(op blocker.Operation, s Subject, f lifecycle.Facts, losses []string) diag.Diagnostic {
	if len(f.Entries) < 2 && len(losses) == 0 && len(f.Blind) == 0 {
		return nil
	}
	after := datalabel.Nothing
	if op == blocker.Reinstall {
		after = datalabel.Reinstalled
	}
	var text strings.Builder
	text.WriteString("What becomes of each volume and mount:\n")
	for _, e := range f.Entries {
		fmt.Fprintf(&text, "  - %s.\n", e.Sentence(after, datalabel.FateOf(e.Key, s.Declared[e.Key])))
	}
	if len(losses) > 0 {
		text.WriteString("\nWhat else goes with the guest:\n")
		for _, line := range losses {
			fmt.Fprintf(&text, "  - %s\n", line)
		}
	}
	if len(f.Blind) > 0 {
		text.WriteString("\nWhat could not be seen:\n")
		for _, line := range f.Blind {
			fmt.Fprintf(&text, "  - %s\n", line)
		}
	}
	text.WriteString("\nNothing of it can be undone once it is applied.")
	return diag.NewWarningDiagnostic(fmt.Sprintf("%s will be %s", name(s.Guest), op), text.String())
}
