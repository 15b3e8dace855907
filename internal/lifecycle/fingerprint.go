package lifecycle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

// Fingerprint is what a guest is recognised by: a VMID alone is reused at once
// after a destroy, and so are the names of its volumes. A container has no
// creation time in its configuration, so several marks count together; see
// docs/adr/0002-fingerprint.md.
type Fingerprint struct {
	Kind guest.Kind
	VMID guest.VMID
	// Made is when the task that made the guest began, in seconds since 1970 by
	// the node's clock; 0 if it was not made by us.
	Made int64
	// Root is the volume id of the root file system (containers).
	Root string
	// MACs are the hardware addresses, upper case and sorted (containers).
	MACs []string
	// Ctime is the creation time of meta, UUID the one of smbios1 (VMs).
	Ctime, UUID string
}

// FingerprintOf takes the marks out of a guest's configuration.
func FingerprintOf(kind guest.Kind, id guest.VMID, values map[string]string) Fingerprint {
	f := Fingerprint{Kind: kind, VMID: id}
	if kind == guest.QEMU {
		f.Ctime = subKey(values["meta"], "ctime")
		f.UUID = strings.ToLower(subKey(values["smbios1"], "uuid"))
		return f
	}
	f.Root = volume.ParseValue(values["rootfs"]).ID.String()
	for key, value := range values {
		if number, ok := strings.CutPrefix(key, "net"); !ok || strings.Trim(number, "0123456789") != "" {
			continue
		}
		if mac := subKey(value, "hwaddr"); mac != "" {
			f.MACs = append(f.MACs, strings.ToUpper(mac))
		}
	}
	slices.Sort(f.MACs)
	return f
}

func subKey(text, key string) string {
	for item := range strings.SplitSeq(text, ",") {
		if k, v, ok := strings.Cut(item, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// String is the form in which a fingerprint is kept, for example
// "lxc/5001 made=1783000000 rootfs=local-lvm:vm-5001-disk-0 mac=BC:24:11:00:00:01".
func (f Fingerprint) String() string {
	parts := []string{string(f.Kind) + "/" + f.VMID.String()}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, key+"="+value)
		}
	}
	if f.Made != 0 {
		add("made", strconv.FormatInt(f.Made, 10))
	}
	add("rootfs", f.Root)
	add("mac", strings.Join(f.MACs, ","))
	add("ctime", f.Ctime)
	add("uuid", f.UUID)
	return strings.Join(parts, " ")
}

// A FingerprintError says that a kept fingerprint cannot be read.
type FingerprintError struct {
	Text string
}

func (e *FingerprintError) Error() string {
	return fmt.Sprintf("the fingerprint %q cannot be read", e.Text)
}

// ParseFingerprint reads what String wrote. Marks of a later version are
// passed over. The error is a *FingerprintError.
func ParseFingerprint(text string) (Fingerprint, error) {
	head, rest, _ := strings.Cut(text, " ")
	kind, number, _ := strings.Cut(head, "/")
	id, err := guest.ParseVMID(number)
	f := Fingerprint{Kind: guest.Kind(kind), VMID: id}
	if err != nil || f.Kind != guest.LXC && f.Kind != guest.QEMU {
		return Fingerprint{}, &FingerprintError{Text: text}
	}
	for item := range strings.FieldsSeq(rest) {
		key, value, ok := strings.Cut(item, "=")
		if !ok || value == "" {
			return Fingerprint{}, &FingerprintError{Text: text}
		}
		switch key {
		case "made":
			if f.Made, err = strconv.ParseInt(value, 10, 64); err != nil || f.Made <= 0 {
				return Fingerprint{}, &FingerprintError{Text: text}
			}
		case "rootfs":
			f.Root = value
		case "mac":
			f.MACs = strings.Split(value, ",")
		case "ctime":
			f.Ctime = value
		case "uuid":
			f.UUID = value
		}
	}
	return f, nil
}

// Verdict is the answer to "is this the guest that we know?".
type Verdict int

// The verdicts. Undecided wants the node's task list; see History.
const (
	Undecided Verdict = iota
	Same
	Different
)

// Compare judges by the configurations alone. An address in common proves a
// container; the name of its root volume proves nothing, because names are
// reused, but another address and another name together are another guest.
func (f Fingerprint) Compare(live Fingerprint) Verdict {
	if f.Kind != live.Kind || f.VMID != live.VMID {
		return Different
	}
	if f.Kind == guest.QEMU {
		return compareMarks(mark(f.Ctime, live.Ctime), mark(f.UUID, live.UUID))
	}
	for _, mac := range f.MACs {
		if slices.Contains(live.MACs, mac) {
			return Same
		}
	}
	if f.Root != "" && live.Root != "" && f.Root != live.Root {
		return Different
	}
	return Undecided
}

// mark compares two marks; what is missing on a side says nothing.
func mark(known, live string) Verdict {
	switch {
	case known == "" || live == "":
		return Undecided
	case known == live:
		return Same
	default:
		return Different
	}
}

// compareMarks wants both marks of a VM: a clone has its source's creation
// time, and the UUID can be written by anyone.
func compareMarks(ctime, uuid Verdict) Verdict {
	if ctime == uuid {
		return ctime
	}
	return Undecided
}

// History is what the node's task list says about a number since Made.
type History struct {
	// OwnSeen says that the task that made the guest is still on the list, so
	// the list reaches back far enough.
	OwnSeen bool
	// RemadeSeen says that the number was destroyed, created or restored later.
	RemadeSeen bool
}

// Decide settles an undecided comparison by the task list. Without a list that
// reaches back, a guest whose marks were never complete, or whose addresses
// have all changed, is not taken for ours.
func (f Fingerprint) Decide(live Fingerprint, h History) bool {
	switch f.Compare(live) {
	case Same:
		return true
	case Different:
		return false
	}
	switch {
	case h.RemadeSeen:
		return false
	case h.OwnSeen:
		return true
	case f.Kind == guest.QEMU:
		// A VM of an old Proxmox VE may lack a mark, or both, for good. One that was
		// made since has both.
		return f.Ctime == live.Ctime && f.UUID == live.UUID
	}
	// A reservation that was imported has no mark at all, and no data either.
	marked := f.Root != "" || f.Made == 0
	return marked && f.Root == live.Root && len(f.MACs) == 0 && len(live.MACs) == 0
}

// Complete reports whether the fingerprint has marks of the guest itself. One
// that was kept when the create had only been accepted has none.
func (f Fingerprint) Complete() bool {
	return f.Root != "" || len(f.MACs) > 0 || f.Ctime != "" || f.UUID != ""
}

// Refreshed is the fingerprint to keep after the live guest was recognised: the
// live marks, and when it was made.
func (f Fingerprint) Refreshed(live Fingerprint) Fingerprint {
	live.Made = f.Made
	return live
}
