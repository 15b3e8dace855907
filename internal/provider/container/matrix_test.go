package container_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The fault matrix, for guests of both kinds: every mutating request and every task
// of their life, times every way in which it can go wrong. "make matrix" runs it in
// full; without MATRIX=1 only the cells of sample run.
func TestMatrix(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("each cell runs Terraform several times")
	}
	fresh, existing := newBase(t, nil), map[string]base{}
	for _, k := range []*kind{&aContainer, &aVM} {
		existing[k.noun] = newBase(t, k)
	}
	table := &results{ends: map[string]map[string]string{}}
	slots := make(chan struct{}, 3)
	for _, op := range operations {
		b := fresh
		if op.existing {
			b = existing[op.kind.noun]
		}
		for _, s := range op.steps {
			for _, fault := range faultsOf(s) {
				row := op.kind.noun + " " + op.name + ": " + name(s, fault)
				if os.Getenv("MATRIX") == "" && !slices.Contains(sample, row+", "+fault) {
					continue
				}
				t.Run(row+", "+fault, func(t *testing.T) {
					t.Parallel()
					slots <- struct{}{}
					defer func() { <-slots }()
					c := &cell{t: t, op: op, step: s, fault: fault}
					end, err := c.run(b)
					if err != nil {
						t.Errorf("%v\n%s", err, c.story.String())
						end = "RED"
					}
					table.note(row, fault, end)
				})
			}
		}
	}
	t.Cleanup(func() {
		table.print(t)
	})
}

// sample are the cells that every test run goes through.
var sample = []string{
	"container create: POST lxc, dropped after",
	"container reinstall: DELETE lxc/5001, killed",
	"container reinstall: task vzcreate, task dies",
	"VM create: POST qemu/9000/clone, dropped after",
	"VM reinstall: task qmclone, task dies",
}

func faultsOf(s step) []string {
	if s.task == "" {
		return requestFaults
	}
	return append(slices.Clone(requestFaults), taskFaults...)
}

func name(s step, fault string) string {
	if slices.Contains(taskFaults, fault) {
		return "task " + s.task
	}
	return s.method + " " + strings.TrimPrefix(strings.TrimPrefix(s.path, "/nodes/pve1/"), "/")
}

// results are the ends of the cells, by row and column.
type results struct {
	mu   sync.Mutex
	rows []string
	ends map[string]map[string]string
}

func (r *results) note(row, column, end string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ends[row] == nil {
		r.ends[row] = map[string]string{}
		r.rows = append(r.rows, row)
	}
	r.ends[row][column] = end
}

// print writes the table to standard output, where tools/matrix.sh looks for
// lines that begin with "matrix".
func (r *results) print(t *testing.T) {
	t.Helper()
	cells, green := 0, 0
	slices.Sort(r.rows)
	columns := append(slices.Clone(requestFaults), taskFaults...)
	fmt.Printf("matrix | %-50s | %s |\n", "guest", strings.Join(columns, " | "))
	for _, row := range r.rows {
		fmt.Printf("matrix | %-50s |", row)
		for _, column := range columns {
			end := r.ends[row][column]
			if end != "" {
				cells++
			}
			if end != "" && end != "RED" {
				green++
			}
			fmt.Printf(" %-*s |", len(column), end)
		}
		fmt.Println()
	}
	fmt.Printf("matrix: cells %d green %d\n", cells, green)
}
