package pvesim

import (
	"strconv"
	"strings"
)

// mayUse refuses a volume whose type is not the one wanted, or that the
// caller may not read. vmid is the guest that wants it, 0 for none.
//
// Source: PVE::Storage check_volume_access.
func (c *call) mayUse(volid string, vmid int, want string) error {
	id, name, err := splitVolid(volid)
	if err != nil {
		if c.user.root() {
			return nil
		}
		if strings.HasPrefix(volid, "/") {
			return die("Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 651.")
		}
		return err
	}
	st, err := c.s.storage(id)
	if err != nil {
		return err
	}
	v, err := st.parseVolname(name)
	if err != nil {
		return err
	}
	if want != "" && v.content != want && (want != "rootdir" || v.content != "images") {
		return die("unable to use volume %s - content type needs to be '%s'", volid, want)
	}
	if c.may("/storage/"+id, "Datastore.Allocate") {
		return nil
	}
	return c.mayRead(st, v, vmid)
}

// mayRead is the check of those who do not own the storage.
func (c *call) mayRead(st *storage, v volname, vmid int) error {
	path := "/storage/" + st.ID
	switch v.content {
	case "iso", "vztmpl", "import":
		return c.needAny(path, "Datastore.AllocateSpace", "Datastore.Audit")
	case "backup":
		if err := c.need(path, "Datastore.AllocateSpace"); err != nil || v.owner == 0 {
			return err
		}
		return c.need("/vms/"+strconv.Itoa(v.owner), "VM.Backup")
	case "images":
		if v.owner != 0 && v.owner == vmid {
			return nil
		}
		if err := c.need(path, "Datastore.Audit"); err != nil || v.owner == 0 {
			return err
		}
		return c.need("/vms/"+strconv.Itoa(v.owner), "VM.Config.Disk")
	}
	return denied("%s, %s", path, "Datastore.Allocate")
}
