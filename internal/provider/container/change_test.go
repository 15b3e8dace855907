package container

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// ownMount is a mount point with a volume of the container's own.
func ownMount(path, storage, size string) mountPointModel {
	p := *keys.Null[mountPointModel]()
	p.Path, p.Storage, p.Size = types.StringValue(path), types.StringValue(storage), attrs.SizeText(size)
	p.Volume = types.StringNull()
	return p
}

// namedMount is a mount point of what exists.
func namedMount(path, source string) mountPointModel {
	p := *keys.Null[mountPointModel]()
	p.Path, p.Volume = types.StringValue(path), types.StringValue(source)
	p.Storage, p.Size = types.StringNull(), attrs.NullSize()
	return p
}

func root(storage, size string) *rootfsModel {
	r := keys.Null[rootfsModel]()
	r.Storage, r.Size = types.StringValue(storage), attrs.SizeText(size)
	return r
}

func mountsOf(pairs ...any) map[string]mountPointModel {
	m := map[string]mountPointModel{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1].(mountPointModel)
	}
	return m
}

// done prints what a change sends, a line each.
func done(c *change) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(c.config.Set)) {
		lines = append(lines, "set "+key+"="+c.config.Set[key])
	}
	for _, key := range slices.Sorted(slices.Values(c.config.Delete)) {
		lines = append(lines, "delete "+key)
	}
	for _, r := range c.resizes {
		lines = append(lines, fmt.Sprintf("resize %s to %s", r.key, r.size))
	}
	for _, m := range c.moves {
		lines = append(lines, fmt.Sprintf("move %s to %s", m.key, m.storage))
	}
	return strings.Join(lines, "\n")
}

const liveMP0 = "local-lvm:vm-5001-disk-1,mp=/srv,size=4G"

