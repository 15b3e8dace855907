package stage_test

import (
	"slices"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

func TestOrder(t *testing.T) {
	t.Parallel()
	want := []stage.Stage{"inspect", "stop", "destroy", "create", "configure", "start"}
	if got := stage.All(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAllIsACopy(t *testing.T) {
	t.Parallel()
	stage.All()[0] = stage.Start
	if got := stage.All()[0]; got != stage.Inspect {
		t.Errorf("a caller changed the list: first is %q", got)
	}
}

func TestIrreversibleFollowsThePosition(t *testing.T) {
	t.Parallel()
	seen := false
	for _, s := range stage.All() {
		seen = seen || s == stage.Destroy
		if got := stage.Irreversible(s); got != seen {
			t.Errorf("Irreversible(%q) = %t, want %t", s, got, seen)
		}
		if !stage.Known(s) {
			t.Errorf("Known(%q) = false", s)
		}
	}
}

func TestAWordThatIsNoStageIsNeverHarmless(t *testing.T) {
	t.Parallel()
	for _, s := range []stage.Stage{"", "Inspect", "stopped", "rollback"} {
		if !stage.Irreversible(s) || stage.Known(s) {
			t.Errorf("%q counts as a harmless stage", s)
		}
	}
}
