package pve

import "context"

// Download has the node fetch a file of content iso, vztmpl or import; p has
// Proxmox's own parameters url, content, filename, checksum, checksum-algorithm,
// compression and verify-certificates. Needs Datastore.AllocateTemplate on the
// storage, and Sys.AccessNetwork on the node or Sys.Modify on /.
func (c *Client) Download(ctx context.Context, node, storage string, p Params) (UPID, error) {
	return task(ctx, c, post(p, "nodes", node, "storage", storage, "download-url"))
}

// Appliance is a template that the node's appliance catalogue offers.
type Appliance struct {
	Template string `json:"template"` // the file name, which DownloadAppliance takes
	Package  string `json:"package"`
	Version  Text   `json:"version"`
	OS       string `json:"os"`
	Section  string `json:"section"`
	Headline string `json:"headline"`
	SHA512   string `json:"sha512sum"`
}

// Appliances lists the catalogue as the node last fetched it. Every identity may.
func (c *Client) Appliances(ctx context.Context, node string) ([]Appliance, error) {
	return call[[]Appliance](ctx, c, get(nil, "nodes", node, "aplinfo"))
}

// DownloadAppliance has the node fetch a template of the catalogue. Needs
// Datastore.AllocateTemplate on the storage.
func (c *Client) DownloadAppliance(ctx context.Context, node, storage, template string) (UPID, error) {
	return task(ctx, c, post(Params{"storage": storage, "template": template}, "nodes", node, "aplinfo"))
}
