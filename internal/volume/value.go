package volume

import "strings"

// Kind says what a volume key of a guest's configuration stands for.
type Kind string

// The kinds. A bind mount or a device is not a volume.
const (
	Volume  Kind = "volume"
	Bind    Kind = "bind"
	Device  Kind = "device"
	None    Kind = "none"
	Garbage Kind = "garbage"
)

// Classify tells the kind of a value's volume part: what stands before the
// first comma or after "volume=". Source: PVE::LXC::Config
// classify_mountpoint; the two words of an empty and a physical CD-ROM drive
// are qemu-server's.
func Classify(value string) Kind {
	switch {
	case value == "none", value == "cdrom":
		return None
	case strings.HasPrefix(value, "/dev/"):
		return Device
	case strings.HasPrefix(value, "/"):
		return Bind
	}
	if _, err := Parse(value); err != nil {
		return Garbage
	}
	return Volume
}

// Value is the value of a volume key, taken apart as far as the rules need it.
type Value struct {
	Kind   Kind
	ID     ID                // zero unless Kind is Volume
	Source string            // the volume id, path or word as written
	Sub    map[string]string // the other sub-keys, values as written
}

// The names under which the default key of a volume key may be written out:
// volume (containers), file with its alias volume (VMs), path (devN).
var sourceKeys = map[string]bool{"volume": true, "file": true, "path": true}

// ParseValue takes a property string of a volume key apart. A string that
// Proxmox could not parse (no source, two of them, a duplicate key, an item
// that is neither) gives Kind Garbage. Unknown sub-keys are kept: a newer
// Proxmox may have added them.
func ParseValue(text string) Value {
	v := Value{Sub: map[string]string{}}
	for item := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(item) == "" {
			continue
		}
		key, val, pair := strings.Cut(item, "=")
		if !pair {
			key, val = "volume", item
		}
		_, twice := v.Sub[key]
		switch {
		case key == "" || val == "" || twice:
			return Value{Kind: Garbage, Source: text}
		case !sourceKeys[key]:
			v.Sub[key] = val
		case v.Source != "":
			return Value{Kind: Garbage, Source: text}
		default:
			v.Source = val
		}
	}
	v.Kind = Classify(v.Source)
	if v.Kind == Volume {
		v.ID, _ = Parse(v.Source)
	}
	if v.Kind == Garbage {
		return Value{Kind: Garbage, Source: text}
	}
	return v
}
