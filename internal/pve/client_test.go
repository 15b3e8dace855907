package pve_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"net/http/httptest"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

const versionAnswer = "200 OK\n" + `{"data":{"release":"9.2","repoid":"14a22df3aabbccdd","version":"9.2.11"}}`

var ct100 = guest.Ref{Node: "pve1", Kind: guest.LXC, VMID: 100}

func TestVersionIdentifiesWithTheToken(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{request: "GET /version", answer: versionAnswer, header: func(h http.Header) string {
		if got := h.Get("Authorization"); got != "PVEAPIToken="+testToken {
			return "Authorization is " + got
		}
		if h.Get("CSRFPreventionToken") != "" || h.Get("Cookie") != "" {
			return "a ticket is sent beside the token"
		}
		return ""
	}})
	v, err := s.client(t).Version(t.Context())
	if err != nil || v.Version != "9.2.11" || v.Release != "9.2" {
		t.Errorf("Version = %+v, %v", v, err)
	}
}

func TestFormValuesAreEncodedFully(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{
		request: "PUT /nodes/pve1/lxc/100/config",
		body: "description=a%20b%2Bc%0A%25%C3%A4\n" +
			"digest=0123\n" +
			"net0=name%3Deth0%2Cbridge%3Dvmbr0\n" +
			"tags=a%3Bb",
		answer: data("null"),
	})
	err := s.client(t).UpdateConfig(t.Context(), ct100, pve.ConfigChange{
		Set:    map[string]string{"net0": "name=eth0,bridge=vmbr0", "tags": "a;b", "description": "a b+c\n%ä"},
		Digest: "0123",
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWhatIsSentAgain(t *testing.T) {
	t.Parallel()
	const status = "GET /nodes/pve1/lxc/100/status/current"
	const start = "POST /nodes/pve1/lxc/100/status/start"
	upid := `"UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzstart:100:tf@pve!plan:"`
	running := data(`{"vmid":100,"status":"running"}`)
	locked := "500 can't lock file '/run/lock/lxc/pve-config-100.lock' - got timeout\n" +
		`{"data":null,"message":"can't lock file '/run/lock/lxc/pve-config-100.lock' - got timeout\n"}`
	read := func(ctx context.Context, c *pve.Client) error { _, err := c.Status(ctx, ct100); return err }
	write := func(ctx context.Context, c *pve.Client) error { _, err := c.Start(ctx, ct100); return err }
	for name, tc := range map[string]struct {
		call  func(context.Context, *pve.Client) error
		steps []step
		want  error
	}{
		"a read whose answer was lost": {read, []step{
			{request: status, answer: "drop"}, {request: status, answer: running}}, nil},
		"a read while the node does not answer": {read, []step{
			{request: status, answer: "595 Connection refused\n"}, {request: status, answer: "596 Broken pipe\n"}, {request: status, answer: running}}, nil},
		"a read, but not for ever": {read, []step{
			{request: status, answer: "595 No route to host\n"}, {request: status, answer: "595 No route to host\n"},
			{request: status, answer: "595 No route to host\n"}, {request: status, answer: "595 No route to host\n"}}, pve.ErrUnreachable},
		"a write that could not get the lock": {write, []step{
			{request: start, answer: locked}, {request: start, answer: locked}, {request: start, answer: data(upid)}}, nil},
		"never a write whose answer was lost": {write, []step{
			{request: start, answer: "drop"}}, pve.ErrAmbiguous},
		"never a write that the proxy lost": {write, []step{
			{request: start, answer: "596 Connection timed out\n"}}, pve.ErrAmbiguous},
		"never a write whose answer broke off": {write, []step{
			{request: start, answer: "torn"}}, pve.ErrAmbiguous},
		"never a write to a node that is down": {write, []step{
			{request: start, answer: "595 No route to host\n"}}, pve.ErrUnreachable},
		"never an error of Proxmox": {read, []step{
			{request: status, answer: "500 Configuration file 'nodes/pve1/lxc/100.conf' does not exist\n"}}, pve.ErrNotFound},
		"never a refused token": {read, []step{
			{request: status, answer: "401 Authentication failed!\n"}}, pve.ErrUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t, tc.steps...)
			if err := tc.call(t.Context(), s.client(t)); !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}

func TestAConfigUpdateIsRepeatedBehindTheGuestsOwnLock(t *testing.T) {
	t.Parallel()
	again := step{request: "PUT /nodes/pve1/lxc/100/config", body: "cores=2"}
	first := again
	first.answer, again.answer = "500 can't lock file '/run/lock/lxc/pve-config-100.lock' - got timeout\n", data("null")
	s := newScript(t, first, again)
	if err := s.client(t).UpdateConfig(t.Context(), ct100, pve.ConfigChange{Set: map[string]string{"cores": "2"}}); err != nil {
		t.Error(err)
	}
}

// An update of a configuration may allocate volumes one after the other: when the
// lock of a storage was not free, the first ones may be there already.
func TestAConfigUpdateIsNotRepeatedBehindALock(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{
		request: "PUT /nodes/pve1/lxc/100/config",
		body:    "mp0=local%3A1%2Cmp%3D%2Fa\nmp1=local%3A1%2Cmp%3D%2Fb",
		answer:  "500 can't lock file '/var/lock/pve-manager/pve-storage-local' - got timeout\n",
	})
	err := s.client(t).UpdateConfig(t.Context(), ct100, pve.ConfigChange{
		Set: map[string]string{"mp0": "local:1,mp=/a", "mp1": "local:1,mp=/b"}})
	if !errors.Is(err, pve.ErrLockTimeout) {
		t.Errorf("got %v, want ErrLockTimeout", err)
	}
}

func TestTheNextEndpointIsTriedAndKept(t *testing.T) {
	t.Parallel()
	s := newScript(t,
		step{request: "POST /nodes/pve1/lxc/100/status/start", answer: data(`"UPID:pve1:000006B9:0004EDCE:6B0C11A8:vzstart:100:tf@pve!plan:"`)},
		step{request: "GET /version", answer: versionAnswer})
	down := refused(t)
	clock := newClock()
	c := s.client(t, func(o *pve.Options) {
		o.Endpoints = []string{down, down, s.URL}
		o.Clock = clock
	})
	// A request that never reached a server may be sent to another, whatever it is.
	if _, err := c.Start(t.Context(), ct100); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Version(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := clock.sleeps(); len(got) != 0 {
		t.Errorf("waited %v before an endpoint that had not been tried", got)
	}
}

func TestAllEndpointsDown(t *testing.T) {
	t.Parallel()
	c, err := pve.New(pve.Options{Endpoints: []string{refused(t), refused(t)}, APIToken: testToken, Clock: newClock()})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Start(t.Context(), ct100)
	if !errors.Is(err, pve.ErrUnreachable) || errors.Is(err, pve.ErrAmbiguous) {
		t.Errorf("got %v, want ErrUnreachable", err)
	}
	if !strings.HasPrefix(err.Error(), "POST /nodes/pve1/lxc/100/status/start: ") {
		t.Errorf("the error does not name the call: %v", err)
	}
}

func TestRequestTimeoutOfAWriteIsAmbiguous(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	defer s.Close()
	defer close(stop)
	c, err := pve.New(pve.Options{Endpoints: []string{s.URL}, APIToken: testToken, RequestTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Start(t.Context(), ct100)
	if want := "POST /nodes/pve1/lxc/100/status/start: there was no answer within 50ms"; !errors.Is(err, pve.ErrAmbiguous) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestACancelledWriteIsAmbiguousAndNotNil(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { cancel(); <-stop }))
	defer s.Close()
	defer close(stop)
	c, err := pve.New(pve.Options{Endpoints: []string{s.URL}, APIToken: testToken})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.Start(ctx, ct100); !errors.Is(err, pve.ErrAmbiguous) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want ErrAmbiguous and context.Canceled", err)
	}
}

func TestSecretsAreNeitherLoggedNorInErrors(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{
		request: "POST /nodes/pve1/lxc",
		body:    "ostemplate=x\npassword=hunter2hunter2\nvmid=100",
		answer: "400 Parameter verification failed.\n" +
			`{"data":null,"errors":{"password":"got 'hunter2hunter2' and 11111111-2222-3333-4444-555555555555"},"message":"Parameter verification failed: hunter2hunter2\n"}`,
	})
	var log bytes.Buffer
	c := s.client(t, func(o *pve.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	_, err := c.CreateContainer(t.Context(), "pve1", pve.Params{"vmid": "100", "ostemplate": "x", "password": "hunter2hunter2"})
	const want = "POST /nodes/pve1/lxc: 400 Parameter verification failed: <hidden>; password: got '<hidden>' and <hidden>"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, secret := range []string{"hunter2", "11111111-2222"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has the secret %s:\n%s", secret, &log)
		}
	}
	for _, part := range []string{"method=POST", "path=/nodes/pve1/lxc", "status=400", "parameters=\"[ostemplate password vmid]\""} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("the log lacks %s:\n%s", part, &log)
		}
	}
}

func TestAnAnswerThatIsNotFromProxmox(t *testing.T) {
	t.Parallel()
	s := newScript(t, step{request: "GET /version", answer: "200 OK\n<html>hello</html>"})
	_, err := s.client(t).Version(t.Context())
	const want = "GET /version: 200 the answer is not JSON as Proxmox VE gives it; is this the address of a Proxmox VE node?"
	if !errors.Is(err, pve.ErrProtocol) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
