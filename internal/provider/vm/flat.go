package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve/props"
)

// flat is a VM's configuration with its property strings taken apart: the sub-key
// bridge of net0 is "net0.bridge". Drives stand in name spaces that tell what
// they are: "disk:scsi0.cache", "cdrom:ide2.file", "cloudinit:ide2.file".
type flat map[string]string

// format takes the value of a key apart and prints it.
type format struct {
	split func(string) (map[string]string, error)
	join  func(map[string]string) (string, error)
}

func formatOf[T any]() format { return format{props.Split[T], props.Join[T]} }

// single are the keys with a property string, numbered those with a number.
var (
	single = map[string]format{
		"cpu": formatOf[pve.CPU](), "memory": formatOf[pve.Memory](), "agent": formatOf[pve.Agent](), "vga": formatOf[pve.VGA](),
		"machine": formatOf[pve.Machine](), "watchdog": formatOf[pve.Watchdog](), "boot": formatOf[pve.Boot](), "startup": formatOf[pve.Startup](),
		"cicustom": formatOf[pve.CICustom](), "smbios1": formatOf[pve.SMBIOS](), "audio0": formatOf[pve.Audio](), "rng0": formatOf[pve.RNG](),
		"amd-sev": formatOf[pve.AMDSEV](), "intel-tdx": formatOf[pve.IntelTDX](), "ivshmem": formatOf[pve.IVSHMem](),
		"spice_enhancements": formatOf[pve.SpiceEnhancements](),
		"efidisk0":           formatOf[pve.EFIDisk](), "tpmstate0": formatOf[pve.TPMState](),
	}
	numbered = map[string]format{
		"net": formatOf[pve.VMNet](), "ipconfig": formatOf[pve.IPConfig](), "numa": formatOf[pve.NUMA](), "hostpci": formatOf[pve.HostPCI](),
		"usb": formatOf[pve.USB](), "virtiofs": formatOf[pve.VirtioFS](),
		"serial": formatOf[port](), "parallel": formatOf[port](),
		"ide": formatOf[pve.Drive](), "sata": formatOf[pve.Drive](), "scsi": formatOf[pve.Drive](), "virtio": formatOf[pve.Drive](),
	}
)

// port is the value of a serial or parallel port: no property string, but shaped
// like one with a default key alone.
type port struct {
	Device string `props:"device,default,required"`
}

// formatFor is the format of a key; ok is false for a plain value.
func formatFor(key string) (f format, ok bool) {
	if f, ok = single[key]; ok {
		return f, true
	}
	base := strings.TrimRight(key, "0123456789")
	if base == key {
		return format{}, false
	}
	f, ok = numbered[base]
	return f, ok
}

// driveBuses are the prefixes of the keys of drives.
var driveBuses = []string{"ide", "sata", "scsi", "virtio"}

func isDrive(key string) bool {
	base := strings.TrimRight(key, "0123456789")
	return base != key && slices.Contains(driveBuses, base)
}

// KeyError says that the value of a key cannot be read or written.
type KeyError struct {
	Key, Value string
	Err        error
}

// Error names the key and the value as it stands.
func (e *KeyError) Error() string {
	return fmt.Sprintf("%s cannot be read from %q: %v", e.Key, e.Value, e.Err)
}

// Unwrap is the codec's error.
func (e *KeyError) Unwrap() error { return e.Err }

// flatten takes a configuration apart. A value that cannot be read is left out
// and told: it is nobody's to change.
func flatten(values map[string]string) (flat, []error) {
	f := flat{}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(values)) {
		text := values[key]
		codec, ok := formatFor(key)
		if !ok {
			f[key] = plain(key, text)
			continue
		}
		sub, err := codec.split(text)
		if err != nil {
			errs = append(errs, &KeyError{Key: key, Value: text, Err: err})
			continue
		}
		readable(key, sub)
		prefix := namespace(key, sub) + key + "."
		for name, value := range sub {
			f[prefix+name] = value
		}
	}
	return f, errs
}

// sub is what f has of one key, without prefix; nil if it has nothing.
func (f flat) sub(key string) map[string]string {
	var found map[string]string
	for name, value := range f {
		rest, ok := strings.CutPrefix(withoutNamespace(name), key+".")
		if !ok {
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		found[rest] = value
	}
	return found
}

// print is the value of a key for Proxmox. The error is a *KeyError.
func printKey(key string, sub map[string]string) (string, error) {
	codec, _ := formatFor(key)
	writable(key, sub)
	text, err := codec.join(sub)
	if err != nil {
		return "", &KeyError{Key: key, Value: fmt.Sprint(sub), Err: err}
	}
	return text, nil
}

// The name spaces of drives.
const (
	spaceDisk      = "disk:"
	spaceCDROM     = "cdrom:"
	spaceCloudInit = "cloudinit:"
)

func namespace(key string, sub map[string]string) string {
	switch {
	case !isDrive(key):
		return ""
	case isCloudInit(sub["file"]):
		return spaceCloudInit
	case sub["media"] == "cdrom":
		return spaceCDROM
	}
	return spaceDisk
}

// withoutNamespace is a flat key as it is without a name space.
func withoutNamespace(key string) string {
	for _, space := range []string{spaceDisk, spaceCDROM, spaceCloudInit} {
		if rest, ok := strings.CutPrefix(key, space); ok {
			return rest
		}
	}
	return key
}

// keyOf is the Proxmox key that a flat key belongs to: net0 of net0.bridge.
func keyOf(flatKey string) (key, sub string) {
	key, sub, _ = strings.Cut(withoutNamespace(flatKey), ".")
	return key, sub
}
