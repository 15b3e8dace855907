package pvesim

// lxcRestore makes a container of a backup.
func lxcRestore(c *call) (any, error) {
	return nil, notImplemented(c.req.Method, c.path)
}
