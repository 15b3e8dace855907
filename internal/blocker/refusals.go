package blocker

import (
	"fmt"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Managed says that high availability or replication has the guest. Proxmox
// destroys such a guest only with "purge", which also takes it out of every
// backup job; this provider never sends that.
type Managed struct {
	Guest guest.Ref
	// HA is the id of the HA resource ("ct:5001"), empty if there is none.
	HA string
	// Jobs are the ids of its replication jobs ("5001-0").
	Jobs []string
}

// Sentence names what holds the guest.
func (m *Managed) Sentence() string {
	var holds []string
	if m.HA != "" {
		holds = append(holds, "the HA resource "+m.HA)
	}
	if len(m.Jobs) > 0 {
		holds = append(holds, "replication ("+strings.Join(m.Jobs, ", ")+")")
	}
	return fmt.Sprintf("%s is managed by %s, and Proxmox destroys such a guest only together with its entries in HA, replication and backup jobs.",
		name(m.Guest), strings.Join(holds, " and "))
}

// Help names the two ways out.
func (m *Managed) Help() string {
	var commands []string
	if m.HA != "" {
		commands = append(commands, "ha-manager remove "+m.HA)
	}
	for _, job := range m.Jobs {
		commands = append(commands, "pvesr delete "+job)
	}
	return fmt.Sprintf("Either take it out first and put it back afterwards: %s; or leave it to Proxmox: terraform state rm, then on node %s: %s destroy %d --purge",
		strings.Join(commands, "; "), m.Guest.Node, m.Guest.Kind.Command(), m.Guest.VMID)
}

// Changed says that the volumes of the guest are not those that were planned
// on. The preview is a precondition: whoever approved it saw other volumes.
type Changed struct {
	Guest       guest.Ref
	Differences []datalabel.Difference
}

// Summary is one sentence without a full stop.
func (c *Changed) Summary() string {
	return fmt.Sprintf("The volumes of %s %d are not those that were planned on", c.Guest.Kind.Noun(), c.Guest.VMID)
}

// Reasons lists the differences, one a line.
func (c *Changed) Reasons() string {
	lines := make([]string, len(c.Differences))
	for i, d := range c.Differences {
		switch {
		case d.Planned == "":
			lines[i] = fmt.Sprintf("- %s: %s has been added since", d.Key, d.Live)
		case d.Live == "":
			lines[i] = fmt.Sprintf("- %s: %s is not there any more", d.Key, d.Planned)
		default:
			lines[i] = fmt.Sprintf("- %s: was %s, is now %s", d.Key, d.Planned, d.Live)
		}
	}
	return strings.Join(lines, "\n")
}

// Error is the summary with the differences.
func (c *Changed) Error() string { return c.Summary() + ":\n" + c.Reasons() }

// Stranger says that the guest under the number is not the one that the state
// knows: the number was freed and given to somebody else.
type Stranger struct {
	Guest guest.Ref
	// Known and Found are fingerprints.
	Known, Found string
}

// Summary is one sentence without a full stop.
func (s *Stranger) Summary() string {
	return fmt.Sprintf("%s on node %s is not the guest that this resource made", name(s.Guest), s.Guest.Node)
}

// Reasons gives both fingerprints.
func (s *Stranger) Reasons() string {
	return fmt.Sprintf("Its fingerprint is %q and the state has %q: the number has been freed and given to another guest.", s.Found, s.Known)
}

// Error is the summary with the fingerprints.
func (s *Stranger) Error() string { return s.Summary() + ". " + s.Reasons() }
