package pve_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

const testToken = "tf@pve!plan=11111111-2222-3333-4444-555555555555"

// step is one request that a test expects and the answer to it. The request is
// "METHOD /path?query" below /api2/json, as it is on the wire. The body is compared
// after "&" was turned into line feeds. The answer is a status line without the
// protocol, then, after a line feed, the body; "drop" closes the connection instead
// and "torn" does so in the middle of the answer.
type step struct {
	request string
	body    string
	answer  string
	header  func(http.Header) string // complains about the request's headers
}

// script is a server that knows what it will be asked, in this order. It writes
// status lines of its own, since Proxmox's carry the message.
type script struct {
	*httptest.Server
	mu    sync.Mutex
	steps []step
	seen  int
	wrong []string
}

func newScript(t *testing.T, steps ...step) *script {
	t.Helper()
	s := &script{steps: steps}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(func() {
		s.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, w := range s.wrong {
			t.Error(w)
		}
		if s.seen < len(s.steps) && !t.Failed() {
			t.Errorf("%d of %d requests were made; missing: %s", s.seen, len(s.steps), s.steps[s.seen].request)
		}
	})
	return s
}

func (s *script) handle(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	got := r.Method + " " + strings.TrimPrefix(r.URL.RequestURI(), "/api2/json")
	s.mu.Lock()
	st := step{answer: "500 the test expects no further request"}
	if s.seen < len(s.steps) {
		st = s.steps[s.seen]
	}
	s.seen++
	if got != st.request {
		s.wrong = append(s.wrong, fmt.Sprintf("request %d is\n  %s, expected\n  %s", s.seen, got, st.request))
	} else if lines := strings.ReplaceAll(string(body), "&", "\n"); lines != st.body {
		s.wrong = append(s.wrong, fmt.Sprintf("the body of %s is\n%s\nexpected\n%s", got, lines, st.body))
	}
	if st.header != nil {
		if complaint := st.header(r.Header); complaint != "" {
			s.wrong = append(s.wrong, got+": "+complaint)
		}
	}
	s.mu.Unlock()
	answer(w, st.answer)
}

func answer(w http.ResponseWriter, text string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	switch text {
	case "drop":
		return
	case "torn":
		_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"data\":"))
		return
	}
	status, body, _ := strings.Cut(text, "\n")
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: application/json;charset=UTF-8\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
}

// fakeClock does not wait; it notes for how long it should have.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	slept  []time.Duration
	onNext func(n int) // called before each sleep with its number from 1
}

func newClock() *fakeClock {
	return &fakeClock{now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	c.slept = append(c.slept, d)
	c.now = c.now.Add(d)
	n, hook := len(c.slept), c.onNext
	c.mu.Unlock()
	if hook != nil {
		hook(n)
	}
	return ctx.Err()
}

func (c *fakeClock) sleeps() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.slept)
}

// client is a client of a scripted server with a token and a clock that does not wait.
func (s *script) client(t *testing.T, change ...func(*pve.Options)) *pve.Client {
	t.Helper()
	o := pve.Options{Endpoints: []string{s.URL}, APIToken: testToken, Clock: newClock()}
	for _, f := range change {
		f(&o)
	}
	c, err := pve.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// refused is an address that nothing listens on.
func refused(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.String()
}

func data(json string) string { return "200 OK\n" + `{"data":` + json + `}` }
