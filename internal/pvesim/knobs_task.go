package pvesim

// taskFault is what happens to the next task of a type where it does its work.
type taskFault struct {
	kind   string
	exit   string
	killed bool
}

// killed is what a task panics with that dies where it stands.
type killed struct{}

// FailTask lets the next task of a type fail where it does its work; it cleans
// up as such a task does and ends with exit.
func (s *Server) FailTask(kind, exit string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.taskFaults = append(s.knobs.taskFaults, taskFault{kind: kind, exit: exit})
}

// KillTask lets the next task of a type die where it does its work, as when the
// node loses power: nothing is cleaned up, and its exit status is
// "unexpected status".
func (s *Server) KillTask(kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.taskFaults = append(s.knobs.taskFaults, taskFault{kind: kind, killed: true})
}

// strike carries out the fault that waits for the task, if there is one.
func (t *task) strike() error {
	for i, f := range t.s.knobs.taskFaults {
		if f.kind != t.kind {
			continue
		}
		t.s.knobs.taskFaults = append(t.s.knobs.taskFaults[:i:i], t.s.knobs.taskFaults[i+1:]...)
		if f.killed {
			panic(killed{})
		}
		return die("%s", f.exit)
	}
	return nil
}

// run runs the body of a task, which may be killed.
func (t *task) run(body func(t *task) error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case killed:
			err = errUnexpected
		default:
			panic(r)
		}
	}()
	return body(t)
}
