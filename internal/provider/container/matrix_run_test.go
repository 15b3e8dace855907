package container_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// cell is one run of the matrix: an operation, one of its steps, one fault.
type cell struct {
	t     *testing.T
	op    operation
	step  step
	fault string

	sim   *pvesim.Server
	cli   *acctest.Killable
	front *front
	hit   bool
	story strings.Builder
}

// base is a state to start from: the folder of the cluster and the state file.
type base struct {
	folder, state string
}

func newBase(t *testing.T, existing *kind) base {
	t.Helper()
	b := base{folder: t.TempDir()}
	for name, text := range clusterFiles {
		path := filepath.Join(b.folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if existing == nil {
		return b
	}
	sim := startCluster(t, b.folder)
	cli := acctest.NewCLI(t)
	cli.Config(acctest.Provider(sim) + existing.config)
	cli.Must("apply", "-auto-approve")
	text, err := os.ReadFile(filepath.Join(cli.Dir, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	b.state = string(text)
	sim.Close()
	return b
}

func startCluster(t *testing.T, folder string) *pvesim.Server {
	t.Helper()
	return acctest.Cluster(t, pvesim.Options{Dir: folder, Nodes: []string{"pve1"}, Tokens: map[string]string{"root@pam!tf": "00000000-0000-4000-8000-000000000000"}})
}

// run goes through one cell and returns how it ended: "declared", "record"
// (signed, then declared), "unlocked" (the same after pct unlock) or "imported"
// (then declared); an error is a red cell.
func (c *cell) run(b base) (string, error) {
	folder := c.t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(b.folder)); err != nil {
		return "", err
	}
	c.sim = startCluster(c.t, folder)
	c.cli = acctest.NewCLI(c.t).Killable()
	if b.state != "" {
		c.cli.Write("terraform.tfstate", b.state)
	}
	c.front = newFront(c.t, c.sim)
	before := c.sim.Volumes("pve1")
	bystander, _ := c.sim.ReadFile(bystanderFile)
	template, _ := c.sim.ReadFile(templateFile)

	c.arm()
	c.configure(c.op.config)
	c.command("fault", c.apply()...)
	c.settle()
	if !c.reached() {
		return "", fmt.Errorf("the step was not reached")
	}
	c.configure(strings.ReplaceAll(c.op.config, `"4s"`, `"60s"`))
	end, err := c.rerun()
	if err != nil {
		return "", err
	}
	return end, c.unharmed(before, bystander, template)
}

func (c *cell) configure(text string) {
	if c.fault == faultEndless {
		text = strings.ReplaceAll(text, `"60s"`, `"4s"`)
	}
	c.cli.Config(strings.Replace(acctest.Provider(c.sim), c.sim.URL(), c.front.url, 1) + text)
}

func (c *cell) apply() []string {
	args := []string{"apply", "-auto-approve"}
	if c.op.destroy {
		args = append(args, "-destroy")
	}
	return args
}

func (c *cell) command(what string, args ...string) acctest.Result {
	r := c.cli.Run(args...)
	fmt.Fprintf(&c.story, "--- %s: %s ended with %d\n%s\n", what, strings.Join(args, " "), r.Code, r.Out)
	return r
}

// arm prepares the fault.
func (c *cell) arm() {
	m, p := c.step.method, c.step.path
	mark := func() { c.hit = true }
	switch c.fault {
	case faultRefused:
		c.front.goneAt(m, p, mark)
		return
	case faultDropped:
		c.sim.DropConnection(m, p, false)
	case faultLost:
		c.sim.DropConnection(m, p, true)
	case faultLockout:
		for range 2 {
			c.sim.FailNext(m, p, pvesim.Fault{Status: 500, Message: "can't lock file '/var/lock/qemu-server/lock-5001.conf' - got timeout"})
		}
	case faultOffline:
		c.sim.FailNext(m, p, pvesim.Fault{Status: 595, Message: "No route to host"})
	case faultSlow:
		c.sim.FailNext(m, p, pvesim.Fault{Status: 596, Message: "Connection timed out", After: true})
	case faultFails:
		c.sim.FailTask(c.step.task, "command failed: exit code 1")
	case faultDies:
		c.sim.KillTask(c.step.task)
	case faultEndless:
		c.sim.HoldTasks(c.step.task)
	case faultKilledWait:
		c.sim.HoldTasks(c.step.task)
		c.sim.Hook("GET", "/nodes/pve1/tasks/UPID:*:"+c.step.task+":*/status", c.kill)
	}
	c.sim.Hook(m, p, func() {
		mark()
		if c.fault == faultKilled {
			c.kill()
		}
	})
}

func (c *cell) kill() {
	if err := c.cli.Kill(); err != nil {
		c.t.Error(err)
	}
}

// settle lets everything come to its end that goes on without the provider.
func (c *cell) settle() {
	c.front.back()
	c.sim.ReleaseTasks()
	c.sim.WaitTasks()
}

// reached reports whether the fault struck: the request came, and the task that
// was to suffer was started.
func (c *cell) reached() bool {
	if !c.hit || !slices.Contains(taskFaults, c.fault) {
		return c.hit
	}
	rows, err := c.client().Tasks(c.t.Context(), "pve1", pve.TaskFilter{Type: c.step.task})
	return err == nil && len(rows) > 0
}

func (c *cell) client() *pve.Client {
	client, err := pve.New(pve.Options{Endpoints: []string{c.sim.URL()}, APIToken: c.sim.Token()})
	if err != nil {
		c.t.Fatal(err)
	}
	return client
}

var acknowledgement = regexp.MustCompile(`acknowledge\s*=\s*\["([^"]+)"\]`)

// rerun does what a human does: apply again, twice at most, sign a record that
// is open, import what a killed provider could not put into state.
func (c *cell) rerun() (string, error) {
	end := "declared"
	for range 2 {
		r := c.command("again", c.apply()...)
		if r.Code == 0 {
			return end, c.declared(strings.Contains(r.Out, "No changes."))
		}
		if m := acknowledgement.FindStringSubmatch(strings.Join(strings.Fields(r.Out), " ")); m != nil {
			if err := c.truthful(); err != nil {
				return "", err
			}
			end = "record"
			c.cli.Setenv("PROXMOX_VE_ACKNOWLEDGE", m[1])
			if text, _ := c.sim.ReadFile(c.op.kind.file()); strings.Contains(text, "lock:") {
				// Whoever signs has looked, and found the lock of a task that is dead.
				end = "unlocked"
				c.sim.Lock(5001, "")
			}
		}
		if strings.Contains(r.Out, "terraform import") && strings.Contains(r.Out, "VMID 5001 is taken") {
			end = "imported"
			if r := c.command("import", "import", c.op.kind.address(), "5001"); r.Code != 0 {
				return "", fmt.Errorf("the import failed")
			}
		}
	}
	if err := c.declared(false); err == nil {
		return end, nil
	}
	return "", fmt.Errorf("neither the declared state nor an open record after two more runs")
}

// declared is an error unless the end state is the one of the configuration;
// quiet says that a plan has just said so.
func (c *cell) declared(quiet bool) error {
	text, there := c.sim.ReadFile(c.op.kind.file())
	if c.op.destroy {
		if there {
			return fmt.Errorf("the guest is still there")
		}
		return nil
	}
	if !quiet && c.command("declared?", "plan", "-detailed-exitcode").Code != 0 {
		return fmt.Errorf("a further plan is not empty")
	}
	if !there || strings.Contains(text, "lock:") {
		return fmt.Errorf("the guest is not whole: %s", text)
	}
	return nil
}

// truthful is an error if the open record says something else about the
// guest's existence than what is so.
func (c *cell) truthful() error {
	r := c.cli.Run("show", "-json")
	var state struct {
		Values struct {
			Root struct {
				Resources []struct {
					Values struct {
						Reconcile *struct {
							Exists *bool `json:"exists"`
						} `json:"reconcile"`
					} `json:"values"`
				} `json:"resources"`
			} `json:"root_module"`
		} `json:"values"`
	}
	if at := strings.Index(r.Out, "{"); at < 0 || json.Unmarshal([]byte(r.Out[at:]), &state) != nil {
		return fmt.Errorf("the state cannot be read: %s", r.Out)
	}
	_, there := c.sim.ReadFile(c.op.kind.file())
	for _, one := range state.Values.Root.Resources {
		// The record was written while the operation died; what went on without
		// it can only have made or ended the guest since, which is why nothing
		// but "it does not exist" may be held against it.
		if rec := one.Values.Reconcile; rec != nil && rec.Exists != nil && !*rec.Exists && there {
			return fmt.Errorf("the record says that the guest does not exist, and it does")
		}
	}
	return nil
}

// unharmed is an error if anything is gone or was written to that this
// configuration does not own.
func (c *cell) unharmed(before []string, bystander, template string) error {
	ends := c.op.destroy || c.op.name == "reinstall"
	now := c.sim.Volumes("pve1")
	for _, id := range before {
		if erased := ends && strings.Contains(id, ":vm-5001-"); !erased && !slices.Contains(now, id) {
			return fmt.Errorf("the volume %s is gone", id)
		}
	}
	for file, was := range map[string]string{bystanderFile: bystander, templateFile: template} {
		if text, _ := c.sim.ReadFile(file); text != was {
			return fmt.Errorf("%s was written to", file)
		}
	}
	for _, r := range c.sim.Requests() {
		if r.Method == http.MethodGet || r.Path == "/access/ticket" {
			continue
		}
		own := strings.HasPrefix(r.Path, c.op.kind.self()) || r.Path == "/pools" && r.Params.Get("vms") == "5001" ||
			r.Path == "/nodes/pve1/lxc" && r.Params.Get("vmid") == "5001" || r.Path == "/nodes/pve1/qemu/9000/clone" && r.Params.Get("newid") == "5001"
		if !own || r.Params.Get("purge") == "1" || r.Params.Get("force") == "1" || r.Params.Get("destroy-unreferenced-disks") == "1" {
			return fmt.Errorf("%s %s %v", r.Method, r.Path, slices.Sorted(maps.Keys(r.Params)))
		}
	}
	return nil
}

// front stands before the cluster and can go away.
type front struct {
	t       *testing.T
	url     string
	address string
	server  *http.Server
	handler http.Handler
	gone    bool

	method, path string
	mark         func()
}

func newFront(t *testing.T, sim *pvesim.Server) *front {
	t.Helper()
	target, err := url.Parse(sim.URL())
	if err != nil {
		t.Fatal(err)
	}
	f := &front{t: t, address: "127.0.0.1:0"}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { reset(w) }
	f.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.mark != nil && r.Method == f.method && r.URL.Path == "/api2/json"+f.path {
			f.mark()
			f.mark, f.gone = nil, true
			reset(w)
			go func() { _ = f.server.Close() }()
			return
		}
		proxy.ServeHTTP(w, r)
	})
	f.listen()
	t.Cleanup(func() { _ = f.server.Close() })
	return f
}

func (f *front) listen() {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", f.address)
	if err != nil {
		f.t.Fatal(err)
	}
	f.address = l.Addr().String()
	f.url = "http://" + f.address
	f.server = &http.Server{Handler: f.handler} //nolint:gosec // a test talks to itself
	go func() { _ = f.server.Serve(l) }()
}

// goneAt lets the front go away when a request comes.
func (f *front) goneAt(method, path string, mark func()) {
	f.method, f.path, f.mark = method, path, mark
}

// back lets it listen again.
func (f *front) back() {
	if f.gone {
		_ = f.server.Close()
		f.gone = false
		f.listen()
	}
}

// reset closes the connection of a request without an answer.
func reset(w http.ResponseWriter) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		_ = conn.Close()
	}
}
