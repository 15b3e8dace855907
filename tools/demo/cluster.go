package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
)

// rootPassword is the simulated root@pam's.
const rootPassword = "demo-only"

// cluster is a running bin/pvesim.
type cluster struct {
	endpoint string
	process  *exec.Cmd
}

// startCluster copies the example cluster into folder and serves it on a free port.
func startCluster(ctx context.Context, folder string) (*cluster, error) {
	if err := os.CopyFS(folder, os.DirFS("examples/demo/cluster")); err != nil {
		return nil, err
	}
	process := exec.CommandContext(ctx, "bin/pvesim", "--dir", folder, "--listen", "127.0.0.1:0", "--root-password", rootPassword)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	c := &cluster{process: process}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if endpoint, ok := strings.CutPrefix(lines.Text(), "endpoint"); ok {
			c.endpoint = strings.TrimSpace(endpoint)
			return c, nil
		}
	}
	c.stop()
	return nil, errors.New("the simulator ended without saying where it listens")
}

func (c *cluster) stop() {
	_ = c.process.Process.Kill()
	_ = c.process.Wait()
}

// attachByHand does what an operator does in the web interface: one more mount
// point, which the configuration does not know.
func (c *cluster) attachByHand(ctx context.Context) error {
	var login struct{ Ticket, CSRFPreventionToken string }
	err := c.call(ctx, http.MethodPost, "/access/ticket", url.Values{"username": {"root@pam"}, "password": {rootPassword}}, nil, &login)
	if err != nil {
		return err
	}
	fmt.Println("PUT /nodes/pve1/lxc/5001/config  mp9=local-lvm:16,mp=/srv/scratch")
	session := http.Header{
		"Cookie":              {"PVEAuthCookie=" + url.QueryEscape(login.Ticket)},
		"CSRFPreventionToken": {login.CSRFPreventionToken},
	}
	return c.call(ctx, http.MethodPut, "/nodes/pve1/lxc/5001/config", url.Values{"mp9": {"local-lvm:16,mp=/srv/scratch"}}, session, nil)
}

func (c *cluster) call(ctx context.Context, method, path string, form url.Values, header http.Header, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.endpoint+"/api2/json"+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, answer.Status)
	}
	return json.Unmarshal(body, &struct {
		Data any `json:"data"`
	}{into})
}
