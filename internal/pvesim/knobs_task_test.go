package pvesim

import (
	"testing"
	"time"
)

func TestTasksThatFailAndTasksThatDie(t *testing.T) {
	t.Parallel()
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.FailTask("vzstop", "no power")
	s.KillTask("vzstop")
	cleaned := 0
	for _, want := range []string{"no power", "unexpected status", "OK"} {
		s.mu.Lock()
		upid := s.fork(s.nodes[0], "vzstop", "100", identity{"root@pam"}, func(task *task) error {
			err := s.lockGuestFor(kindLXC, 100, false, time.Second, task.work)
			if err != nil {
				cleaned++
			}
			return err
		})
		got := s.await(upid)
		s.mu.Unlock()
		if got != want {
			t.Errorf("exit %q, want %q", got, want)
		}
	}
	if cleaned != 1 {
		t.Errorf("%d tasks cleaned up, want the failed one alone", cleaned)
	}
}
