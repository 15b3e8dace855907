package acctest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// Lines are requests as text, one each: method, path and the parameters sorted
// by name. Polls of tasks are left out: how many there are is a matter of time.
func Lines(requests []pvesim.Request) []string {
	var lines []string
	for _, r := range requests {
		if !poll(r) {
			lines = append(lines, line(r))
		}
	}
	return lines
}

// Writes are the lines of requests that are not GET.
func Writes(requests []pvesim.Request) []string {
	var writes []pvesim.Request
	for _, r := range requests {
		if r.Method != http.MethodGet && r.Path != "/access/ticket" {
			writes = append(writes, r)
		}
	}
	return Lines(writes)
}

func poll(r pvesim.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Path, "/tasks/UPID")
}

func line(r pvesim.Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", r.Method, r.Path)
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		for _, value := range r.Params[name] {
			fmt.Fprintf(&b, " %s=%s", name, value)
		}
	}
	return b.String()
}
