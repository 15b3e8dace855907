package pvesim

import (
	"slices"
	"strings"
)

// cloneStorage checks the storage that the clone is to be on.
func (c *call) cloneStorage() error {
	id := c.str("storage")
	if id == "" {
		return nil
	}
	st, err := c.s.usable(id, c.node.name)
	if err != nil {
		return err
	}
	if err := c.needImages(id); err != nil {
		return err
	}
	if target := c.str("target"); target != "" && target != c.node.name {
		if _, err := c.s.usable(id, target); err != nil {
			return err
		}
		if !st.shared() {
			return die("can't clone to non-shared storage '%s'", id)
		}
	}
	return nil
}

// newVMCloning does the checks that both the call and the worker make.
func (c *call) newVMCloning(src *guest) (*vmCloning, error) {
	cl := &vmCloning{c: c, src: src, sec: &src.Section, full: !src.template()}
	if err := src.checkLock(); err != nil {
		return nil, err
	}
	if name := c.str("snapname"); name != "" {
		if cl.sec = src.Snapshots[name]; cl.sec == nil {
			return nil, die("snapshot '%s' does not exist", name)
		}
	}
	if c.has("full") {
		cl.full = c.flag("full")
	}
	for _, name := range words("storage format") {
		if c.has(name) && !cl.full {
			return nil, die("parameter '%s' not allowed for linked clones", name)
		}
	}
	if err := cl.mayClone(); err != nil {
		return nil, err
	}
	if target := c.str("target"); target != "" && target != src.node && c.s.firstLocal(cl.sec.Values) != "" {
		return nil, die("can't clone VM to node '%s' (VM uses local storage)", target)
	}
	if _, exists := c.s.files[guestPath(src.node, kindQEMU, c.int("newid"))]; exists {
		return nil, die("unable to create VM %d: config file already exists", c.int("newid"))
	}
	return cl, cl.features()
}

// mayClone checks the rights to storages, bridges and mapped devices.
func (cl *vmCloning) mayClone() error {
	c := cl.c
	for _, d := range cl.disks() {
		id := storageOf(d.file)
		if c.has("storage") {
			id = c.str("storage")
		}
		if err := c.need("/storage/"+id, "Datastore.AllocateSpace"); err != nil {
			return err
		}
	}
	for _, key := range sortedKeys(cl.sec.Values) {
		text := cl.sec.Values[key]
		if net, err := c.s.table.Parse("qemu.net", text, key); keyNumber(key, "net") >= 0 && err == nil && net["bridge"] != "" {
			if err := c.mayUseBridge(net["bridge"], net["tag"], net["trunks"]); err != nil {
				return err
			}
		}
		if strings.Contains(text, "mapping=") && (keyNumber(key, "usb") >= 0 || keyNumber(key, "hostpci") >= 0) {
			if err := c.mayUseDevice(key, text, "set"); err != nil {
				return err
			}
		}
	}
	return nil
}

// disks are the drives that are copied, by key; CD-ROM drives only keep
// their medium.
func (cl *vmCloning) disks() []*drive {
	return slices.DeleteFunc(cl.c.s.drives(cl.sec), func(d *drive) bool {
		return !d.hasVolume() || d.isCDROM() && !d.isCloudinit()
	})
}

// features refuses disks that can not be copied in the way that is asked for.
func (cl *vmCloning) features() error {
	c, name := cl.c, cl.c.str("snapname")
	for _, d := range cl.disks() {
		feature, word := "clone", "Linked"
		if cl.full || cl.alwaysFull(d) {
			feature, word = "copy", "Full"
		}
		if !c.s.vmHasFeature(feature, &mount{kind: mountVolume, volid: d.file}, name) {
			of := ""
			if name != "" {
				of = "a snapshot of "
			}
			return die("%s clone feature is not supported for %s'%s' (%s)", word, of, d.file, d.key)
		}
		if cl.full && d.key == "tpmstate0" && name == "" && c.s.isRunning(cl.src.vmid) {
			return die("cannot clone TPM state while VM is running")
		}
	}
	return nil
}

// alwaysFull tells whether a drive is copied even by a linked clone.
func (cl *vmCloning) alwaysFull(d *drive) bool { return d.isCloudinit() || d.key == "tpmstate0" }
