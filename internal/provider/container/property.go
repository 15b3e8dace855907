package container

import (
	"fmt"
	"maps"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve/props"
)

// sub holds the sub-keys of one property string as text. The value that stands
// without a key is under the name of the default key.
type sub map[string]string

// The names of the default keys. Source: PVE::LXC::Config $rootfs_desc, $dev_desc.
const (
	defaultVolume = "volume"
	defaultPath   = "path"
)

type volumeString struct {
	Volume string            `props:"volume,default"`
	Rest   map[string]string `props:",rest"`
}

// mountString is volumeString with the key that Proxmox requires of a mount point.
type mountString struct {
	Volume string            `props:"volume,default"`
	Target string            `props:"mp,required"`
	Rest   map[string]string `props:",rest"`
}

type networkString struct {
	Name string            `props:"name,required"`
	Rest map[string]string `props:",rest"`
}

type pathString struct {
	Path string            `props:"path,default"`
	Rest map[string]string `props:",rest"`
}

type keyedString struct {
	Rest map[string]string `props:",rest"`
}

// PropertyError says that a key's value is not a property string.
type PropertyError struct {
	Key, Value string
	Err        error
}

// Error names the key and the value as it stands.
func (e *PropertyError) Error() string {
	return fmt.Sprintf("%s cannot be read from %q: %v", e.Key, e.Value, e.Err)
}

// Unwrap is the codec's error.
func (e *PropertyError) Unwrap() error { return e.Err }

// parseProperty reads the value of key; defaultKey is empty for strings in which
// every value has its key. The error is a *PropertyError.
func parseProperty(key, value, defaultKey string) (sub, error) {
	var first string
	var rest map[string]string
	var err error
	switch defaultKey {
	case defaultVolume:
		var v volumeString
		err = props.Decode(value, &v)
		first, rest = v.Volume, v.Rest
	case defaultPath:
		var v pathString
		err = props.Decode(value, &v)
		first, rest = v.Path, v.Rest
	default:
		var v keyedString
		err = props.Decode(value, &v)
		rest = v.Rest
	}
	if err != nil {
		return nil, &PropertyError{Key: key, Value: value, Err: err}
	}
	s := sub{}
	maps.Copy(s, rest)
	if first != "" {
		s[defaultKey] = first
	}
	return s, nil
}

// print writes the property string of a key as Proxmox does: the default key,
// then what it requires, then the rest sorted. The error is a *PropertyError for
// a value that a property string cannot carry.
func (s sub) print(key string) (string, error) {
	rest := maps.Clone(s)
	take := func(name string) string {
		defer delete(rest, name)
		return rest[name]
	}
	var text string
	var err error
	switch {
	case key == "rootfs":
		text, err = props.Encode(volumeString{take(defaultVolume), rest})
	case numbered("mp")(key):
		text, err = props.Encode(mountString{take(defaultVolume), take("mp"), rest})
	case numbered("dev")(key):
		text, err = props.Encode(pathString{take(defaultPath), rest})
	case numbered("net")(key):
		text, err = props.Encode(networkString{take("name"), rest})
	default:
		text, err = props.Encode(keyedString{rest})
	}
	if err != nil {
		return "", &PropertyError{Key: key, Value: fmt.Sprint(map[string]string(s)), Err: err}
	}
	return text, nil
}

// parseSub reads the value of one of the keys features and startup. A startup
// order may stand without its key. Source: PVE::JSONSchema pve-startup-order.
func parseSub(key, value string) (sub, error) {
	if number, _, _ := strings.Cut(value, ","); key == "startup" && value != "" && !strings.Contains(number, "=") {
		value = "order=" + value
	}
	return parseProperty(key, value, "")
}

// diskOnly are options of a VM's disk that operators put on a container's
// volume. The container's configuration keeps them and no update goes through.
var diskOnly = []string{"aio", "cache", "detect_zeroes", "discard", "format", "iothread", "media", "queues", "serial", "ssd", "werror"}

// ForeignOptionError says that a container's volume carries an option of VMs.
type ForeignOptionError struct{ Key, Option string }

// Error names the option and the key that it stands in.
func (e *ForeignOptionError) Error() string {
	return fmt.Sprintf("%s has the option %q, which only disks of VMs have: Proxmox keeps it and refuses every change of %s", e.Key, e.Option, e.Key)
}

// parseVolume reads the value of rootfs or a mount point. The error is a
// *PropertyError or a *ForeignOptionError.
func parseVolume(key, value string) (sub, error) {
	s, err := parseProperty(key, value, defaultVolume)
	if err != nil {
		return nil, err
	}
	for _, option := range diskOnly {
		if _, present := s[option]; present {
			return nil, &ForeignOptionError{Key: key, Option: option}
		}
	}
	return s, nil
}

// numbered tells the keys that are prefix and a number.
func numbered(prefix string) func(string) bool {
	return func(key string) bool {
		digits, found := strings.CutPrefix(key, prefix)
		return found && digits != "" && strings.Trim(digits, "0123456789") == ""
	}
}
