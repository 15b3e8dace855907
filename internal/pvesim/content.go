package pvesim

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

func init() {
	routes(map[string]handler{
		"GET /nodes/{node}/storage/{storage}/content":             contentIndex,
		"POST /nodes/{node}/storage/{storage}/content":            contentAlloc,
		"GET /nodes/{node}/storage/{storage}/content/{volume}":    contentVolume,
		"DELETE /nodes/{node}/storage/{storage}/content/{volume}": contentDelete,
	})
}

// contentIndex lists what a storage holds, of those types it is set to.
// Source: PVE::API2::Storage::Content index, PVE::Storage volume_list.
func contentIndex(c *call) (any, error) {
	st, err := c.s.usable(c.str("storage"), c.node.name)
	if err != nil {
		return nil, err
	}
	if c.s.knobs.offline[st.ID] {
		return nil, die("storage '%s' is not online", st.ID)
	}
	out := []object{}
	for _, v := range c.s.onStorage(st, c.node.name) {
		_, name, _ := splitVolid(v.ID)
		parsed, err := st.parseVolname(name)
		if err != nil {
			continue
		}
		content := c.s.contentType(parsed)
		if !st.takes(content) || c.has("content") && c.str("content") != content || !c.ofGuest(parsed, content) {
			continue
		}
		if c.mayRead(st, parsed, 0) != nil && !c.may("/storage/"+st.ID, "Datastore.Allocate") {
			continue
		}
		out = append(out, contentRow(v, parsed, content))
	}
	return out, nil
}

// contentType is what a list calls a volume: an image is a container's if its
// owner is one. Source: PVE::Storage::Plugin list_volumes.
func (s *Server) contentType(v volname) string {
	if v.content != "images" {
		return v.content
	}
	if g := s.find(v.owner); g != nil && g.kind == kindLXC {
		return "rootdir"
	}
	return "images"
}

// ofGuest applies the filter vmid, which leaves out images and backups of
// other guests, and all isos and templates.
func (c *call) ofGuest(v volname, content string) bool {
	if !c.has("vmid") || content == "snippets" || content == "import" {
		return true
	}
	return (v.content == "images" || content == "backup") && v.owner == c.int("vmid")
}

func contentRow(v *volume, parsed volname, content string) object {
	row := object{"volid": v.ID, "content": content, "format": volumeFormat(parsed), "size": v.Size, "ctime": v.Created}
	switch {
	case parsed.content == "images":
		row["vmid"], row["used"], row["parent"] = parsed.owner, v.used(), nil
		if v.Parent != "" {
			_, name, _ := splitVolid(v.Parent)
			if strings.Contains(name, "/") {
				name = "../" + name // as qemu-img names it, from the folder of the clone
			}
			row["parent"] = name
		}
	case content == "backup":
		if parsed.owner != 0 {
			row["vmid"] = parsed.owner
		}
		if a := archiveOf(v.ID); a != nil {
			row["subtype"] = apiName(a.kind)
		}
		if v.Notes != "" {
			row["notes"], _, _ = strings.Cut(v.Notes, "\n")
		}
		if v.Protected {
			row["protected"] = 1
		}
	case v.File != 0:
		row["size"] = v.File
	}
	return row
}

// used are the bytes that a volume takes up.
func (v *volume) used() int64 {
	if v.Used != 0 {
		return v.Used
	}
	return v.Size / 8
}

// volumeOf is the volume of a call, with or without its storage in front.
func (c *call) volumeOf() (*storage, string, volname, error) {
	text := c.str("volume")
	id, name, err := splitVolid(text)
	switch {
	case err != nil:
		id, name = c.str("storage"), text
	case id != c.str("storage"):
		return nil, "", volname{}, wrong("volume", "storage ID mismatch (%s != %s)\n", id, c.str("storage"))
	}
	st, err := c.s.usable(id, c.node.name)
	if err != nil {
		return nil, "", volname{}, err
	}
	parsed, err := st.parseVolname(name)
	return st, id + ":" + name, parsed, err
}

