// Package datalabel says what a destroy does to the data of a guest, and what
// becomes of each mount in the guest that comes after.
//
// It decides the label of every volume key from the guest's own configuration.
// It does not know what the storage holds, and it never promises that data
// survives: see Preserving.
package datalabel

import (
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// Label is one word about the data of a key when the guest is destroyed.
type Label string

// The labels.
const (
	// Erased: a volume that this guest owns. Destroy frees it.
	Erased Label = "erased"
	// Excluded: a volume of another guest or of nobody. Destroy leaves it.
	Excluded Label = "excluded"
	// HostManaged: a path of the node. Proxmox never touches it.
	HostManaged Label = "host_managed"
	// Unknown: what the key says cannot be read, so nothing can be said.
	Unknown Label = "unknown"
	// Preserved: data that a reinstall carries over. Never produced today.
	Preserved Label = "preserved"
)

// Preserving reports whether any reinstall of today carries data over into the
// guest that comes after. None does: a volume that the guest owns goes with it
// and a new one comes back empty. Preserved stays in the vocabulary so that
// policies can be written against it before it means something.
func Preserving() bool { return false }

// Of is the label of one volume key. value is the key's whole value as the
// configuration has it.
func Of(owner guest.VMID, value string) Label {
	return of(owner, volume.ParseValue(value))
}

func of(owner guest.VMID, v volume.Value) Label {
	switch v.Kind {
	case volume.Bind, volume.Device:
		return HostManaged
	case volume.None:
		return Excluded
	case volume.Volume:
		switch id, owned := v.ID.Owner(); {
		case owned && id == owner:
			return Erased
		case v.ID.Recognised():
			return Excluded
		}
	}
	return Unknown
}

// Fate is one word about the mount in the guest that comes after. Mount and
// data are two questions: data that survives beside a mount that is gone is no
// comfort.
type Fate string

// The fates.
const (
	// Dropped: the configuration does not declare the key. It will not come
	// back.
	Dropped Fate = "dropped"
	// AsConfigured: the configuration declares the key. A volume comes back
	// empty, a bind mount or a device is attached again.
	AsConfigured Fate = "as_configured"
)

// FateOf is the fate of a key. declared says whether the resource's
// configuration has the key; the root file system always comes back. What is
// unused or only pending is no mount and never comes back.
func FateOf(key string, declared bool) Fate {
	if key == "rootfs" || declared && !IsUnused(key) && !IsPending(key) {
		return AsConfigured
	}
	return Dropped
}
