package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun starts the program, asks it for its version and stops it.
func TestRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	headers, log := filepath.Join(dir, "headers"), filepath.Join(dir, "log")
	out, in := io.Pipe()
	stop, ended := make(chan os.Signal, 1), make(chan error, 1)
	go func() {
		ended <- run([]string{
			"--dir", filepath.Join(dir, "state"), "--listen", "127.0.0.1:0", "--nodes", "a,b", "--token", "root@pam!tf=secret",
			"--root-headers", headers, "--log", log, "--task-time", "0",
		}, in, stop)
	}()
	text := make([]byte, 200)
	n, err := out.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	endpoint := strings.TrimSpace(strings.TrimPrefix(string(text[:n]), "endpoint"))
	req, err := http.NewRequest(http.MethodGet, endpoint+"/api2/json/nodes", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "PVEAPIToken=root@pam!tf=secret")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `"node/b"`) {
		t.Errorf("GET /nodes: %d %s %v", resp.StatusCode, body, err)
	}
	stop <- os.Interrupt
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for file, want := range map[string]string{headers: "CSRFPreventionToken: ", log: "GET /nodes 200 "} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s %v", file, text, err)
		}
	}
}

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--token", "x"}, {"--nosuch"}, {"--latency", "fast"}} {
		if _, _, err := parse(args); err == nil {
			t.Errorf("%v was taken", args)
		}
	}
}
