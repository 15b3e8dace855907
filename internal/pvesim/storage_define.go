package pvesim

import (
	"slices"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

func init() {
	routes(map[string]handler{
		"POST /storage":             storageCreate,
		"PUT /storage/{storage}":    storageUpdate,
		"DELETE /storage/{storage}": storageDelete,
	})
}

// required are the keys that a new storage can not do without.
var required = map[string][]string{
	"dir": words("path"), "btrfs": words("path"), "nfs": words("server export"), "cifs": words("server share"),
	"lvm": words("vgname"), "lvmthin": words("vgname thinpool"), "zfspool": words("pool"),
	"pbs": words("server datastore"), "iscsi": words("portal target"),
}

func (s *Server) setStorages(list []*storage) {
	var entries []*conf.Entry
	for _, st := range list {
		entries = append(entries, st.Entry)
	}
	s.write("storage.cfg", conf.PrintSections(entries))
}

func storageCreate(c *call) (any, error) {
	id, kind := c.str("storage"), c.str("type")
	list := c.s.storages()
	for _, key := range required[kind] {
		if !c.has(key) {
			return nil, die("missing value for required option '%s'", key)
		}
	}
	if _, err := c.s.storage(id); err == nil {
		return nil, die("create storage failed: storage ID '%s' already defined", id)
	}
	e := conf.NewEntry(kind, id)
	for _, key := range sortedKeys(c.params) {
		if key != "storage" && key != "type" && key != "password" {
			e.Set(key, c.str(key))
		}
	}
	c.s.setStorages(append(list, &storage{e}))
	return object{"storage": id, "type": kind}, nil
}

func storageUpdate(c *call) (any, error) {
	list := c.s.storages()
	i := slices.IndexFunc(list, func(st *storage) bool { return st.ID == c.str("storage") })
	if i < 0 {
		return nil, die("update storage failed: storage '%s' does not exist", c.str("storage"))
	}
	if d := c.str("digest"); d != "" && d != digestOf(c.s.files["storage.cfg"]) {
		return nil, die("update storage failed: detected modified configuration - file changed by other user? Try again.")
	}
	for _, key := range splitList(c.str("delete")) {
		list[i].Delete(key)
	}
	for _, key := range sortedKeys(c.sent) {
		if !slices.Contains(words("storage delete digest password"), key) {
			list[i].Set(key, c.str(key))
		}
	}
	c.s.setStorages(list)
	return object{"storage": list[i].ID, "type": list[i].Type}, nil
}

func storageDelete(c *call) (any, error) {
	list := c.s.storages()
	kept := slices.DeleteFunc(slices.Clone(list), func(st *storage) bool { return st.ID == c.str("storage") })
	if len(kept) == len(list) {
		return nil, die("delete storage failed: storage '%s' does not exist", c.str("storage"))
	}
	c.s.setStorages(kept)
	return nil, nil
}

func digestOf(text string) string { return conf.Digest(text) }
