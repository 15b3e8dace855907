package pvesim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

const template = "local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst"

// client asks a simulated cluster as one identity.
type client struct {
	t     *testing.T
	sim   *pvesim.Server
	token string
}

// answer is what came back.
type answer struct {
	Status  int
	Reason  string
	Data    json.RawMessage   `json:"data"`
	Errors  map[string]string `json:"errors"`
	Message string            `json:"message"`
}

func (a answer) text() string {
	var s string
	_ = json.Unmarshal(a.Data, &s)
	return s
}

func start(t *testing.T, opts pvesim.Options) *client {
	t.Helper()
	sim, err := pvesim.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	return &client{t, sim, sim.Token()}
}

// send makes a request; fields are "key=value".
func (c *client) send(method, path string, fields ...string) (answer, error) {
	form := url.Values{}
	for _, f := range fields {
		key, value, _ := strings.Cut(f, "=")
		form.Add(key, value)
	}
	target := c.sim.URL() + "/api2/json" + path
	var body io.Reader
	if method == http.MethodGet || method == http.MethodDelete {
		target += "?" + form.Encode()
	} else {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequest(method, target, body)
	if err != nil {
		return answer{}, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "PVEAPIToken="+c.token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{}, err
	}
	out := answer{Status: resp.StatusCode, Reason: strings.TrimPrefix(resp.Status, resp.Status[:4])}
	if strings.HasPrefix(string(text), "{") {
		err = json.Unmarshal(text, &out)
	}
	return out, err
}

// must makes a request that has to succeed.
func (c *client) must(method, path string, fields ...string) answer {
	c.t.Helper()
	a, err := c.send(method, path, fields...)
	if err != nil || a.Status != 200 {
		c.t.Fatalf("%s %s: %d %s %v %v", method, path, a.Status, a.Reason, a.Errors, err)
	}
	return a
}

// refused makes a request that has to be answered with this status line.
func (c *client) refused(line, method, path string, fields ...string) answer {
	c.t.Helper()
	a, err := c.send(method, path, fields...)
	if got := itoa(a.Status) + " " + a.Reason; err != nil || got != line {
		c.t.Errorf("%s %s: got %q %v, want %q", method, path, got, err, line)
	}
	return a
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// exit waits for the task of an answer and returns its exit status.
func (c *client) exit(a answer) string {
	c.t.Helper()
	upid := a.text()
	node := strings.Split(upid, ":")[1]
	for range 500 {
		var status struct{ Status, Exitstatus string }
		a := c.must("GET", "/nodes/"+node+"/tasks/"+url.PathEscape(upid)+"/status")
		if err := json.Unmarshal(a.Data, &status); err != nil {
			c.t.Fatal(err)
		}
		if status.Status == "stopped" {
			return status.Exitstatus
		}
		<-time.After(time.Millisecond)
	}
	c.t.Fatalf("%s does not end", upid)
	return ""
}

// create makes a container and waits for it.
func (c *client) create(vmid string, fields ...string) {
	c.t.Helper()
	fields = append([]string{"vmid=" + vmid, "ostemplate=" + template, "storage=local-lvm"}, fields...)
	if exit := c.exit(c.must("POST", "/nodes/pve1/lxc", fields...)); exit != "OK" {
		c.t.Fatalf("create %s: %s", vmid, exit)
	}
}

func (c *client) config(vmid string) map[string]any {
	c.t.Helper()
	var out map[string]any
	if err := json.Unmarshal(c.must("GET", "/nodes/pve1/lxc/"+vmid+"/config").Data, &out); err != nil {
		c.t.Fatal(err)
	}
	return out
}

// withCookie asks for the version with a ticket and returns the status.
func withCookie(t *testing.T, c *client, ticket string) int {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, c.sim.URL()+"/api2/json/version", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Cookie", "PVEAuthCookie="+url.QueryEscape(ticket))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}
