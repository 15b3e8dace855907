package acctest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// What differs from run to run in a printed plan.
var volatile = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`(?m)^.*: Refreshing state\.\.\..*\n`), ""},
	{regexp.MustCompile(`OpenTofu`), "Terraform"},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "00000000-0000-0000-0000-000000000000"},
	{regexp.MustCompile(`made=[0-9]+`), "made=0"},
	{regexp.MustCompile(`UPID:[^\s,"]+:`), "UPID:…:"},
	{regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`), "http://127.0.0.1"},
	{regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z`), "2026-01-01T00:00:00Z"},
	{regexp.MustCompile(`\b([0-9]{3,9}-(?:destroy|create|configure|start)-)[0-9a-f]{8}\b`), "${1}00000000"},
}

// Golden compares a text with testdata/golden/NAME.txt.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	for _, v := range volatile {
		got = v.pattern.ReplaceAllString(got, v.with)
	}
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); -update writes it anew:\n%s", path, diff)
	}
}
