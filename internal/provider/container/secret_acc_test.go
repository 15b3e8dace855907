package container_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// The root password is sent once and stands nowhere: not in a state, a plan, a
// log at its most talkative, or an error.
func TestThePasswordStandsNowhere(t *testing.T) {
	t.Parallel()
	const secret = "correct-horse-7421"
	sim := acctest.Cluster(t, pvesim.Options{Files: clusterFiles, Nodes: []string{"pve1"}, Tokens: map[string]string{"root@pam!tf": "00000000-0000-4000-8000-000000000000"}})
	w := installed{CLI: acctest.NewCLI(t), sim: sim}
	w.Config("variable \"password\" {\n  ephemeral = true\n}\n" + acctest.Provider(sim) +
		small5001("ostemplate =", "password_wo = var.password\n  password_wo_version = 1\n  ostemplate ="))
	w.Setenv("TF_VAR_password", secret)
	w.Setenv("TF_LOG", "TRACE")
	w.Setenv("TF_LOG_PATH", filepath.Join(w.Dir, "trace.log"))
	var printed strings.Builder
	sim.FailNext("POST", "/nodes/pve1/lxc", pvesim.Fault{Status: 500, Message: "no luck"})
	printed.WriteString(w.Run("apply", "-auto-approve").Out)
	printed.WriteString(w.Must("plan", "-out=p"))
	printed.WriteString(w.Must("apply", "p"))
	printed.WriteString(w.Must("show", "-json", "p"))
	printed.WriteString(w.Must("show", "-json"))
	if strings.Contains(printed.String(), secret) {
		t.Error("it is printed")
	}
	sent := 0
	for _, r := range sim.Requests() {
		if r.Params.Get("password") == secret {
			sent++
		}
	}
	if sent != 2 {
		t.Errorf("it was sent %d times, want once with each create", sent)
	}
	err := filepath.WalkDir(w.Dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("it stands in %s", filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for name, text := range unzip(t, filepath.Join(w.Dir, "p")) {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("it stands in %s of the plan", name)
		}
	}
}

// unzip reads the parts of a saved plan.
func unzip(t *testing.T, path string) map[string][]byte {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	parts := map[string][]byte{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if parts[f.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
	if len(parts) == 0 {
		t.Fatal("the plan is empty")
	}
	return parts
}
