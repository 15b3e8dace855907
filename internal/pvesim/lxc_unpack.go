package pvesim

import (
	"path"
	"strings"
)

// unpack reads the template, which tells the distribution and architecture.
func (cr *creation) unpack(t *task) error {
	s, g := cr.c.s, cr.g
	id, name, err := splitVolid(cr.archive)
	if err != nil {
		return err
	}
	st, err := s.usable(id, g.node)
	if err != nil {
		return err
	}
	if s.vol(g.node, cr.archive) == nil {
		t.log("volume '%s' does not exist", cr.archive)
		return die("volume '%s' does not exist", cr.archive)
	}
	t.log("extracting archive '%s'", st.volumePath(name))
	t.log("Total bytes read: 2027520 (2.0MiB, 100MiB/s)")
	if found := templateOS(name); g.Values["ostype"] == "" {
		g.Values["ostype"] = found
	} else if g.Values["ostype"] != "unmanaged" && g.Values["ostype"] != found {
		t.log("got unexpected ostype (%s != %s)", found, g.Values["ostype"])
		g.Values["ostype"] = found
	}
	if g.Values["arch"] == "" {
		g.Values["arch"] = "amd64"
		t.log("Detected container architecture: amd64")
	}
	if zone := g.Values["timezone"]; zone != "" {
		if zone == "host" {
			zone = "Etc/UTC"
		}
		t.log("container does not have /usr/share/zoneinfo/%s, timezone can not be modified", zone)
	}
	return nil
}

// afterUnpack does what the set-up of a system with systemd prints.
func (cr *creation) afterUnpack(t *task, made []*volume) {
	archive := t.s.vol(cr.g.node, cr.archive)
	if archive.Systemd == 0 {
		return
	}
	for _, kind := range words("rsa ecdsa ed25519") {
		t.log("Creating SSH host key 'ssh_host_%s_key' - this may take some time ...\ndone: SHA256:%s root@localhost", kind, uuid())
	}
	for _, v := range made[:min(1, len(made))] { // the root disk, if it was made
		v.Systemd = archive.Systemd
		t.s.putVol(v)
	}
	t.warnSystemd(cr.g, archive.Systemd)
}

// warnSystemd warns of a systemd that wants nesting.
// Source: PVE::LXC::Setup::Base check_systemd_nesting.
func (t *task) warnSystemd(g *guest, version int) {
	features, _ := t.s.table.Parse("lxc.features", g.Values["features"], "features")
	if version > 0 && features["nesting"] != "1" {
		t.warn("Systemd %d detected. You may need to enable nesting.", version)
	}
}

// templateOS guesses the distribution from the name of a template.
func templateOS(name string) string {
	word, _, _ := strings.Cut(path.Base(name), "-")
	switch word {
	case "rockylinux", "almalinux":
		return "centos"
	case "debian", "devuan", "ubuntu", "centos", "fedora", "opensuse", "archlinux", "alpine", "gentoo", "nixos":
		return word
	}
	return "debian"
}
