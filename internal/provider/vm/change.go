package vm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve/props"
)

// change is what has to be done to bring a live VM from what was planned on to
// what is wanted. A create is a change, too: of nothing, or of what the source of
// the clone brought.
type change struct {
	self   guest.VMID
	before *settings // what the plan was made on
	after  *settings // what is wanted
	live   map[string]string
	// password is sent with the change; empty for none.
	password string

	now    flat                         // live, taken apart
	subs   map[string]map[string]string // property strings to send, by key
	config pve.ConfigChange
	// allocates says that volumes are made, which may take longer than a node's
	// proxy waits.
	allocates bool
	moves     []move
	resizes   []resize
	frees     []string // keys whose volumes are freed, by the user's word
	theirs    []string // keys that somebody else has changed since
}

type resize struct {
	key  string
	size bytesize.Size
}

type move struct {
	key, storage, format string
	free                 bool // the old copy is freed
}

// ConflictError says that somebody else changed, since the plan was made, what
// the plan wants to change.
type ConflictError struct {
	VMID guest.VMID
	Keys []string
}

// Error names the keys.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("somebody else has changed %s of VM %d since the plan was made", strings.Join(e.Keys, ", "), e.VMID)
}

// SourceError says that a disk is to be made and nothing says from what.
type SourceError struct{ Key string }

// Error names the disk.
func (e *SourceError) Error() string {
	return fmt.Sprintf("%s is not there, and its configuration does not say what to make it from: set storage and size, import_from, or volume", e.Key)
}

// ShrinkError says that a disk is larger than it is to be.
type ShrinkError struct {
	Key         string
	Has, Wanted bytesize.Size
}

// Error names both sizes.
func (e *ShrinkError) Error() string {
	return fmt.Sprintf("%s has %s and would shrink to %s, and disks never shrink", e.Key, e.Has, e.Wanted)
}

// plan works out the change. The error is a *ConflictError, a *KeyError, a
// *SourceError or a *ShrinkError.
func (c *change) plan() error {
	c.config = pve.ConfigChange{Set: map[string]string{}}
	c.subs, c.moves, c.resizes, c.frees, c.theirs, c.allocates = map[string]map[string]string{}, nil, nil, nil, nil, false
	now, unreadable := flatten(c.live)
	c.now = now
	if err := c.untouched(unreadable); err != nil {
		return err
	}
	c.keys()
	for _, step := range []func() error{c.disks, c.cdroms, c.firmware, c.cloudInit} {
		if err := step(); err != nil {
			return err
		}
	}
	c.boot()
	if len(c.theirs) > 0 {
		slices.Sort(c.theirs)
		return &ConflictError{VMID: c.self, Keys: slices.Compact(c.theirs)}
	}
	return c.print()
}

// untouched refuses to change a key whose live value cannot be read.
func (c *change) untouched(unreadable []error) error {
	wanted := flat{}
	keys.Encode(c.after, wanted)
	for _, err := range unreadable {
		if e, ok := errors.AsType[*KeyError](err); ok && wanted.sub(e.Key) != nil {
			return err
		}
	}
	return nil
}

// keys compares everything that has a key of its own.
func (c *change) keys() {
	before, wanted := flat{}, flat{}
	keys.Encode(c.before, before)
	keys.Encode(c.after, wanted)
	found := keys.Changes[settings](c.now, before, wanted)
	for _, name := range found.Theirs {
		key, _ := keyOf(name)
		c.theirs = append(c.theirs, key)
	}
	for _, name := range found.Set {
		key, sub := keyOf(name)
		if sub == "" {
			c.config.Set[key] = encoded(key, wanted[name])
			continue
		}
		c.sub(key)[sub] = wanted[name]
	}
	for _, name := range found.Gone {
		switch key, sub := keyOf(name); {
		case sub == "":
			c.config.Delete = append(c.config.Delete, key)
		case !isDrive(key): // whole drives are dealt with by their map
			delete(c.sub(key), sub)
		}
	}
	c.options(found.Gone)
	c.elements(before, wanted)
	if c.password != "" {
		c.config.Set["cipassword"] = c.password
	}
}

// options takes options off drives that stay.
func (c *change) options(gone []string) {
	for _, name := range gone {
		key, sub := keyOf(name)
		if isDrive(key) && c.stays(key) {
			delete(c.sub(key), sub)
		}
	}
}

func (c *change) stays(key string) bool {
	_, disk := c.after.Disks[key]
	return disk
}

