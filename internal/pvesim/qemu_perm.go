package pvesim

import (
	"slices"
	"strings"
)

// vmKeyPrivilege is the privilege that a plain key needs.
// Source: PVE::API2::Qemu, $cpuoptions and the lists after it.
var vmKeyPrivilege = func() map[string]string {
	out := map[string]string{}
	for privilege, keys := range map[string]string{
		"VM.Config.CPU":    "cores cpu cpulimit cpuunits numa smp sockets vcpus",
		"VM.Config.Memory": "memory balloon shares allow-ksm",
		"VM.Config.HWType": "acpi hotplug kvm machine scsihw smbios1 tablet vga watchdog audio0 rng0",
		"VM.Config.Options": "agent autostart bios description keyboard localtime migrate_downtime migrate_speed name onboot ostype " +
			"protection reboot startdate startup tdf template tags",
		"VM.Config.Disk": "boot bootdisk vmstatestorage",
		"VM.PowerMgmt":   "freeze",
	} {
		for _, key := range words(keys) {
			out[key] = privilege
		}
	}
	return out
}()

// cloudinitKeys are the keys that only cloud-init reads.
var cloudinitKeys = words("cicustom cipassword citype ciupgrade ciuser nameserver searchdomain sshkeys")

func isCloudinitKey(key string) bool {
	return slices.Contains(cloudinitKeys, key) || keyNumber(key, "ipconfig") >= 0
}

// vmChange is a wish to set and delete keys of a virtual machine.
type vmChange struct {
	vmid int
	pool string
	old  map[string]string // nil for a new machine
	set  map[string]string
	del  []string
}

// mayChangeVM refuses what the caller may not change; root@pam may
// everything. Drives of an existing machine are checked one by one later.
// Source: PVE::API2::Qemu check_vm_modify_config_perm.
func (c *call) mayChangeVM(ch vmChange) error {
	if c.user.root() {
		return nil
	}
	for _, key := range ch.del {
		if err := c.mayChangeVMKey(ch, key, "delete"); err != nil {
			return err
		}
	}
	verb := "modify"
	if ch.old == nil {
		verb = "set"
	}
	for _, key := range sortedKeys(ch.set) {
		if err := c.mayChangeVMKey(ch, key, verb); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) mayChangeVMKey(ch vmChange, key, verb string) error {
	switch {
	case isDrive(key), isUnused(key), key == "cdrom", key == "vmstate":
		return nil
	case key == "tags":
		return c.needTags(ch.vmid, ch.pool, ch.old["tags"], ch.set["tags"])
	case key == "startup":
		if err := c.needOwn(ch.vmid, ch.pool, "VM.Config.Options"); err != nil {
			return err
		}
		return c.need("/", "Sys.Modify")
	case keyNumber(key, "numa") >= 0:
		return c.needOwn(ch.vmid, ch.pool, "VM.Config.CPU")
	case isCloudinitKey(key):
		if c.may(vmPath(ch.vmid), "VM.Config.Cloudinit") || ch.pool != "" && c.may("/pool/"+ch.pool, "VM.Config.Cloudinit") {
			return nil
		}
		return c.needOwn(ch.vmid, ch.pool, "VM.Config.Network")
	case keyNumber(key, "net") >= 0:
		return c.mayChangeVMNet(ch, key)
	case keyNumber(key, "serial") >= 0, keyNumber(key, "usb") >= 0, keyNumber(key, "hostpci") >= 0:
		return c.mayChangeDevice(ch, key, verb)
	case keyNumber(key, "virtiofs") >= 0:
		return c.mayChangeVirtiofs(ch, key)
	case vmKeyPrivilege[key] == "":
		return die("only root can set '%s' config", key)
	}
	if err := c.needOwn(ch.vmid, ch.pool, vmKeyPrivilege[key]); err != nil {
		return err
	}
	if model := ch.set["cpu"]; key == "cpu" && strings.HasPrefix(model, "custom-") {
		return c.need("/mapping/cpu/"+strings.TrimPrefix(strings.SplitN(model, ",", 2)[0], "custom-"), "Mapping.Use")
	}
	if key == "vmstatestorage" && ch.set[key] != "" {
		return c.need("/storage/"+ch.set[key], "Datastore.AllocateSpace")
	}
	return nil
}

// mayChangeVMNet needs the right to use the bridge before and after.
func (c *call) mayChangeVMNet(ch vmChange, key string) error {
	if err := c.needOwn(ch.vmid, ch.pool, "VM.Config.Network"); err != nil {
		return err
	}
	for _, text := range []string{ch.old[key], ch.set[key]} {
		net, err := c.s.table.Parse("qemu.net", text, key)
		if text == "" || err != nil || net["bridge"] == "" {
			continue
		}
		if err := c.mayUseBridge(net["bridge"], net["tag"], net["trunks"]); err != nil {
			return err
		}
	}
	return nil
}

// mayChangeDevice is about devices of the host: those that are mapped need
// the mapping, others are kept for root@pam.
// Source: PVE::API2::Qemu check_usb_perm, check_hostpci_perm.
func (c *call) mayChangeDevice(ch vmChange, key, verb string) error {
	if err := c.needOwn(ch.vmid, ch.pool, "VM.Config.HWType"); err != nil {
		return err
	}
	for _, text := range []string{ch.old[key], ch.set[key]} {
		if text == "" {
			continue
		}
		if err := c.mayUseDevice(key, text, verb); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) mayUseDevice(key, text, verb string) error {
	kind := bus(key)
	if kind == "serial" {
		if text != "socket" {
			return die("only root can %s '%s' config for real devices", verb, key)
		}
		return nil
	}
	keys, err := c.s.table.Parse(map[string]string{"usb": "qemu.usb", "hostpci": "pve-qm-hostpci"}[kind], text, key)
	if err != nil {
		return nil //nolint:nilerr // the check of the parameters has refused it
	}
	switch {
	case keys["mapping"] != "":
		return c.need("/mapping/"+map[string]string{"usb": "usb", "hostpci": "pci"}[kind]+"/"+keys["mapping"], "Mapping.Use")
	case kind == "hostpci" && keys["romfile"] != "":
		return wrong(key, "only root@pam can set 'romfile' option")
	case kind == "hostpci":
		return die("only root can %s '%s' config for non-mapped devices", verb, key)
	case strings.EqualFold(keys["host"], "spice"):
		return nil
	}
	return die("only root can %s '%s' config for real devices", verb, key)
}

func (c *call) mayChangeVirtiofs(ch vmChange, key string) error {
	if err := c.needOwn(ch.vmid, ch.pool, "VM.Config.Disk"); err != nil {
		return err
	}
	for _, text := range []string{ch.old[key], ch.set[key]} {
		if keys, err := c.s.table.Parse("qemu.virtiofs", text, key); text != "" && err == nil {
			if err := c.need("/mapping/dir/"+keys["dirid"], "Mapping.Use"); err != nil {
				return err
			}
		}
	}
	return nil
}
