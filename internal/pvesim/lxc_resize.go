package pvesim

import (
	"errors"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

func init() {
	routes(map[string]handler{"PUT /nodes/{node}/lxc/{vmid}/resize": lxcResize})
}

// lxcResize grows a volume of a container.
// Source: PVE::API2::LXC resize_vm.
func lxcResize(c *call) (any, error) {
	g, err := c.container()
	if err != nil {
		return nil, err
	}
	if _, _, err := c.resizeCheck(g); err != nil {
		return nil, err
	}
	return c.fork("resize", strconv.Itoa(g.vmid), func(t *task) error {
		return c.s.lockGuest(kindLXC, g.vmid, func() error {
			if err := t.work(); err != nil {
				return err
			}
			if err := g.reload(c.s); err != nil {
				return err
			}
			v, size, err := c.resizeCheck(g)
			if err != nil {
				return err
			}
			if c.s.knobs.full[strings.SplitN(v.ID, ":", 2)[0]] {
				return die("unable to resize '%s': No space left on device", v.ID)
			}
			logResize(t, v, size)
			v.Size = size
			c.s.putVol(v)
			keys, err := c.s.table.Parse(lxcFormat(c.str("disk")), g.Values[c.str("disk")], "")
			if err != nil {
				return err
			}
			keys["size"] = formatSize(size)
			g.Values[c.str("disk")] = c.s.table.Print(lxcFormat(c.str("disk")), keys)
			c.s.save(g)
			return nil
		})
	}), nil
}

// logResize writes what the tools print while a volume grows.
func logResize(t *task, v *volume, size int64) {
	id, name, _ := splitVolid(v.ID)
	st, err := t.s.storage(id)
	if err != nil || st.Type == "zfspool" {
		return
	}
	path := st.volumePath(name)
	if st.plugin().files {
		t.log("Image resized.")
	}
	t.log("e2fsck 1.47.0 (5-Feb-2023)\nPass 1: Checking inodes, blocks, and sizes\nPass 2: Checking directory structure\n"+
		"Pass 3: Checking directory connectivity\nPass 4: Checking reference counts\nPass 5: Checking group summary information\n"+
		"%s: 87/%d files (0.0%% non-contiguous), 13473/%d blocks\nresize2fs 1.47.0 (5-Feb-2023)\n"+
		"Resizing the filesystem on %s to %d (4k) blocks.\nThe filesystem on %s is now %d (4k) blocks long.\n",
		path, v.Size/16384, v.Size/4096, path, size/4096, path, size/4096)
}

// resizeCheck returns the volume and its new size in bytes.
func (c *call) resizeCheck(g *guest) (*volume, int64, error) {
	if err := g.checkLock(); err != nil {
		return nil, 0, err
	}
	if err := g.checkDigest(c.str("digest")); err != nil {
		return nil, 0, err
	}
	key := c.str("disk")
	keys, err := c.s.table.Parse(lxcFormat(key), g.Values[key], "")
	if err != nil {
		return nil, 0, formatError(err)
	}
	id, name, err := splitVolid(keys["volume"])
	if err != nil {
		return nil, 0, err
	}
	st, err := c.s.usable(id, g.node)
	if err != nil {
		return nil, 0, err
	}
	parsed, err := st.parseVolname(name)
	if err != nil {
		return nil, 0, err
	}
	if parsed.owner != g.vmid {
		return nil, 0, die("can't resize mount point owned by another container (%d) at /usr/share/perl5/PVE/API2/LXC.pm line 2236.", parsed.owner)
	}
	if err := c.need("/storage/"+id, "Datastore.AllocateSpace"); err != nil {
		return nil, 0, err
	}
	v := c.s.vol(g.node, keys["volume"])
	if v == nil {
		return nil, 0, die("volume '%s' does not exist", keys["volume"])
	}
	if st.plugin().files && parsed.format == "subvol" && st.Type != "btrfs" {
		return nil, 0, die("can't resize this image format")
	}
	size, err := newSize(v.Size, c.str("size"))
	return v, size, err
}

// newSize is the size that a text asks for: absolute, or with + relative to
// what there is. It must be larger.
func newSize(now int64, text string) (int64, error) {
	rel, plus := strings.CutPrefix(text, "+")
	size := parseSize(rel) // the schema has checked it
	if plus {
		size += now
	}
	switch {
	case size < now:
		return 0, die("unable to shrink disk size")
	case size == now:
		return 0, die("disk is already at specified size")
	}
	return size, nil
}

// formatError is what a handler answers that finds a broken property string:
// status 500 with the keys.
func formatError(err error) error {
	var keys *schema.FormatError
	if !errors.As(err, &keys) {
		return die("%s", err)
	}
	return &apiError{status: 500, message: "format error\n", errors: keys.Errors}
}