// numberedElements are the maps whose elements are whole keys, drives aside.
var numberedElements = []string{"net", "hostpci", "usb", "virtiofs", "serial", "parallel", "numa", "ipconfig"}

// elements deletes the keys of elements that the plan leaves out, with the
// sub-keys that nobody declared.
func (c *change) elements(before, wanted flat) {
	for name := range before {
		key, sub := keyOf(name)
		base := strings.TrimRight(key, "0123456789")
		if sub == "" || !slices.Contains(numberedElements, base) || wanted.sub(key) != nil || c.now.sub(key) == nil {
			continue
		}
		c.subs[key] = map[string]string{}
	}
}

// sub is the property string of a key as it will be sent: the live one to begin
// with, so that what nobody declared survives.
func (c *change) sub(key string) map[string]string {
	if c.subs[key] == nil {
		c.subs[key] = map[string]string{}
		maps.Copy(c.subs[key], c.now.sub(key))
	}
	return c.subs[key]
}

// print turns the property strings into text. One without a sub-key is deleted.
func (c *change) print() error {
	for _, key := range slices.Sorted(maps.Keys(c.subs)) {
		sub := c.subs[key]
		if len(sub) == 0 {
			if _, present := c.live[key]; present && !slices.Contains(c.config.Delete, key) {
				c.config.Delete = append(c.config.Delete, key)
			}
			continue
		}
		text, err := printKey(key, sub)
		if _, headless := errors.AsType[*props.MissingError](err); headless && c.live[key] != "" {
			c.config.Delete = append(c.config.Delete, key) // what is left means nothing by itself
			continue
		}
		if err != nil {
			return err
		}
		c.config.Set[key] = text
	}
	c.config.Delete = slices.DeleteFunc(c.config.Delete, func(key string) bool {
		_, set := c.config.Set[key]
		return set
	})
	slices.Sort(c.config.Delete)
	return nil
}

// boot gives a VM that can boot from nothing its first disk to boot from. An empty
// VM has a blank boot order, and Proxmox does not add a disk to it.
// Source: PVE::API2::Qemu, boot.
func (c *change) boot() {
	if text, present := c.live["boot"]; !present || strings.TrimSpace(text) != "" || c.subs["boot"] != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(c.after.Disks)) {
		if c.now.sub(key) == nil && c.subs[key] != nil {
			c.sub("boot")["order"] = key
			return
		}
	}
}

// cloudInitKeys are the keys that the cloud-init drive is made from.
var cloudInitKeys = []string{"ciuser", "cipassword", "citype", "ciupgrade", "cicustom", "sshkeys", "nameserver", "searchdomain"}

// regenerates reports whether the cloud-init drive has to be written anew.
func (c *change) regenerates() bool {
	drive, _ := c.now.cloudInitDrive()
	if drive == "" {
		return false // a new drive is written when it is made
	}
	return slices.ContainsFunc(c.sent(), func(key string) bool {
		return slices.Contains(cloudInitKeys, key) || strings.HasPrefix(key, "ipconfig")
	})
}

// sent are the keys that the change sets or deletes, sorted.
func (c *change) sent() []string {
	sent := slices.Clone(c.config.Delete)
	for key := range c.config.Set {
		sent = append(sent, key)
	}
	slices.Sort(sent)
	return sent
}

// parts splits the change in two where protection is taken off together with a
// drive: Proxmox judges by the protection that was there before.
// Source: PVE::API2::Qemu $update_vm_api.
func (c *change) parts(digest string) []pve.ConfigChange {
	whole := c.config
	whole.Digest = digest
	if whole.Empty() {
		return nil
	}
	lifted := slices.Contains(whole.Delete, "protection") || whole.Set["protection"] == "0"
	if !lifted || !slices.ContainsFunc(whole.Delete, isDriveOrState) {
		return []pve.ConfigChange{whole}
	}
	first := pve.ConfigChange{Set: map[string]string{"protection": "0"}, Digest: digest}
	whole.Set = maps.Clone(whole.Set)
	delete(whole.Set, "protection")
	whole.Delete = slices.DeleteFunc(slices.Clone(whole.Delete), func(key string) bool { return key == "protection" })
	whole.Digest = "" // the first part has moved it on
	return []pve.ConfigChange{first, whole}
}

func isDriveOrState(key string) bool {
	return isDrive(key) || key == "efidisk0" || key == "tpmstate0"
}
