package pvesim

import (
	"slices"
	"strings"
)

// uniqueTags stores tags as Proxmox does: lower case, without doubles,
// sorted, unless datacenter.cfg says otherwise.
// Source: PVE::GuestHelpers get_unique_tags.
func (s *Server) uniqueTags(text string) string {
	style := map[string]string{}
	for part := range strings.SplitSeq(s.datacenter()["tag-style"], ",") {
		if k, v, ok := strings.Cut(part, "="); ok {
			style[k] = v
		}
	}
	var out []string
	for _, tag := range splitList(text) {
		if style["case-sensitive"] != "1" {
			tag = strings.ToLower(tag)
		}
		if !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	if style["ordering"] != "config" {
		slices.Sort(out)
	}
	return strings.Join(out, ";")
}

// needTags checks the rights to put tags on a guest: registered tags, and
// those that are not allowed, need Sys.Modify on /.
// Source: PVE::GuestHelpers assert_tag_permissions.
func (c *call) needTags(vmid int, pool, before, after string) error {
	if err := c.needOwn(vmid, pool, "VM.Config.Options"); err != nil {
		return err
	}
	registered := splitList(c.s.datacenter()["registered-tags"])
	old := splitList(before)
	for _, tag := range splitList(after) {
		if slices.Contains(registered, tag) && !slices.Contains(old, tag) && !c.may("/", "Sys.Modify") {
			return denied("/, Sys.Modify")
		}
	}
	return nil
}
