package pvesim

func init() {
	routes(map[string]handler{
		"PUT /nodes/{node}/storage/{storage}/content/{volume}": contentUpdate,
	})
}

// contentUpdate sets notes and protection of a backup. It does not look
// whether the backup exists: protecting one that does not leaves a file that
// protects it. Source: PVE::API2::Storage::Content updateattributes,
// PVE::Storage::DirPlugin update_volume_attribute.
func contentUpdate(c *call) (any, error) {
	_, volid, parsed, err := c.volumeOf()
	if err != nil {
		return nil, err
	}
	if err := c.mayUse(volid, 0, ""); err != nil {
		return nil, err
	}
	if parsed.content != "backup" {
		switch {
		case c.has("notes"):
			return nil, die("only backups can have notes")
		case c.has("protected"):
			return nil, die("only backups support attribute 'protected'")
		}
		return nil, nil
	}
	v := c.s.vol(c.node.name, volid)
	if v == nil {
		if c.has("protected") {
			if c.s.stray == nil {
				c.s.stray = map[string]bool{}
			}
			c.s.stray[volid] = c.flag("protected")
		}
		return nil, nil
	}
	if c.has("notes") {
		v.Notes, v.Noted = c.str("notes"), true
	}
	if c.has("protected") {
		v.Protected = c.flag("protected")
	}
	c.s.putVol(v)
	return nil, nil
}
