package pve

import (
	"context"
	"math/rand/v2"
	"time"
)

// Clock is the time that the client goes by. Tests hand in one that does not wait.
type Clock interface {
	Now() time.Time
	// Sleep returns early with the context's error when the context ends.
	Sleep(ctx context.Context, d time.Duration) error
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// backoff doubles from first up to limit and is spread by ±25 %, so that many
// clients that failed together do not come back together.
func backoff(first, limit time.Duration, attempt int) time.Duration {
	d := limit
	if attempt < 16 {
		d = min(limit, first<<attempt)
	}
	return time.Duration(float64(d) * (0.75 + 0.5*rand.Float64()))
}
