package pvesim

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// formatsOf are the formats of disks that a storage can hold.
// Source: plugindata of the plugins of PVE::Storage.
func (st *storage) formatsOf() []string {
	switch {
	case st.Type == "btrfs", st.plugin().files:
		return words("raw qcow2 vmdk")
	case st.Type == "lvm" && st.Values["snapshot-as-volume-chain"] == "1":
		return words("raw qcow2")
	}
	return words("raw")
}

func (st *storage) holds(format string) bool {
	for _, f := range st.formatsOf() {
		if f == format {
			return true
		}
	}
	return false
}

// defaultFormat is the format of new disks on a storage.
func (st *storage) defaultFormat() string {
	if f := st.Values["format"]; f != "" && st.holds(f) {
		return f
	}
	if st.Type == "lvm" && st.Values["snapshot-as-volume-chain"] == "1" {
		return "qcow2"
	}
	return "raw"
}

// diskMaker puts the drives of a request into a machine.
type diskMaker struct {
	s    *Server
	g    *guest
	log  func(string, ...any)
	made []*volume
}

// undo frees what was made.
func (m *diskMaker) undo() {
	for _, v := range m.made {
		m.s.dropVol(v)
	}
	m.made = nil
}

// put makes the volume that a drive asks for, or attaches the one that it
// names, and returns the text to store.
// Source: PVE::API2::Qemu create_disks.
func (m *diskMaker) put(d *drive) (string, error) {
	var err error
	switch {
	case strings.HasSuffix(d.file, ":cloudinit"):
		err = m.cloudinit(d)
	case newDrive.MatchString(d.file):
		err = m.alloc(d)
	default:
		return m.attach(d)
	}
	if err != nil {
		return "", err
	}
	text := m.s.printDrive(d)
	m.log("%s: successfully created disk '%s'", d.key, text)
	return text, nil
}

// cloudinit makes the drive that cloud-init reads.
func (m *diskMaker) cloudinit(d *drive) error {
	for _, sec := range []map[string]string{m.g.Values, m.g.Pending.Values} {
		for _, key := range sortedKeys(sec) {
			if other := m.s.parseDrive(key, sec[key]); isDrive(key) && key != d.key && other != nil && other.isCloudinit() {
				return die("%s - cloud-init drive is already attached at '%s'", d.key, key)
			}
		}
	}
	id, _, err := splitVolid(d.file)
	if err != nil {
		return err
	}
	st, err := m.s.usable(id, m.g.node)
	if err != nil {
		return err
	}
	format := d.keys["format"]
	if format == "" {
		format = "raw"
		if st.plugin().files {
			format = "qcow2"
		}
	}
	name := fmt.Sprintf("vm-%d-cloudinit", m.g.vmid)
	if st.plugin().files {
		name = fmt.Sprintf("%d/%s.%s", m.g.vmid, name, format)
	}
	v, err := m.s.allocNamed(m.g.node, st.ID, name, m.g.vmid, 4*mib)
	if err != nil {
		return err
	}
	m.made = append(m.made, v)
	m.logFormatting(st, v, format)
	d.file = v.ID
	d.keys["media"] = "cdrom"
	delete(d.keys, "format")
	delete(d.keys, "size")
	return nil
}

// alloc makes a new disk, filled from a source if there is one.
func (m *diskMaker) alloc(d *drive) error {
	wish := newDrive.FindStringSubmatch(d.file)
	st, err := m.s.usable(wish[1], m.g.node)
	if err != nil {
		return err
	}
	format := d.keys["format"]
	gb, err := strconv.ParseFloat(wish[2], 64)
	if err != nil {
		return die("unable to parse size '%s'", wish[2])
	}
	// rounded up to KiB. Source: PVE::API2::Qemu create_disks
	size := int64(math.Ceil(gb*1024*1024)) * kib
	if source := d.keys["import-from"]; source != "" {
		if size, format, err = m.source(st, source, format); err != nil {
			return err
		}
	}
	if format == "" {
		format = st.defaultFormat()
	}
	if !st.holds(format) {
		return die("unsupported format '%s'", format)
	}
	size = m.specialSize(st, d, size)
	v, err := m.s.alloc(m.g.node, st.ID, m.g.vmid, format, size)
	if err != nil {
		return err
	}
	m.made = append(m.made, v)
	m.logFormatting(st, v, format)
	if m.g.template() {
		base, err := m.s.makeBase(m.g.node, v.ID)
		if err != nil {
			return err
		}
		v = m.s.vol(m.g.node, base)
		m.made[len(m.made)-1] = v
	}
	d.file = v.ID
	d.keys["size"] = formatSize(size)
	delete(d.keys, "format")
	delete(d.keys, "import-from")
	if d.key == "efidisk0" && d.keys["pre-enrolled-keys"] == "1" {
		d.keys["ms-cert"] = "2023k"
	}
	return nil
}

