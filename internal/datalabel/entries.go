package datalabel

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// Entry is one volume key of a guest with its label.
type Entry struct {
	// Key is the configuration key, with PendingSuffix for a value that waits
	// for the next start.
	Key string
	// Value is the whole value as the configuration has it.
	Value string
	// Source is the volume id or the path; the whole value if it is unreadable.
	Source string
	Kind   volume.Kind
	// ID is the volume id, zero unless Kind is volume.Volume.
	ID volume.ID
	// Size is the text of size=, empty if there is none. A bare number has two
	// readings, see bytesize.ParseStored.
	Size string
	// Owner is the guest that the volume's name names, 0 if none.
	Owner guest.VMID
	// Target is where a container mounts it, empty for VMs and what is not
	// mounted.
	Target string
	Label  Label
}

// PendingSuffix marks the key of a value that is pending: the volume exists,
// the guest does not use it before its next start.
const PendingSuffix = ".pending"

// IsPending reports whether an entry's key stands for a pending value.
func IsPending(key string) bool { return strings.HasSuffix(key, PendingSuffix) }

// IsUnused reports whether a key is one of unused0 to unused255: volumes that
// belong to the guest and are attached nowhere. They die with it.
func IsUnused(key string) bool {
	return numbered(strings.TrimSuffix(key, PendingSuffix), "unused", 255)
}

// keys of each kind: prefix and highest number. Source: PVE::LXC::Config
// $confdesc, PVE::QemuServer::Drive.
var numberedKeys = map[guest.Kind]map[string]int{
	guest.LXC:  {"mp": 255, "unused": 255, "dev": 255},
	guest.QEMU: {"ide": 3, "sata": 5, "scsi": 30, "virtio": 15, "efidisk": 0, "tpmstate": 0, "unused": 255},
}

var plainKeys = map[guest.Kind][]string{
	guest.LXC:  {"rootfs"},
	guest.QEMU: {"vmstate"},
}

// IsVolumeKey reports whether a key of a guest of this kind names a volume, a
// bind mount or a device.
func IsVolumeKey(kind guest.Kind, key string) bool {
	for prefix, last := range numberedKeys[kind] {
		if numbered(key, prefix, last) {
			return true
		}
	}
	return slices.Contains(plainKeys[kind], key)
}

func numbered(key, prefix string, last int) bool {
	digits, ok := strings.CutPrefix(key, prefix)
	if !ok || digits == "" || len(digits) > 1 && digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	n, err := strconv.Atoi(digits)
	return err == nil && n <= last
}

// Entries lists every volume key of a guest, sorted by key. current holds the
// values that are in force and pending those that wait for the next start,
// both as Proxmox writes them; a pending value with the volume that the key has
// already is not listed twice. An empty CD-ROM drive of a VM is no entry.
func Entries(kind guest.Kind, owner guest.VMID, current, pending map[string]string) []Entry {
	var list []Entry
	for key, value := range current {
		list = add(list, kind, owner, key, key, value)
	}
	for key, value := range pending {
		if now, ok := current[key]; ok && volume.ParseValue(now).Source == volume.ParseValue(value).Source {
			continue
		}
		list = add(list, kind, owner, key, key+PendingSuffix, value)
	}
	slices.SortFunc(list, func(a, b Entry) int { return compareKeys(a.Key, b.Key) })
	return list
}

func add(list []Entry, kind guest.Kind, owner guest.VMID, key, name, value string) []Entry {
	if !IsVolumeKey(kind, key) {
		return list
	}
	v := volume.ParseValue(value)
	if v.Kind == volume.None {
		if kind == guest.QEMU {
			return list
		}
		// A container has no CD-ROM drive: there the word is a broken value.
		v = volume.Value{Kind: volume.Garbage, Source: value}
	}
	e := Entry{
		Key: name, Value: value, Source: v.Source, Kind: v.Kind, ID: v.ID,
		Size: v.Sub["size"], Label: of(owner, v),
	}
	e.Owner, _ = v.ID.Owner()
	if kind == guest.LXC {
		e.Target = v.Sub["mp"]
		if key == "rootfs" {
			e.Target = "/"
		}
	}
	return append(list, e)
}

// compareKeys sorts mp2 before mp10.
func compareKeys(a, b string) int {
	headA, numberA := splitKey(a)
	headB, numberB := splitKey(b)
	if headA != headB {
		return strings.Compare(headA, headB)
	}
	if numberA != numberB {
		return numberA - numberB
	}
	return strings.Compare(a, b)
}

func splitKey(key string) (string, int) {
	key = strings.TrimSuffix(key, PendingSuffix)
	head := strings.TrimRight(key, "0123456789")
	n, err := strconv.Atoi(key[len(head):])
	if err != nil {
		return head, -1
	}
	return head, n
}

// Pairs are the (key, source) pairs of a list: what state and the live guest
// must agree on before anything irreversible. Labels take no part in it.
func Pairs(list []Entry) map[string]string {
	pairs := make(map[string]string, len(list))
	for _, e := range list {
		pairs[e.Key] = e.Source
	}
	return pairs
}

// A Difference is a key whose volume is not the one that was planned on. An
// empty side means that the key is not there.
type Difference struct {
	Key           string
	Planned, Live string
}

// Differences compares two sets of pairs, sorted by key.
func Differences(planned, live map[string]string) []Difference {
	union := maps.Clone(planned)
	if union == nil {
		union = map[string]string{}
	}
	maps.Copy(union, live)
	var list []Difference
	for _, key := range slices.SortedFunc(maps.Keys(union), compareKeys) {
		was, inPlan := planned[key]
		is, inLive := live[key]
		if was != is || inPlan != inLive {
			list = append(list, Difference{Key: key, Planned: was, Live: is})
		}
	}
	return list
}
