package pve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"
)

// maxAnswer bounds the body of one answer in bytes; lists of a large cluster have
// a few MB.
const maxAnswer = 256 << 20

// exchange is what happened to one call so far, over all of its attempts. It is
// carried in the context, since the transport is called by the retrying client.
type exchange struct {
	request   *request
	started   time.Time // of the attempt, by the client's clock
	sent      bool      // the last attempt wrote a whole request header
	tries     int       // attempts finished
	endpoint  int       // index of the endpoint that the last attempt used
	connects  int       // attempts that could not connect
	relogged  bool
	identity  identity // what the last attempt identified itself with
	answer    answer   // of the last attempt, if it had one
	transport error    // of the last attempt, if it had none
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// wire is the transport of one attempt: it bounds how many run at a time and how
// long one may take, notes whether the request may have reached the server, and
// reads the whole answer, so that losing the connection in the middle of it is an
// error here and not later.
type wire struct {
	inner   http.RoundTripper
	slots   chan struct{}
	timeout time.Duration
	log     *slog.Logger
	clock   Clock
}

func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	x := exchangeOf(req.Context())
	x.sent, x.transport = false, nil
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-req.Context().Done():
		return nil, context.Cause(req.Context())
	}
	x.started = w.clock.Now()
	// The hooks run on goroutines of the transport that may outlive the attempt.
	var connected, wrote atomic.Bool
	trace := &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteHeaders: func() { wrote.Store(true) },
	}
	ctx, cancel := context.WithTimeoutCause(req.Context(), w.timeout, &requestTimeoutError{w.timeout})
	defer cancel()
	resp, err := w.attempt(req.WithContext(httptrace.WithClientTrace(ctx, trace)))
	// When the attempt was cut off, the writing may just not have been noted yet.
	x.sent = wrote.Load() || ctx.Err() != nil && connected.Load()
	if err != nil && ctx.Err() != nil && req.Context().Err() == nil {
		err = context.Cause(ctx)
	}
	x.tries++
	if err != nil && !x.sent {
		x.connects++
	}
	w.record(req.Context(), x, resp, err)
	return resp, err
}

func (w *wire) attempt(req *http.Request) (*http.Response, error) {
	resp, err := w.inner.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	closeErr := resp.Body.Close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer broke off: %w", err)
	case closeErr != nil:
		return nil, closeErr
	case len(body) > maxAnswer:
		return nil, errors.New("the answer is larger than 256 MiB")
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	exchangeOf(req.Context()).answer = answer{
		status: resp.StatusCode,
		reason: strings.TrimSpace(strings.TrimPrefix(resp.Status, fmt.Sprint(resp.StatusCode))),
		body:   body,
	}
	return resp, nil
}

// record writes one line an attempt: names of parameters, never values.
func (w *wire) record(ctx context.Context, x *exchange, resp *http.Response, err error) {
	attrs := []slog.Attr{
		slog.String("method", x.request.method),
		slog.String("path", x.request.plainPath),
		slog.Any("parameters", x.request.names()),
		slog.Int("attempt", x.tries),
		slog.Duration("duration", w.clock.Now().Sub(x.started)),
	}
	if err != nil {
		x.transport = err
		attrs = append(attrs, slog.String("error", x.request.hide(err.Error())))
	} else {
		attrs = append(attrs, slog.Int("status", resp.StatusCode))
	}
	w.log.LogAttrs(ctx, slog.LevelDebug, "Proxmox VE API request", attrs...)
}

// requestTimeoutError is the cause of an attempt that took too long by our own limit.
type requestTimeoutError struct{ limit time.Duration }

func (e *requestTimeoutError) Error() string {
	return fmt.Sprintf("there was no answer within %s", e.limit)
}
