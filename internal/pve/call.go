package pve

import "context"

// task makes a request that starts a task.
func task(ctx context.Context, c *Client, r *request) (UPID, error) {
	text, err := call[Text](ctx, c, r)
	if err != nil {
		return "", err
	}
	u, err := ParseUPID(string(text))
	if err != nil {
		return "", r.fail(200, err.Error(), ErrProtocol)
	}
	return u, nil
}
