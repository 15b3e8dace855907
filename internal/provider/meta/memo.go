package meta

import "sync"

// Memo remembers answers that hold for one process, so that a plan of many
// guests asks each question once. The zero value is ready for use. Errors are
// not remembered.
type Memo struct {
	mu      sync.Mutex
	answers map[string]bool
}

// Ask returns the remembered answer to a question, else asks.
func (m *Memo) Ask(question string, ask func() (bool, error)) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if answer, ok := m.answers[question]; ok {
		return answer, nil
	}
	answer, err := ask()
	if err != nil {
		return false, err
	}
	if m.answers == nil {
		m.answers = map[string]bool{}
	}
	m.answers[question] = answer
	return answer, nil
}
