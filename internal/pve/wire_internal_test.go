package pve

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestParallelRequestsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Options{Endpoints: []string{"http://pve1"}, APIToken: "a@pve!b=c", MaxParallel: 2})
		if err != nil {
			t.Fatal(err)
		}
		var now atomic.Int64
		release := make(chan struct{})
		c.http.HTTPClient.Transport = &wire{
			inner: roundTripper(func(*http.Request) (*http.Response, error) {
				now.Add(1)
				<-release
				now.Add(-1)
				return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"data":{}}`))}, nil
			}),
			slots:   make(chan struct{}, 2),
			timeout: time.Minute,
			log:     slog.New(slog.DiscardHandler),
			clock:   systemClock{},
		}
		finished := make(chan error, 5)
		for range 5 {
			go func() { _, err := c.Version(t.Context()); finished <- err }()
		}
		synctest.Wait()
		if now.Load() != 2 {
			t.Errorf("%d requests run at a time, want 2", now.Load())
		}
		close(release)
		for range 5 {
			if err := <-finished; err != nil {
				t.Error(err)
			}
		}
	})
}

// A node closes idle connections after 5 s; a request written into one that is about
// to close would be lost.
func TestIdleConnectionsCloseBeforeTheServers(t *testing.T) {
	t.Parallel()
	transport, err := newTransport(Options{MaxParallel: 3})
	if err != nil {
		t.Fatal(err)
	}
	if transport.IdleConnTimeout <= 0 || transport.IdleConnTimeout >= 5*time.Second || transport.MaxIdleConnsPerHost != 3 {
		t.Errorf("idle connections: %d for %s", transport.MaxIdleConnsPerHost, transport.IdleConnTimeout)
	}
}

func TestBackoffGrowsToItsLimitAndIsSpread(t *testing.T) {
	t.Parallel()
	for attempt, want := range []time.Duration{100, 200, 400, 800, 1600, 2000, 2000} {
		want *= time.Millisecond
		for range 100 {
			if d := backoff(100*time.Millisecond, 2*time.Second, attempt); d < want*3/4 || d > want*5/4 {
				t.Fatalf("attempt %d pauses %s, want about %s", attempt, d, want)
			}
		}
	}
	if d := backoff(time.Second, time.Minute, 1000); d > 75*time.Second || d < 45*time.Second {
		t.Errorf("a late attempt pauses %s", d)
	}
}
