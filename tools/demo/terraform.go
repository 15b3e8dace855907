package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// terraform runs Terraform or OpenTofu in a folder of its own, with the provider
// of bin/ in place of a released one.
type terraform struct {
	cli, folder string
	environment []string
}

func newTerraform(cli, folder, endpoint string) (*terraform, error) {
	if cli == "" {
		return nil, errors.New("neither terraform nor tofu is known: set CLI")
	}
	if err := os.CopyFS(folder, os.DirFS("examples/demo/configuration")); err != nil {
		return nil, err
	}
	bin, err := filepath.Abs("bin")
	if err != nil {
		return nil, err
	}
	// Keyed without a host, so that Terraform and OpenTofu both take it for their own default registry.
	settings := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"proxmox-guests/proxmox\" = %q\n  }\n  direct {}\n}\n", bin)
	file := filepath.Join(folder, "cli.tfrc")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		return nil, err
	}
	return &terraform{cli: cli, folder: folder, environment: append(os.Environ(),
		"TF_CLI_CONFIG_FILE="+file,
		"TF_IN_AUTOMATION=1",
		"CHECKPOINT_DISABLE=1",
		"PROXMOX_VE_ENDPOINT="+endpoint,
		"PROXMOX_VE_USERNAME=root@pam",
		"PROXMOX_VE_PASSWORD="+rootPassword,
	)}, nil
}

func (t *terraform) run(ctx context.Context, arguments ...string) error {
	_, err := t.output(ctx, arguments...)
	return err
}

// output runs a command, shows what it prints and returns it.
func (t *terraform) output(ctx context.Context, arguments ...string) (string, error) {
	var printed bytes.Buffer
	command := exec.CommandContext(ctx, t.cli, append(arguments, "-no-color")...)
	command.Dir, command.Env = t.folder, t.environment
	command.Stdout = io.MultiWriter(os.Stdout, &printed)
	command.Stderr = os.Stderr
	// A saved plan takes no further options after its name.
	if arguments[0] == "apply" && len(arguments) == 2 && arguments[1][0] != '-' {
		command.Args = []string{t.cli, "apply", "-no-color", arguments[1]}
	}
	if err := command.Run(); err != nil {
		return printed.String(), fmt.Errorf("%s %s: %w", filepath.Base(t.cli), arguments[0], err)
	}
	return printed.String(), nil
}
