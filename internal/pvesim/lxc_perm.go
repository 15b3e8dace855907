package pvesim

import (
	"regexp"
	"slices"
)

// newDisk is the text that asks for a new volume: STORAGE:SIZE_IN_GIB.
// Source: PVE::LXC $NEW_DISK_RE.
var newDisk = regexp.MustCompile(`^([^:\s]+):(\d+(?:\.\d+)?)$`)

// lxcKeyPrivilege is the privilege that a plain key needs.
var lxcKeyPrivilege = map[string]string{
	"cores": "VM.Config.CPU", "cpuunits": "VM.Config.CPU", "cpulimit": "VM.Config.CPU",
	"memory": "VM.Config.Memory", "swap": "VM.Config.Memory",
	"nameserver": "VM.Config.Network", "searchdomain": "VM.Config.Network", "hostname": "VM.Config.Network",
}

// lxcChange is a wish to set and delete keys of a container.
type lxcChange struct {
	vmid         int
	pool         string
	old          map[string]string // nil for a new container
	set          map[string]string
	del          []string
	unprivileged bool
}

// mayChange refuses what the caller may not change; root@pam may everything.
// Source: PVE::LXC check_ct_modify_config_perm.
func (c *call) mayChange(ch lxcChange) error {
	if c.user.root() {
		return nil
	}
	for _, key := range sortedKeys(ch.set) {
		if err := c.mayChangeKey(ch, key, false); err != nil {
			return err
		}
	}
	for _, key := range ch.del {
		if err := c.mayChangeKey(ch, key, true); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) mayChangeKey(ch lxcChange, key string, del bool) error {
	switch {
	case lxcKeyPrivilege[key] != "":
		return c.needOwn(ch.vmid, ch.pool, lxcKeyPrivilege[key])
	case key == "rootfs" || keyNumber(key, "mp") >= 0:
		return c.mayChangeMount(ch, key, del)
	case keyNumber(key, "dev") >= 0:
		return denied("configuring device passthrough is only allowed for root@pam")
	case keyNumber(key, "net") >= 0:
		return c.mayChangeNet(ch, key)
	case key == "features":
		return c.mayChangeFeatures(ch, del)
	case key == "hookscript":
		return denied("changing the hookscript is only allowed for root@pam")
	case key == "tags":
		return c.needTags(ch.vmid, ch.pool, ch.old["tags"], ch.set["tags"])
	}
	return c.needOwn(ch.vmid, ch.pool, "VM.Config.Options")
}

func (c *call) mayChangeMount(ch lxcChange, key string, del bool) error {
	if err := c.needOwn(ch.vmid, ch.pool, "VM.Config.Disk"); err != nil || del {
		return err
	}
	m := c.s.mount(kindLXC, key, ch.set[key])
	if m == nil {
		return nil
	}
	if m.kind != mountVolume {
		return denied("mount point type %s is only allowed for root@pam", m.kind)
	}
	if n := newDisk.FindStringSubmatch(m.volid); n != nil {
		return c.need("/storage/"+n[1], "Datastore.AllocateSpace")
	}
	if bareSize.MatchString(m.volid) && ch.old == nil {
		return nil // the storage is checked when it is known
	}
	return c.mayUse(m.volid, ch.vmid, "rootdir")
}

func (c *call) mayChangeNet(ch lxcChange, key string) error {
	if err := c.needOwn(ch.vmid, ch.pool, "VM.Config.Network"); err != nil {
		return err
	}
	for _, text := range []string{ch.old[key], ch.set[key]} {
		net, err := c.s.table.Parse("lxc.net", text, key)
		if text == "" || err != nil || net["bridge"] == "" {
			continue
		}
		if err := c.mayUseBridge(net["bridge"], net["tag"], net["trunks"]); err != nil {
			return err
		}
	}
	return nil
}

// mayUseBridge checks the right to attach a guest to a bridge with a tag.
// Source: PVE::RPCEnvironment check_sdn_bridge.
func (c *call) mayUseBridge(name, tag, trunks string) error {
	path := "/sdn/zones/localnetwork/" + name
	if c.may(path, "SDN.Use") && tag == "" && trunks == "" {
		return nil
	}
	tags := splitList(trunks)
	if tag != "" {
		tags = append(tags, tag)
	}
	for _, t := range tags {
		if err := c.needAny(path+"/"+t, "SDN.Audit", "SDN.Use"); err != nil {
			return err
		}
	}
	if len(tags) > 0 {
		return nil
	}
	return c.needAny(path, "SDN.Use")
}

func (c *call) mayChangeFeatures(ch lxcChange, del bool) error {
	if !ch.unprivileged {
		return denied("changing feature flags for privileged container is only allowed for root@pam")
	}
	before, _ := c.s.table.Parse("lxc.features", ch.old["features"], "features")
	after := map[string]string{}
	if !del {
		after, _ = c.s.table.Parse("lxc.features", ch.set["features"], "features")
	}
	nesting, other := before["nesting"] != after["nesting"], false
	for _, key := range slices.Concat(sortedKeys(before), sortedKeys(after)) {
		other = other || key != "nesting" && before[key] != after[key]
	}
	if other {
		return denied("changing feature flags (except nesting) is only allowed for root@pam")
	}
	if nesting {
		return c.needOwn(ch.vmid, ch.pool, "VM.Allocate")
	}
	return nil
}