// contentVolume shows one volume. Source: PVE::API2::Storage::Content info.
func contentVolume(c *call) (any, error) {
	st, volid, parsed, err := c.volumeOf()
	if err != nil {
		return nil, err
	}
	if err := c.mayUse(volid, 0, ""); err != nil {
		return nil, err
	}
	v := c.s.vol(c.node.name, volid)
	if v == nil {
		return nil, die("volume_size_info on '%s' failed - no format", volid)
	}
	_, name, _ := splitVolid(volid)
	out := object{"path": st.volumePath(name), "size": blocks(parsed, v), "used": v.used(), "format": parsed.format}
	if parsed.content == "backup" {
		out["protected"] = flagValue(v.Protected)
		if v.Notes != "" || v.Noted {
			out["notes"] = v.Notes
		}
		out["format"] = "raw"
	}
	return out, nil
}

// blocks is the size of a volume; the tool that tells it counts whole blocks
// of 512 bytes.
func blocks(parsed volname, v *volume) int64 {
	if parsed.content == "images" {
		return v.Size
	}
	return (v.Size + 511) / 512 * 512
}

var allocSize = regexp.MustCompile(`^(\d+)([MG])?$`)

// contentAlloc makes a volume of a given name; a bare size is in KiB.
// Source: PVE::API2::Storage::Content create.
func contentAlloc(c *call) (any, error) {
	st, err := c.s.usable(c.str("storage"), c.node.name)
	if err != nil {
		return nil, err
	}
	m := allocSize.FindStringSubmatch(c.str("size"))
	if m == nil {
		return nil, wrong("size", "value does not match the regex pattern")
	}
	n, _ := strconv.ParseInt(m[1], 10, 64)
	size := n * map[string]int64{"": kib, "M": mib, "G": gib}[m[2]]
	name, format := c.str("filename"), "raw"
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		format = name[i+1:]
	}
	if c.has("format") && c.str("format") != format {
		return nil, wrong("format", "different storage formats (%s != %s)", c.str("format"), format)
	}
	if st.plugin().files {
		name = fmt.Sprintf("%d/%s", c.int("vmid"), name)
	}
	if _, err := st.parseVolname(name); err != nil {
		return nil, die("unable to parse volume filename '%s'", c.str("filename"))
	}
	volid := st.ID + ":" + name
	if c.s.vol(c.node.name, volid) != nil {
		return nil, die("disk image '%s' already exists", st.volumePath(name))
	}
	if c.s.knobs.full[st.ID] {
		return nil, noSpace(st, c.int("vmid"))
	}
	c.s.putVol(&volume{Node: c.node.name, ID: volid, Size: size})
	return volid, nil
}

// contentDelete removes a volume, whether or not a guest uses it.
// Source: PVE::API2::Storage::Content delete, PVE::Storage::Plugin free_image.
func contentDelete(c *call) (any, error) {
	st, volid, parsed, err := c.volumeOf()
	if err != nil {
		return nil, err
	}
	if err := c.mayRemove(st, parsed); err != nil {
		return nil, err
	}
	id := st.ID
	if parsed.owner != 0 {
		id = strconv.Itoa(parsed.owner) + "@" + id
	}
	upid := c.fork("imgdel", id, func(t *task) error {
		if err := t.work(); err != nil {
			return err
		}
		if v := c.s.vol(t.node, volid); v != nil && v.Protected || c.s.stray[volid] {
			_, name, _ := splitVolid(volid)
			return die("cannot remove protected volume '%s' on '%s'", name, st.ID)
		}
		if err := t.freeVolume(t.node, volid); err != nil {
			return err
		}
		t.log("Removed volume '%s'", volid)
		return nil
	})
	if c.int("delay") > 0 {
		if exit := c.s.await(upid); exit != "OK" {
			return nil, die("%s", exit)
		}
		return nil, nil
	}
	return upid, nil
}

// mayRemove checks the right to remove a volume.
func (c *call) mayRemove(st *storage, v volname) error {
	path := "/storage/" + st.ID
	if v.content == "backup" && v.owner != 0 && !c.may(path, "Datastore.Allocate") {
		if err := c.need(path, "Datastore.AllocateSpace"); err != nil {
			return err
		}
		return c.need(vmPath(v.owner), "VM.Backup")
	}
	return c.need(path, "Datastore.Allocate")
}
