package pvesim

import (
	"regexp"
	"strconv"
	"strings"
)

// volname is what the name of a volume says.
type volname struct {
	content string // images, iso, vztmpl, backup, snippets, import
	owner   int    // 0 if it has none
	format  string
	file    string // last part
	base    string // volume it is a linked clone of, without the storage
	isBase  bool
}

var (
	volidFormat = regexp.MustCompile(`(?is)^([a-z][a-z0-9\-_.]*[a-z0-9]):(.+)$`)
	fileImage   = regexp.MustCompile(`^(?:(\d+)/([^/]+\.(?:raw|qcow2|vmdk|subvol))/)?(\d+)/([^/]+\.(raw|qcow2|vmdk|subvol))$`)
	otherFile   = regexp.MustCompile(`^(iso|vztmpl|backup|snippets|import)/([^/].*)$`)
	blockImage  = regexp.MustCompile(`^(?:((?:base|basevol)-(\d+)-[^/]+)/)?((vm|base|subvol|basevol)-(\d+)-[^/]+)$`)
	pbsArchive  = regexp.MustCompile(`^backup/(vm|ct|host)/([^/]+)/([0-9TZ:\-]+)$`)
	archiveName = regexp.MustCompile(`^vzdump-(lxc|qemu)-([1-9][0-9]{2,8})-(\d{4}_\d\d_\d\d-\d\d_\d\d_\d\d)\.(tgz|(?:tar|vma)(?:\.(?:gz|lzo|zst|bz2))?)$`)
)

// splitVolid cuts STORAGE:NAME. Source: PVE::Storage::Plugin parse_volume_id.
func splitVolid(volid string) (storage, name string, err error) {
	m := volidFormat.FindStringSubmatch(volid)
	if m == nil {
		return "", "", die("unable to parse volume ID '%s'", volid)
	}
	return m[1], m[2], nil
}

// parseVolname reads the name of a volume by the rules of its storage.
// Source: parse_volname of the plugins.
func (st *storage) parseVolname(name string) (volname, error) {
	switch {
	case st.plugin().files:
		return parseFileName(name)
	case st.Type == "pbs":
		m := pbsArchive.FindStringSubmatch(name)
		if m == nil {
			return volname{}, die("unable to parse PBS volume name '%s'", name)
		}
		id, _ := strconv.Atoi(m[2])
		return volname{content: "backup", owner: id, format: "pbs-" + m[1], file: name}, nil
	case st.Type == "iscsi" || st.Type == "iscsidirect" || st.Type == "esxi":
		return volname{content: "images", format: "raw", file: name}, nil
	}
	m := blockImage.FindStringSubmatch(name)
	if m == nil {
		return volname{}, die("unable to parse %s volume name '%s'", map[string]string{"zfspool": "zfs", "zfs": "zfs", "rbd": "rbd"}[st.Type]+lvmWord(st.Type), name)
	}
	format := "raw"
	if strings.Contains(m[4], "vol") {
		format = "subvol"
	}
	owner, _ := strconv.Atoi(m[5])
	return volname{content: "images", owner: owner, format: format, file: m[3], base: m[1], isBase: strings.HasPrefix(m[4], "base")}, nil
}

func lvmWord(kind string) string {
	if kind == "lvm" || kind == "lvmthin" {
		return "lvm"
	}
	return ""
}

func parseFileName(name string) (volname, error) {
	if m := otherFile.FindStringSubmatch(name); m != nil {
		v := volname{content: m[1], file: m[2], format: "raw"}
		if m[1] == "backup" {
			if a := archiveName.FindStringSubmatch(m[2]); a != nil {
				v.owner, _ = strconv.Atoi(a[2])
			}
		}
		return v, nil
	}
	m := fileImage.FindStringSubmatch(name)
	if m == nil {
		return volname{}, die("unable to parse directory volume name '%s'", name)
	}
	owner, _ := strconv.Atoi(m[3])
	v := volname{content: "images", owner: owner, format: m[5], file: m[4], isBase: strings.HasPrefix(m[4], "base-")}
	if m[1] != "" {
		v.base = m[1] + "/" + m[2]
	}
	return v, nil
}

// owner is the guest that a volume is named for, 0 if it can not be told.
func (s *Server) owner(volid string) int {
	id, name, err := splitVolid(volid)
	if err != nil {
		return 0
	}
	st, err := s.storage(id)
	if err != nil {
		return 0
	}
	v, err := st.parseVolname(name)
	if err != nil || v.content != "images" {
		return 0
	}
	return v.owner
}
