// Package guest names a guest: its number, its kind and the node it was last
// seen on.
//
// It decides what a valid VMID is. It knows neither the API nor Terraform, and
// whether a guest exists is not its question.
package guest

import (
	"fmt"
	"strconv"
	"strings"
)

// VMID is a guest's number, MinVMID to MaxVMID, unique in a cluster over both
// kinds. The zero value is no guest.
type VMID int

// The bounds of a VMID, both inclusive. Source: PVE::JSONSchema pve-vmid,
// format ^[1-9][0-9]{2,8}$.
const (
	MinVMID VMID = 100
	MaxVMID VMID = 999999999
)

// Valid reports whether Proxmox would accept v as a VMID.
func (v VMID) Valid() bool { return v >= MinVMID && v <= MaxVMID }

// String is the decimal number.
func (v VMID) String() string { return strconv.Itoa(int(v)) }

// A VMIDError says that a text is not a VMID.
type VMIDError struct {
	Text string
}

// Error names the text and the range that is allowed.
func (e *VMIDError) Error() string {
	return fmt.Sprintf("%q is not a VMID: a VMID is a number from %d to %d without leading zeros", e.Text, MinVMID, MaxVMID)
}

// ParseVMID reads a VMID as Proxmox does: digits only, no sign, no leading
// zero. The error is a *VMIDError.
func ParseVMID(s string) (VMID, error) {
	if len(s) < 3 || len(s) > 9 || s[0] == '0' || strings.Trim(s, "0123456789") != "" {
		return 0, &VMIDError{Text: s}
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, &VMIDError{Text: s}
	}
	return VMID(n), nil
}

// Kind is what a guest is. It is an observation beside the number and never
// part of the key: a number belongs to one guest of either kind.
type Kind string

// The kinds, in the words of Proxmox's paths and of /cluster/resources.
const (
	LXC  Kind = "lxc"
	QEMU Kind = "qemu"
)

// Noun is what people call a guest of this kind: "container" or "VM".
func (k Kind) Noun() string {
	switch k {
	case LXC:
		return "container"
	case QEMU:
		return "VM"
	default:
		return "guest"
	}
}

// Command is the command-line tool for this kind on a node: "pct" or "qm".
func (k Kind) Command() string {
	if k == QEMU {
		return "qm"
	}
	return "pct"
}

// Ref addresses a guest: the API wants the node and the kind in the path.
type Ref struct {
	Node string
	Kind Kind
	VMID VMID
}

// String reads like the ids of /cluster/resources with the node in front, for
// example "pve1/lxc/5001".
func (r Ref) String() string {
	return r.Node + "/" + string(r.Kind) + "/" + r.VMID.String()
}
