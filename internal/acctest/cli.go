package acctest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// CLI is a folder with a configuration and a real Terraform or OpenTofu that
// runs the provider as a program of its own: for what plans print, and for
// providers that die.
type CLI struct {
	t   *testing.T
	Dir string
	env []string
}

// Result is what a command printed and how it ended.
type Result struct {
	Out  string // standard output and error, in their order
	Code int
}

// NewCLI prepares a folder. The test is skipped when there is no CLI at all.
func NewCLI(t *testing.T) *CLI {
	t.Helper()
	if command == "" {
		t.Skip("there is neither terraform nor tofu on PATH, and no .tools/tofu: run make tools")
	}
	c := &CLI{t: t, Dir: t.TempDir()}
	rc := filepath.Join(c.Dir, "cli.tfrc")
	c.Write("cli.tfrc", "provider_installation {\n  dev_overrides {\n    \"proxmox-guests/proxmox\" = \""+binary(t)+"\"\n  }\n  direct {}\n}\n")
	c.env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+rc, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1", "TF_LOG=")
	return c
}

// Write puts a file into the folder.
func (c *CLI) Write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.Dir, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// Config is the configuration of the folder: the provider's source and what is
// given.
func (c *CLI) Config(text string) {
	c.t.Helper()
	c.Write("main.tf", "terraform {\n  required_providers {\n    proxmox = { source = \"proxmox-guests/proxmox\" }\n  }\n}\n\n"+text)
}

// Setenv sets a variable for the commands that follow.
func (c *CLI) Setenv(name, value string) { c.env = append(c.env, name+"="+value) }

// Run runs a command without asking whether it ended well.
func (c *CLI) Run(args ...string) Result {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 3*time.Minute)
	defer cancel()
	if args[0] != "show" && args[0] != "state" {
		args = append([]string{args[0], "-no-color"}, args[1:]...)
	}
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir, cmd.Env = c.Dir, c.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return Result{Out: tidy(out.String()), Code: exit.ExitCode()}
	}
	if err != nil {
		c.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out.String())
	}
	return Result{Out: tidy(out.String())}
}

// Must runs a command that has to end well.
func (c *CLI) Must(args ...string) string {
	c.t.Helper()
	r := c.Run(args...)
	if r.Code != 0 {
		c.t.Fatalf("%s ended with %d:\n%s", strings.Join(args, " "), r.Code, r.Out)
	}
	return r.Out
}

// Tofu reports whether the CLI is OpenTofu.
func Tofu() bool { return strings.HasPrefix(filepath.Base(command), "tofu") }

// overrides is the warning that a development build of the provider is used.
var overrides = regexp.MustCompile(`(?s)Warning: Provider development overrides are in effect\n.*?releases\.\n`)

func tidy(out string) string { return strings.TrimLeft(overrides.ReplaceAllString(out, ""), "\n") }

var build struct {
	once sync.Once
	dir  string
	err  error
}

// binary is the folder of the provider's program, built once for all tests of a
// process.
func binary(t *testing.T) string {
	t.Helper()
	build.once.Do(func() {
		_, here, _, _ := runtime.Caller(0)
		root := filepath.Join(filepath.Dir(here), "..", "..")
		if build.dir, build.err = os.MkdirTemp("", "proxmox-provider-"); build.err != nil {
			return
		}
		cmd := exec.CommandContext(context.Background(), "go", "build", "-o", filepath.Join(build.dir, "terraform-provider-proxmox"), ".")
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			build.err = errors.New(string(out))
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return build.dir
}
