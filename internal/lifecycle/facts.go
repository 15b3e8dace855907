package lifecycle

import (
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/blocker"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// Facts is what was found out about one guest, at one time.
type Facts struct {
	Guest guest.Ref
	// Present says that the guest's own configuration was read. If it is false
	// the guest was proved not to be there: an answer that proves nothing is an
	// error of Inspect instead.
	Present bool
	// Now is the guest that has the number although the guest is not present.
	Now *guest.Ref

	Config  pve.GuestConfig
	Entries []datalabel.Entry
	Running bool
	// Real holds the sizes that the storages told, by key.
	Real map[string]bytesize.Size
	// Saving are running backups and restores of the guest.
	Saving []blocker.Task
	// Making are running creates, destroys and restores of the number.
	Making []blocker.Task
	// Protected are volume ids of protected backups of the guest.
	Protected []string
	// Managed is nil unless high availability or replication has the guest.
	Managed *blocker.Managed
	// Past are the finished tasks of the number, newest first.
	Past []pve.TaskRow
	// Blind says in sentences what could not be seen and why.
	Blind []string
}

// Fingerprint is what the live guest is recognised by.
func (f Facts) Fingerprint() Fingerprint {
	return FingerprintOf(f.Guest.Kind, f.Guest.VMID, f.Config.Values)
}

// Recognise reports whether the live guest is the one that a kept fingerprint
// belongs to.
func (f Facts) Recognise(kept string) bool {
	known, err := ParseFingerprint(kept)
	return err == nil && known.Decide(f.Fingerprint(), history(f.Past, known.Made))
}

// Pairs are the keys with their volumes, as they are now.
func (f Facts) Pairs() map[string]string { return datalabel.Pairs(f.Entries) }

// Blockers are all reasons that the facts give, for any operation; wanted are
// the sizes of the volumes that the next guest would get, by key, and record is
// the open record of the guest, if there is one.
func (f Facts) Blockers(wanted map[string]bytesize.Size, record *stage.Record) []blocker.Blocker {
	var list []blocker.Blocker
	if record != nil || len(f.Making) > 0 {
		list = append(list, blocker.ReplaceInFlight{Guest: f.Guest, Record: record, Tasks: f.Making})
	}
	if !f.Present {
		return append(list, blocker.Gone{Guest: f.Guest, Now: f.Now})
	}
	if f.protection() {
		list = append(list, blocker.Protected{Guest: f.Guest})
	}
	if lock := f.Config.Values["lock"]; lock != "" {
		list = append(list, blocker.Locked{Guest: f.Guest, Lock: lock})
	}
	if len(f.Saving) > 0 {
		list = append(list, blocker.BackupOrRestoreRunning{Guest: f.Guest, Tasks: f.Saving})
	}
	if len(f.Protected) > 0 {
		list = append(list, blocker.ProtectedRestorePoint{Guest: f.Guest, Archives: f.Protected})
	}
	if unknown := f.unclassifiable(); len(unknown) > 0 {
		list = append(list, blocker.UnclassifiableVolume{Guest: f.Guest, Entries: unknown})
	}
	return append(list, Shrinking(f.Guest, f.Entries, wanted, f.Real)...)
}

// protection counts a pending value, too: somebody has asked for it.
func (f Facts) protection() bool {
	return on(f.Config.Values["protection"]) || on(f.Config.Pending["protection"].Value)
}

// on reads a boolean of a guest's configuration. A word that is not one of the
// negative ones counts as set: protection that cannot be read protects.
func on(text string) bool {
	switch text {
	case "", "0", "no", "off", "false":
		return false
	}
	return true
}

func (f Facts) unclassifiable() []blocker.KeyValue {
	var list []blocker.KeyValue
	for _, e := range f.Entries {
		if e.Label == datalabel.Unknown {
			list = append(list, blocker.KeyValue{Key: e.Key, Value: e.Value})
		}
	}
	return list
}

// EntriesOf lists the volume keys of a configuration that was read in full.
func EntriesOf(kind guest.Kind, id guest.VMID, config pve.GuestConfig) []datalabel.Entry {
	pending := map[string]string{}
	for key, p := range config.Pending {
		if p.Delete == 0 {
			pending[key] = p.Value
		}
	}
	return datalabel.Entries(kind, id, config.Values, pending)
}
