package pvesim

import (
	"slices"
	"strings"
)

func init() {
	routes(map[string]handler{
		"GET /storage":                               storageDefinitions,
		"GET /storage/{storage}":                     storageDefinition,
		"GET /nodes/{node}/storage":                  storageIndex,
		"GET /nodes/{node}/storage/{storage}":        parts("subdir", "content download-url file-restore import-metadata identity oci-registry-pull prunebackups rrd rrddata status upload"),
		"GET /nodes/{node}/storage/{storage}/status": storageStatus,
	})
}

// definition is a section of storage.cfg as JSON shows it.
func (s *Server) definition(st *storage) object {
	out := object{"storage": st.ID, "type": st.Type}
	props := s.table.Method("POST", "/storage").Props
	for key, text := range st.Values {
		out[key] = text
		if p := props[key]; p != nil && (p.Type == "boolean" || p.Type == "integer") {
			out[key] = number(text, 0)
		}
	}
	out["content"] = st.contentText()
	return out
}

func storageDefinitions(c *call) (any, error) {
	out := []object{}
	for _, st := range c.s.storages() {
		if c.has("type") && c.str("type") != st.Type || !c.may("/storage/"+st.ID, "Datastore.Audit", "Datastore.AllocateSpace") {
			continue
		}
		row := c.s.definition(st)
		row["digest"] = digestOf(c.s.files["storage.cfg"])
		out = append(out, row)
	}
	return out, nil
}

func storageDefinition(c *call) (any, error) {
	st, err := c.s.storage(c.str("storage"))
	if err != nil {
		return nil, err
	}
	row := c.s.definition(st)
	row["digest"] = digestOf(c.s.files["storage.cfg"])
	return row, nil
}

// storageIndex lists the storages of a node. Without a filter it has those
// too that are disabled or meant for other nodes.
// Source: PVE::API2::Storage::Status index.
func storageIndex(c *call) (any, error) {
	if c.has("storage") {
		if _, err := c.s.storage(c.str("storage")); err != nil {
			return nil, wrong("storage", "No such storage.")
		}
	}
	out := []object{}
	for _, st := range c.s.storages() {
		if c.has("storage") && c.str("storage") != st.ID || !c.may("/storage/"+st.ID, "Datastore.Audit", "Datastore.AllocateSpace") {
			continue
		}
		usable := !st.disabled() && st.on(c.node.name)
		if !usable && (c.has("content") || c.flag("enabled")) {
			continue
		}
		if c.has("content") && !slices.ContainsFunc(splitList(c.str("content")), st.takes) {
			continue
		}
		if c.has("target") && c.str("target") != c.node.name && (!st.shared() || !st.on(c.str("target"))) {
			continue
		}
		row := c.s.storageFigures(st, c.node.name)
		row["storage"] = st.ID
		if total, ok := row["total"].(int64); ok && total > 0 {
			row["used_fraction"] = float64(row["used"].(int64)) / float64(total)
		}
		out = append(out, row)
	}
	return out, nil
}

// storageFigures are state and size of a storage on a node.
func (s *Server) storageFigures(st *storage, node string) object {
	row := object{
		"type": st.Type, "content": st.contentText(), "shared": flagValue(st.shared()),
		"enabled": 0, "active": 0, "total": int64(0), "used": int64(0), "avail": int64(0),
	}
	if !st.disabled() && st.on(node) {
		row["enabled"] = 1
		if !s.knobs.offline[st.ID] {
			total, used := s.space(st, node)
			row["active"], row["total"], row["used"], row["avail"] = 1, total, used, total-used
		}
	}
	return row
}

func storageStatus(c *call) (any, error) {
	st, err := c.s.storage(c.str("storage"))
	if err != nil {
		return nil, wrong("storage", "No such storage.")
	}
	return c.s.storageFigures(st, c.node.name), nil
}

// volumeFormat is the format that a list of content shows.
// Source: PVE::Storage::Plugin $get_subdir_files.
func volumeFormat(v volname) string {
	if v.content != "iso" && v.content != "vztmpl" && v.content != "backup" && v.content != "snippets" && v.content != "import" || strings.HasPrefix(v.format, "pbs-") {
		return v.format
	}
	switch v.content {
	case "iso":
		return "iso"
	case "snippets":
		return "snippet"
	case "vztmpl":
		for suffix, format := range map[string]string{".tar.gz": "tgz", ".tgz": "tgz", ".tar.xz": "txz", ".tar.zst": "tzst", ".tar.bz2": "tbz2", ".tar": "tar"} {
			if strings.HasSuffix(v.file, suffix) {
				return format
			}
		}
	case "backup":
		if m := archiveName.FindStringSubmatch(v.file); m != nil {
			return m[4]
		}
	}
	return v.file[strings.LastIndexByte(v.file, '.')+1:]
}
