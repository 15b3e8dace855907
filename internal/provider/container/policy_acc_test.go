package container_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// The policy script of examples/ci stops a plan that erases a mount point and
// lets one through that does not.
func TestPolicyScript(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("there is no jq on PATH")
	}
	sim := acctest.Cluster(t, pvesim.Options{Files: clusterFiles, Nodes: []string{"pve1"}, Tokens: map[string]string{"root@pam!tf": "00000000-0000-4000-8000-000000000000"}})
	w := installed{CLI: acctest.NewCLI(t), sim: sim}
	w.Config(acctest.Provider(sim) + small5001())
	w.Must("apply", "-auto-approve")
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"nothing to do", nil, ""},
		{"reinstall", []string{"-replace=proxmox_container.c"}, "proxmox_container.c: mp0 (local-lvm:vm-5001-disk-1) would be erased; its mount would be as_configured"},
		{"destroy", []string{"-destroy"}, "proxmox_container.c: mp0 (local-lvm:vm-5001-disk-1) would be erased; its mount would be as_configured"},
	} {
		w.Must(append([]string{"plan", "-out=p"}, tc.args...)...)
		// The CLI may warn before the document begins.
		_, document, _ := strings.Cut(w.Must("show", "-json", "p"), "{")
		out, err := policy(t, "{"+document)
		if (err != nil) != (tc.want != "") || !strings.Contains(out, tc.want) {
			t.Errorf("%s: %v\n%s", tc.name, err, out)
		}
		if strings.Contains(out, "mp1") || strings.Contains(out, "rootfs") {
			t.Errorf("%s: more is told than the erased mount points:\n%s", tc.name, out)
		}
	}
}

func policy(t *testing.T, plan string) (string, error) {
	t.Helper()
	cmd := exec.Command("sh", filepath.Join("..", "..", "..", "examples", "ci", "no-erased-mounts.sh"))
	cmd.Stdin = strings.NewReader(plan)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}