// specialSize is the size of disks that do not follow the wish: variables
// of the firmware and the state of a TPM.
func (m *diskMaker) specialSize(st *storage, d *drive, size int64) int64 {
	switch d.key {
	case "tpmstate0":
		return 4 * mib
	case "efidisk0":
		size = 128 * kib
		if d.keys["efitype"] == "4m" {
			size = 528 * kib
		}
		switch st.Type {
		case "lvm", "lvmthin":
			return 4 * mib
		case "zfspool", "rbd":
			return mib
		}
	}
	return size
}

// source returns size and format of what a new disk is filled from.
func (m *diskMaker) source(st *storage, source, format string) (int64, string, error) {
	if strings.HasPrefix(source, "/") {
		if format == "" {
			format = st.defaultFormat()
		}
		return gib, format, nil
	}
	id, name, err := splitVolid(source)
	if err != nil {
		return 0, "", err
	}
	from, err := m.s.usable(id, m.g.node)
	if err != nil {
		return 0, "", err
	}
	v := m.s.vol(m.g.node, source)
	if archive, _, inside := strings.Cut(source, ".ova/"); v == nil && inside {
		v = m.s.vol(m.g.node, archive+".ova")
	}
	if v == nil {
		if from.plugin().files {
			return 0, "", die("failed to stat '%s'", from.volumePath(name))
		}
		return 0, "", die("cannot import from '%s' - volume does not exist", source)
	}
	own := strings.TrimPrefix(path.Ext(name), ".")
	if parsed, err := from.parseVolname(name); err == nil && parsed.content == "images" {
		own = parsed.format
	}
	if format == "" && st.holds(own) {
		format = own
	}
	return v.Size, format, nil
}

// attach takes a volume that exists; its size is read again.
func (m *diskMaker) attach(d *drive) (string, error) {
	delete(d.keys, "size")
	if !d.hasVolume() {
		return m.s.printDrive(d), nil
	}
	id, _, err := splitVolid(d.file)
	if err != nil {
		return "", err
	}
	if _, err := m.s.usable(id, m.g.node); err != nil {
		return "", err
	}
	parsed, err := m.s.volname(d.file)
	if err != nil {
		return "", err
	}
	v := m.s.vol(m.g.node, d.file)
	if v == nil {
		return "", die("volume '%s' does not exist", d.file)
	}
	if f := d.keys["format"]; f != "" && parsed.content == "images" && f != parsed.format {
		return "", die("drive '%s' - volume '%s' - 'format=%s' option different from storage format '%s'", d.key, d.file, f, parsed.format)
	}
	delete(d.keys, "format")
	if !d.isCloudinit() {
		d.keys["size"] = formatSize(v.Size)
	}
	return m.s.printDrive(d), nil
}

// logFormatting writes what qemu-img prints while it makes a file.
func (m *diskMaker) logFormatting(st *storage, v *volume, format string) {
	if !st.plugin().files {
		return
	}
	_, name, _ := splitVolid(v.ID)
	if format == "qcow2" {
		m.log("Formatting '%s', fmt=qcow2 cluster_size=65536 extended_l2=off preallocation=metadata compression_type=zlib size=%d lazy_refcounts=off refcount_bits=16",
			st.volumePath(name), v.Size)
		return
	}
	m.log("Formatting '%s', fmt=%s size=%d preallocation=off", st.volumePath(name), format, v.Size)
}
