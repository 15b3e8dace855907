package schema

import (
	"errors"
	"regexp"
	"strings"
)

// formats are the named formats with a rule of their own; each error is the
// text Proxmox gives. Source: PVE::JSONSchema unless noted.
var formats = map[string]func(string) error{}

func register(name string, f func(string) error) { formats[name] = f }

func matching(pattern, text string) func(string) error {
	re := regexp.MustCompile(pattern)
	return func(s string) error {
		if re.MatchString(s) {
			return nil
		}
		return errors.New(strings.ReplaceAll(text, "%s", s))
	}
}

// CheckFormat checks a text against a named format or the keys of a property
// string. Formats that are not known accept everything.
func (t *Table) CheckFormat(name, text, path string) error {
	if _, ok := t.formats[name]; ok {
		_, err := t.Parse(name, text, path)
		return err
	}
	if check, ok := formats[name]; ok {
		return check(text)
	}
	if base, ok := strings.CutSuffix(name, "-list"); ok {
		for _, item := range SplitList(text) {
			if err := t.CheckFormat(base, item, path); err != nil {
				return err
			}
		}
		return nil
	}
	if base, ok := strings.CutSuffix(name, "-opt"); ok && text != "" {
		return t.CheckFormat(base, text, path)
	}
	return nil
}

// SplitList splits at NUL if there is one, else at commas, semicolons and
// blanks. Source: PVE::Tools split_list.
func SplitList(text string) []string {
	if strings.Contains(text, "\x00") {
		return strings.FieldsFunc(text, func(r rune) bool { return r == 0 })
	}
	return strings.FieldsFunc(text, func(r rune) bool {
		return r == ',' || r == ';' || r == ' ' || r == '\t' || r == '\n' || r == '\r'
	})
}

func init() {
	label := `[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?`
	volume := matching(`(?is)^[a-z][a-z0-9\-_.]*[a-z0-9]:.+$`, "unable to parse volume ID '%s'")
	register("pve-vmid", matching(`^[1-9][0-9]{2,8}$`, "value does not look like a valid VM ID"))
	register("pve-node", matching(`^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`, "value does not look like a valid node name"))
	register("pve-configid", matching(`^[a-zA-Z][a-zA-Z0-9_-]+$`, "invalid configuration ID '%s'"))
	register("pve-storage-id", matching(`(?i)^[a-z][a-z0-9\-_.]*[a-z0-9]$`, "storage ID '%s' contains illegal characters"))
	register("pve-poolid", matching(`^[A-Za-z0-9.\-_]+(/[A-Za-z0-9.\-_]+){0,2}$`, "pool name '%s' contains invalid characters"))
	register("dns-name", matching(`^(`+label+`\.)*`+label+`$`, "value does not look like a valid DNS name"))
	register("mac-addr", matching(`(?i)^[a-f0-9][02468ace](:[a-f0-9]{2}){5}$`, "value does not look like a valid unicast MAC address"))
	register("disk-size", matching(`^\d+(\.\d+)?([KMGT](iB)?)?$`, "value does not look like a valid disk size: %s"))
	register("pve-tag", matching(`(?i)^[a-z0-9_][a-z0-9_\-+.]*$`, "invalid characters in tag"))
	register("pve-volume-id", volume)
	register("pve-volume-id-or-qm-path", func(s string) error {
		if s == "none" || s == "cdrom" || strings.HasPrefix(s, "/") {
			return nil
		}
		return volume(s)
	})
	register("pve-volume-id-or-absolute-path", func(s string) error {
		if strings.HasPrefix(s, "/") {
			return nil
		}
		return volume(s)
	})
	register("urlencoded", matching(`^[-%a-zA-Z0-9_.!~*'()]*$`, "invalid urlencoded string: %s"))
	register("pve-roleid", matching(`^[A-Za-z0-9.\-_]+$`, "role name '%s' contains invalid characters"))
	register("pve-groupid", matching(`^[A-Za-z0-9.\-_]+$`, "group name '%s' contains invalid characters"))
	register("pve-bridge-id", matching(`^[-_.\w\d]+$`, "invalid bridge ID '%s'"))
	register("pve-iface", matching(`(?i)^[a-z][a-z0-9_]{1,20}([:.]\d+)?$`, "invalid network interface name '%s'"))
	register("pve-storage-content", func(s string) error {
		switch s {
		case "none", "images", "rootdir", "iso", "vztmpl", "backup", "snippets", "import":
			return nil
		}
		return errors.New("invalid content type '" + s + "'")
	})
	register("pve-storage-path", func(s string) error {
		if strings.HasPrefix(s, "/") && !strings.Contains(s, "..") {
			return nil
		}
		return errors.New("value is not an absolute path")
	})
	register("email", matching(`^[\w+\-.]+@[\w\-.]+$`, "value does not look like a valid email address"))
	register("pve-userid", func(s string) error { return nil })
	register("pve-tokenid", func(s string) error { return nil })
}
