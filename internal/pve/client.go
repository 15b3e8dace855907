package pve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Client talks to one cluster. It is safe for concurrent use.
type Client struct {
	http    *retryablehttp.Client
	bases   []*url.URL
	current atomic.Int64 // index of the endpoint that answered last
	token   string
	session *session // nil with a token
	user    string
	agent   string
	clock   Clock
	skew    atomic.Int64 // the server's clock ahead of ours, in nanoseconds
}

// New makes a client. It sends nothing yet. The error is an *OptionError.
func New(o Options) (*Client, error) {
	o, bases, err := o.normalise()
	if err != nil {
		return nil, err
	}
	transport, err := newTransport(o)
	if err != nil {
		return nil, err
	}
	c := &Client{bases: bases, token: o.APIToken, agent: o.UserAgent, clock: o.Clock}
	c.user, _, _ = strings.Cut(o.APIToken, "=")
	if o.APIToken == "" {
		c.user = o.Username
		c.session = &session{username: o.Username, password: o.Password, otp: o.OTP}
	}
	c.http = &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport: &wire{
				inner:   transport,
				slots:   make(chan struct{}, o.MaxParallel),
				timeout: o.RequestTimeout,
				log:     o.Logger,
				clock:   o.Clock,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		RetryMax:     1 << 20, // judge sets the limits
		CheckRetry:   c.checkRetry,
		Backoff:      func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
		PrepareRetry: c.prepare,
	}
	return c, nil
}

// User is the identity that calls are made as: USER@REALM, with !TOKENID for a
// token. Tasks carry it.
func (c *Client) User() string { return c.user }

// IsToken reports whether calls are made with an API token. A token is never
// root@pam, whoever owns it. Source: PVE::AccessControl verify_token.
func (c *Client) IsToken() bool { return c.session == nil }

// IsRoot reports whether calls are made as root@pam itself, which alone may use
// bind mounts, devices and hook scripts.
func (c *Client) IsRoot() bool { return c.session != nil && c.user == "root@pam" }

// call makes a request and decodes its data.
func call[T any](ctx context.Context, c *Client, r *request) (T, error) {
	env, err := c.do(ctx, r)
	if err != nil {
		var zero T
		return zero, err
	}
	return decode[T](r, env)
}

// send makes a request whose answer has no data worth reading.
func send(ctx context.Context, c *Client, r *request) error {
	_, err := c.do(ctx, r)
	return err
}

// do makes a request and waits for its answer, over as many attempts as are safe.
func (c *Client) do(ctx context.Context, r *request) (envelope, error) {
	x := &exchange{request: r, endpoint: int(c.current.Load())}
	ctx = context.WithValue(ctx, exchangeKey{}, x)
	var body any
	if b := r.body(); len(b) != 0 {
		body = b
	}
	base, err := r.url(c.bases[x.endpoint])
	if err != nil {
		return envelope{}, r.fail(0, err.Error(), ErrProtocol)
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, r.method, base.String(), body)
	if err != nil {
		return envelope{}, r.fail(0, err.Error(), ErrProtocol)
	}
	if err := c.prepare(req.Request); err != nil {
		return envelope{}, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return envelope{}, c.lost(ctx, x, err)
	}
	_ = resp.Body.Close() // it has been read
	c.noteDate(resp)
	return r.read(x.answer)
}

// prepare points an attempt at the endpoint of the hour and identifies it.
func (c *Client) prepare(req *http.Request) error {
	x := exchangeOf(req.Context())
	x.endpoint = int(c.current.Load())
	address, err := x.request.url(c.bases[x.endpoint])
	if err != nil {
		return x.request.fail(0, err.Error(), ErrProtocol)
	}
	req.URL, req.Host = address, address.Host
	req.Header = http.Header{"Accept": {"application/json"}, "User-Agent": {c.agent}}
	if req.Body != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if x.request.noIdentity {
		return nil
	}
	x.identity = identity{token: c.token}
	if c.session != nil {
		if x.identity, err = c.session.identity(req.Context(), c); err != nil {
			return err
		}
	}
	x.request.secrets = append(x.request.secrets, x.identity.secrets()...)
	x.identity.apply(req.Header, x.request.method)
	return nil
}

// lost makes the error of a call that ended without an answer.
func (c *Client) lost(ctx context.Context, x *exchange, err error) error {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused // logging in failed
	}
	cause := x.transport
	if cause == nil {
		cause = err
	}
	if ctx.Err() != nil {
		cause = context.Cause(ctx)
	}
	return x.request.fail(0, plainCause(cause), kindOfLoss(x), cause)
}

func kindOfLoss(x *exchange) error {
	switch {
	case x.transport != nil && untrusted(x.transport):
		return ErrUntrusted
	case x.sent && x.request.method != http.MethodGet:
		return ErrAmbiguous
	}
	return ErrUnreachable
}

// plainCause takes the address out of a transport's error: it repeats the path.
func plainCause(err error) string {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		err = inner.Err
	}
	return err.Error()
}

// noteDate remembers how far the server's clock is from ours: the start times of
// tasks are the server's.
func (c *Client) noteDate(resp *http.Response) {
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		c.skew.Store(int64(date.Sub(c.clock.Now())))
	}
}

// ServerTime is the time by the clock of the server that answered last.
func (c *Client) ServerTime() time.Time {
	return c.clock.Now().Add(time.Duration(c.skew.Load()))
}