func TestChange(t *testing.T) {
	t.Parallel()
	net := func(text string) map[string]sub {
		s, err := parseProperty("net0", text, "")
		if err != nil {
			t.Fatal(err)
		}
		return map[string]sub{"net0": s}
	}
	for name, tc := range map[string]struct {
		before, after wanted
		live          map[string]string
		want          string // what is sent; with a conflict, the keys
	}{
		"nothing differs": {
			wanted{scalars: map[string]string{"cores": "2"}}, wanted{scalars: map[string]string{"cores": "2"}},
			map[string]string{"cores": "8"}, "",
		},
		"one key is sent alone": {
			wanted{scalars: map[string]string{"cores": "2", "memory": "512"}}, wanted{scalars: map[string]string{"cores": "4", "memory": "512"}},
			map[string]string{"cores": "2", "memory": "512"}, "set cores=4",
		},
		"a key that is left out is deleted": {
			wanted{scalars: map[string]string{"cores": "2"}}, wanted{scalars: map[string]string{}},
			map[string]string{"cores": "2"}, "delete cores",
		},
		"memory that is left out goes back to the default": {
			wanted{scalars: map[string]string{"memory": "2048"}}, wanted{scalars: map[string]string{}},
			map[string]string{"memory": "2048"}, "set memory=512",
		},
		"a default that is written down is no change": {
			wanted{scalars: map[string]string{}}, wanted{scalars: map[string]string{"onboot": "0", "cpulimit": "0", "tty": "2"}},
			map[string]string{}, "",
		},
		"somebody else has made the same change": {
			wanted{scalars: map[string]string{"cores": "2"}}, wanted{scalars: map[string]string{"cores": "4"}},
			map[string]string{"cores": "4"}, "",
		},
		"somebody else has changed another key": {
			wanted{scalars: map[string]string{"cores": "2", "tags": "a"}}, wanted{scalars: map[string]string{"cores": "4", "tags": "a"}},
			map[string]string{"cores": "2", "tags": "a;b"}, "set cores=4",
		},
		"somebody else has changed the same key": {
			wanted{scalars: map[string]string{"cores": "2"}}, wanted{scalars: map[string]string{"cores": "4"}},
			map[string]string{"cores": "3"}, "conflict cores",
		},
		"a device keeps its address and what the schema does not know": {
			wanted{network: net("name=eth0,bridge=vmbr0")}, wanted{network: net("name=eth0,bridge=vmbr1")},
			map[string]string{"net0": "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01,later=1,type=veth"},
			"set net0=name=eth0,bridge=vmbr1,hwaddr=BC:24:11:00:00:01,later=1,type=veth",
		},
		"a device that is left out is deleted": {
			wanted{network: net("name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01")}, wanted{},
			map[string]string{"net0": "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01,type=veth"}, "delete net0",
		},
		"a device that somebody else has plugged elsewhere is not deleted": {
			wanted{network: net("name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01")}, wanted{},
			map[string]string{"net0": "name=eth0,bridge=vmbr9,hwaddr=BC:24:11:00:00:01,type=veth"}, "conflict net0",
		},
		"another sub-key that somebody else has changed stays as it is": {
			wanted{network: net("name=eth0,bridge=vmbr0,tag=5")}, wanted{network: net("name=eth0,bridge=vmbr1,tag=5")},
			map[string]string{"net0": "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01,tag=5,firewall=1,type=veth"},
			"set net0=name=eth0,bridge=vmbr1,firewall=1,hwaddr=BC:24:11:00:00:01,tag=5,type=veth",
		},
		"a mount point is attached": {
			wanted{}, wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, map[string]string{}, "set mp0=local-lvm:4,mp=/srv",
		},
		"a mount point is detached": {
			wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, wanted{}, map[string]string{"mp0": liveMP0}, "delete mp0",
		},
		"a mount point with another volume than was planned on is not detached": {
			wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, wanted{},
			map[string]string{"mp0": "local-lvm:vm-7000-disk-1,mp=/srv,size=4G"}, "conflict mp0",
		},
		"a mount point grows": {
			wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "6G"))},
			map[string]string{"mp0": liveMP0}, "resize mp0 to 6G",
		},
		"somebody else has grown it further": {
			wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "6G"))},
			map[string]string{"mp0": "local-lvm:vm-5001-disk-1,mp=/srv,size=20G"}, "conflict mp0",
		},
		"a mount point moves and keeps its options": {
			wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, wanted{mounts: mountsOf("mp0", ownMount("/srv", "tank", "4G"))},
			map[string]string{"mp0": liveMP0}, "move mp0 to tank",
		},
		"a path changes and the volume stays": {
			wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, wanted{mounts: mountsOf("mp0", ownMount("/data", "local-lvm", "4G"))},
			map[string]string{"mp0": liveMP0}, "set mp0=local-lvm:vm-5001-disk-1,mp=/data,size=4G",
		},
		"a mount point attached by hand is declared as what it is": {
			wanted{}, wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, map[string]string{"mp0": liveMP0}, "",
		},
		"a mount point attached by hand holds something else": {
			wanted{}, wanted{mounts: mountsOf("mp0", ownMount("/srv", "tank", "4G"))}, map[string]string{"mp0": liveMP0}, "conflict mp0",
		},
		"the volume is written down by its id": {
			wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, wanted{mounts: mountsOf("mp0", namedMount("/srv", "local-lvm:vm-5001-disk-1"))},
			map[string]string{"mp0": liveMP0}, "",
		},
		"another volume takes the key": {
			wanted{mounts: mountsOf("mp0", namedMount("/srv", "local-lvm:vm-7000-disk-0"))}, wanted{mounts: mountsOf("mp0", namedMount("/srv", "local-lvm:vm-7000-disk-1"))},
			map[string]string{"mp0": "local-lvm:vm-7000-disk-0,mp=/srv,size=4G"}, "set mp0=local-lvm:vm-7000-disk-1,mp=/srv",
		},
		"an undeclared mount point is left alone": {
			wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))}, wanted{mounts: mountsOf("mp0", ownMount("/srv", "local-lvm", "4G"))},
			map[string]string{"mp0": liveMP0, "mp7": "local-lvm:vm-5001-disk-7,mp=/by-hand,size=1G"}, "",
		},
		"the root disk grows and moves": {
			wanted{rootfs: root("local-lvm", "8G")}, wanted{rootfs: root("tank", "10G")},
			map[string]string{"rootfs": "local-lvm:vm-5001-disk-0,size=8G"}, "resize rootfs to 10G\nmove rootfs to tank",
		},
		"a bare size is read in bytes": {
			wanted{rootfs: root("local-lvm", "8G")}, wanted{rootfs: root("local-lvm", "8192M")},
			map[string]string{"rootfs": "volume=local-lvm:vm-5001-disk-0,size=8589934592"}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := change{self: 5001, before: tc.before, after: tc.after, live: tc.live}
			err := c.plan()
			got := done(&c)
			if conflict, ok := errors.AsType[*ConflictError](err); ok {
				got = "conflict " + strings.Join(conflict.Keys, ",")
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
