package pve

import "context"

// Version is what GET /version tells.
type Version struct {
	Version string `json:"version"` // such as 9.2.11
	Release string `json:"release"` // such as 9.2
	RepoID  string `json:"repoid"`
}

// Version asks which Proxmox VE answers. Every identity may.
func (c *Client) Version(ctx context.Context) (Version, error) {
	return call[Version](ctx, c, get(nil, "version"))
}
