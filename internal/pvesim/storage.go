package pvesim

import (
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

// storage is a section of storage.cfg.
type storage struct{ *conf.Entry }

// plugin is what a type of storage can do. Source: PVE::Storage plugins.
type plugin struct {
	files   bool     // volumes are files below a path
	shared  bool     // always shared
	content []string // default content
	all     []string // content that may be chosen
	named   bool     // CT volumes are called subvol-…
}

var everything = words("images rootdir vztmpl iso backup snippets import none")

var plugins = map[string]plugin{
	"dir":         {files: true, content: words("images rootdir"), all: everything},
	"btrfs":       {files: true, content: words("images rootdir"), all: everything},
	"nfs":         {files: true, shared: true, content: words("images"), all: words("images rootdir vztmpl iso backup snippets import")},
	"cifs":        {files: true, shared: true, content: words("images"), all: words("images rootdir vztmpl iso backup snippets import")},
	"cephfs":      {files: true, shared: true, content: words("backup"), all: words("vztmpl iso backup snippets import")},
	"lvm":         {content: words("images"), all: words("images rootdir")},
	"lvmthin":     {content: words("images rootdir"), all: words("images rootdir")},
	"zfspool":     {content: words("images rootdir"), all: words("images rootdir"), named: true},
	"rbd":         {shared: true, content: words("images"), all: words("images rootdir")},
	"zfs":         {shared: true, content: words("images"), all: words("images")},
	"iscsi":       {shared: true, content: words("images"), all: words("images none")},
	"iscsidirect": {shared: true, content: words("images"), all: words("images none")},
	"pbs":         {shared: true, content: words("backup"), all: words("backup none")},
	"esxi":        {shared: true, content: words("import"), all: words("import")},
}

// storages are all storages in the order of the file.
func (s *Server) storages() []*storage {
	var out []*storage
	for _, e := range conf.ParseSections(s.files["storage.cfg"]) {
		out = append(out, &storage{e})
	}
	return out
}

// storage returns a storage's definition.
func (s *Server) storage(id string) (*storage, error) {
	for _, st := range s.storages() {
		if st.ID == id {
			return st, nil
		}
	}
	return nil, die("storage '%s' does not exist", id)
}

// usable returns a storage that is enabled on a node.
// Source: PVE::Storage storage_check_enabled.
func (s *Server) usable(id, node string) (*storage, error) {
	st, err := s.storage(id)
	switch {
	case err != nil:
		return nil, err
	case st.disabled():
		return nil, die("storage '%s' is disabled", id)
	case !st.on(node):
		return nil, die("storage '%s' is not available on node '%s'", id, node)
	}
	return st, nil
}

func (st *storage) plugin() plugin { return plugins[st.Type] }

func (st *storage) disabled() bool { return st.Values["disable"] != "" && st.Values["disable"] != "0" }

// on tells whether the storage is meant for a node.
func (st *storage) on(node string) bool {
	nodes := splitList(st.Values["nodes"])
	return len(nodes) == 0 || slices.Contains(nodes, node)
}

func (st *storage) shared() bool {
	return st.plugin().shared || st.Values["shared"] != "" && st.Values["shared"] != "0"
}

// content are the types of content the storage is set to.
func (st *storage) content() []string {
	if list := splitList(st.Values["content"]); len(list) > 0 {
		return list
	}
	return st.plugin().content
}

func (st *storage) takes(content string) bool { return slices.Contains(st.content(), content) }

// path is the folder of a file storage.
func (st *storage) path() string {
	if p := st.Values["path"]; p != "" {
		return p
	}
	return "/mnt/pve/" + st.ID
}

// subdir is the folder of a type of content. Source: PVE::Storage::Plugin $vtype_subdirs.
func (st *storage) subdir(content string) string {
	dir := map[string]string{
		"images": "images", "iso": "template/iso", "vztmpl": "template/cache",
		"backup": "dump", "snippets": "snippets", "import": "import",
	}[content]
	return st.path() + "/" + dir
}

// volumePath is where the file or device of a volume is.
func (st *storage) volumePath(name string) string {
	if st.plugin().files {
		kind, rest, ok := strings.Cut(name, "/")
		switch {
		case ok && (kind == "iso" || kind == "vztmpl" || kind == "backup" || kind == "snippets" || kind == "import"):
			return st.subdir(kind) + "/" + rest
		case st.Type == "btrfs" && strings.HasSuffix(name, ".raw"):
			return st.subdir("images") + "/" + strings.TrimSuffix(name, ".raw") + "/disk.raw"
		}
		parts := strings.Split(name, "/")
		return st.subdir("images") + "/" + strings.Join(parts[max(0, len(parts)-2):], "/")
	}
	last := name[strings.LastIndexByte(name, '/')+1:]
	switch st.Type {
	case "zfspool":
		if strings.HasPrefix(last, "subvol-") || strings.HasPrefix(last, "basevol-") {
			return "/" + st.Values["pool"] + "/" + last
		}
		return "/dev/zvol/" + st.Values["pool"] + "/" + last
	case "lvm", "lvmthin":
		return "/dev/" + st.Values["vgname"] + "/" + last
	}
	return "/dev/" + st.Type + "/" + last
}

// contentText is the content as lists show it.
func (st *storage) contentText() string { return strings.Join(st.content(), ",") }

// poolName is the pool or group that plain texts of errors name.
func (st *storage) poolName() string {
	for _, k := range []string{"vgname", "pool"} {
		if v := st.Values[k]; v != "" {
			return v
		}
	}
	return st.path()
}
