// Package acctest runs the provider under a real Terraform or OpenTofu against
// the simulated cluster, or parts of such a run: a server, the provider block
// that points to it, and questions about the requests that it got.
//
// Only tests import it.
package acctest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// command is the CLI that tests run, empty when there is none.
var command = prepare()

// prepare points the test framework to a CLI: the one that the environment
// names, else terraform or tofu from PATH, else the OpenTofu that the Makefile
// builds.
func prepare() string {
	set("CHECKPOINT_DISABLE", "1")
	cli := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if cli == "" {
		cli = find()
	}
	if cli == "" {
		return ""
	}
	set("TF_ACC_TERRAFORM_PATH", cli)
	if strings.HasPrefix(filepath.Base(cli), "tofu") {
		set("TF_ACC_PROVIDER_HOST", "registry.opentofu.org")
		set("TF_ACC_PROVIDER_NAMESPACE", "hashicorp")
	}
	return cli
}

func find() string {
	for _, name := range []string{"terraform", "tofu"} {
		if cli, err := exec.LookPath(name); err == nil {
			return cli
		}
	}
	_, here, _, _ := runtime.Caller(0)
	built := filepath.Join(filepath.Dir(here), "..", "..", ".tools", "tofu")
	if _, err := os.Stat(built); err == nil {
		return built
	}
	return ""
}

func set(name, value string) {
	if os.Getenv(name) == "" {
		_ = os.Setenv(name, value)
	}
}

// Cluster starts a simulated cluster for one test.
func Cluster(t *testing.T, o pvesim.Options) *pvesim.Server {
	t.Helper()
	s, err := pvesim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Run runs the steps of a test case; the test itself says t.Parallel. It is skipped
// when there is no CLI at all.
func Run(t *testing.T, tc resource.TestCase) {
	t.Helper()
	if command == "" {
		t.Skip("there is neither terraform nor tofu on PATH, and no .tools/tofu: run make cli")
	}
	tc.IsUnitTest = true
	if tc.ProtoV6ProviderFactories == nil {
		tc.ProtoV6ProviderFactories = Factories()
	}
	resource.Test(t, tc)
}

// Factories are the provider of this module under its local name.
func Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		provider.TypeName: providerserver.NewProtocol6WithError(provider.New("test")()),
	}
}

// Provider is the provider block for a cluster with its token; extra lines go
// into the block.
func Provider(s *pvesim.Server, extra ...string) string {
	return fmt.Sprintf("provider \"proxmox\" {\n  endpoint  = %q\n  api_token = %q\n  %s\n}\n", s.URL(), s.Token(), strings.Join(extra, "\n  "))
}

// RootPassword is the password of root@pam in a cluster made by ClusterWithRoot.
const RootPassword = "simulated-root"

// RootProvider is the provider block of a session of root@pam, for what no token
// may set. The cluster needs RootPassword in its options.
func RootProvider(s *pvesim.Server, extra ...string) string {
	return fmt.Sprintf("provider \"proxmox\" {\n  endpoint = %q\n  username = \"root@pam\"\n  password = %q\n  %s\n}\n", s.URL(), RootPassword, strings.Join(extra, "\n  "))
}
