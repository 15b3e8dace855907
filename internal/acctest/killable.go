package acctest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Killable is a CLI whose provider can be killed while a command runs.
type Killable struct {
	*CLI
	pid string // file with the process id of the provider that started last
}

// Killable lets the provider be started through a script that writes down its
// process id.
func (c *CLI) Killable() *Killable {
	c.t.Helper()
	k := &Killable{CLI: c, pid: filepath.Join(c.Dir, "provider.pid")}
	folder := filepath.Join(c.Dir, "plugin")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		c.t.Fatal(err)
	}
	script := "#!/bin/sh\necho $$ > '" + k.pid + "'\nexec '" + filepath.Join(binary(c.t), "terraform-provider-proxmox") + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(folder, "terraform-provider-proxmox"), []byte(script), 0o755); err != nil { //nolint:gosec // it has to be executable
		c.t.Fatal(err)
	}
	c.Write("cli.tfrc", "provider_installation {\n  dev_overrides {\n    \"proxmox-guests/proxmox\" = \""+folder+"\"\n  }\n  direct {}\n}\n")
	return k
}

// Kill kills the provider that started last, with SIGKILL.
func (k *Killable) Kill() error {
	text, err := os.ReadFile(k.pid)
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}
