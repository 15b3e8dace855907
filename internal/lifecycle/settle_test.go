package lifecycle_test

import (
	"fmt"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Every combination of answers: a record closes only on two of them, and what
// could not be seen never reads as absence.
func TestSettleEveryBranch(t *testing.T) {
	t.Parallel()
	three := []*bool{nil, new(false), new(true)}
	for _, ended := range three {
		for _, present := range three {
			for _, recognised := range three {
				for _, left := range three {
					for _, lock := range []string{"", "create", "destroyed", "backup"} {
						e := lifecycle.Evidence{Ended: ended, Present: present, Lock: lock, Recognised: recognised, VolumesLeft: left}
						record, outcome := lifecycle.Settle(stage.Record{Stage: stage.Create}, e)
						want := lifecycle.StillOpen
						switch {
						case !yes(ended):
						case yes(present) && yes(recognised) && lock == "":
							want = lifecycle.SettledPresent
						case no(present) && no(left):
							want = lifecycle.SettledAbsent
						}
						if outcome != want {
							t.Errorf("%s: outcome %d, want %d", show(e), outcome, want)
						}
						if record.Exists != present {
							t.Errorf("%s: exists became %s", show(e), word(record.Exists))
						}
						if present == nil && outcome != lifecycle.StillOpen {
							t.Errorf("%s: settled without knowing whether the guest exists", show(e))
						}
					}
				}
			}
		}
	}
}

func yes(b *bool) bool { return b != nil && *b }
func no(b *bool) bool  { return b != nil && !*b }

func word(b *bool) string {
	if b == nil {
		return "null"
	}
	return fmt.Sprint(*b)
}

func show(e lifecycle.Evidence) string {
	return fmt.Sprintf("ended %s, present %s, lock %q, recognised %s, volumes left %s",
		word(e.Ended), word(e.Present), e.Lock, word(e.Recognised), word(e.VolumesLeft))
}
