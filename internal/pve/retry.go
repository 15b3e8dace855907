package pve

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Limits of sending again.
const (
	readTries      = 4 // attempts of a request that only reads
	lockTries      = 6 // attempts of a request that Proxmox refused for want of a lock
	connectRounds  = 2 // times that every endpoint is tried to be connected to
	firstPause     = 250 * time.Millisecond
	longestPause   = 5 * time.Second
	firstLockPause = 500 * time.Millisecond
)

// verdict is what to do after an attempt.
type verdict int

const (
	done    verdict = iota // hand the answer or the error to the caller
	again                  // send the request again after a pause
	next                   // send the request to the next endpoint
	relogin                // log in again, then send the request again
)

// judge decides what follows an attempt. A request that may have taken effect is
// never sent again: only those are that did not reach a server, that a server
// refused before doing anything, or that read.
func (c *Client) judge(ctx context.Context, x *exchange) verdict {
	reads := x.request.method == http.MethodGet
	switch {
	case ctx.Err() != nil, x.transport != nil && untrusted(x.transport):
		return done
	case x.transport != nil && !x.sent:
		if x.connects < max(readTries, connectRounds*len(c.bases)) {
			return next
		}
		return done
	case x.request.single && !x.unauthorised():
		return done
	case x.transport != nil:
		return c.whileReading(reads, x)
	case x.unauthorised():
		// A 401 is answered before anything is done, so it may be sent again whatever
		// it is, once, with a fresh ticket.
		if c.session != nil && !x.relogged && !x.request.noIdentity {
			return relogin
		}
		return done
	case lostBetweenNodes(x.answer.status):
		return c.whileReading(reads, x)
	case x.lockTimeout() && x.tries < lockTries:
		return again
	}
	return done
}

func (c *Client) whileReading(reads bool, x *exchange) verdict {
	if reads && x.tries < readTries {
		return again
	}
	return done
}

func (x *exchange) unauthorised() bool {
	return x.transport == nil && x.answer.status == http.StatusUnauthorized
}

// lockTimeout reports whether the server refused because a lock was not free. The
// lock of the guest itself is taken before anything is done. Behind another lock a
// call may stand half-way: a configuration update that allocates several volumes
// would allocate the first ones twice, so such calls are not repeated then.
func (x *exchange) lockTimeout() bool {
	if x.transport != nil || x.answer.status != http.StatusInternalServerError {
		return false
	}
	_, err := x.request.read(x.answer)
	if !errors.Is(err, ErrLockTimeout) {
		return false
	}
	lock, named := errors.AsType[*LockTimeoutError](err)
	return !x.request.notAtomic || named && lock.Guest
}

// lostBetweenNodes are the statuses of a proxy that did not get an answer.
func lostBetweenNodes(status int) bool {
	switch status {
	case 595, 596, 599, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// checkRetry is the hook of the retrying client. It waits by our own clock, so the
// client behind it never does.
func (c *Client) checkRetry(ctx context.Context, _ *http.Response, _ error) (bool, error) {
	x := exchangeOf(ctx)
	switch c.judge(ctx, x) {
	case next:
		round := x.connects / len(c.bases)
		c.current.CompareAndSwap(int64(x.endpoint), int64((x.endpoint+1)%len(c.bases)))
		if x.connects%len(c.bases) != 0 {
			return true, nil // another endpoint: no need to wait
		}
		return c.pause(ctx, backoff(firstPause, longestPause, round))
	case again:
		first := firstPause
		if x.lockTimeout() {
			first = firstLockPause
		}
		return c.pause(ctx, backoff(first, longestPause, x.tries-1))
	case relogin:
		x.relogged = true
		if err := c.session.renew(ctx, c, x.identity.ticket); err != nil {
			return false, err
		}
		return true, nil
	}
	return false, nil
}

// pause reports whether the request is sent again: not if the context ended.
func (c *Client) pause(ctx context.Context, d time.Duration) (bool, error) {
	if c.clock.Sleep(ctx, d) != nil {
		return false, nil //nolint:nilerr // the caller gets what the last attempt brought
	}
	return true, nil
}
