package keys_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

type machine struct {
	Cores types.Int64  `pve:"cores,default=1"`
	Type  types.String `pve:"cpu.cputype"`
	MAC   types.String `pve:"macaddr,detected,fold"`
}

func TestOnlyWhatIsDeclaredIsRead(t *testing.T) {
	t.Parallel()
	live := map[string]string{"cores": "4", "cpu.cputype": "host", "macaddr": "BC:24:11:00:00:01"}
	m := keys.Null[machine]()
	m.Type = types.StringValue("kvm64")
	keys.DecodeDeclared(m, live, false)
	if !m.Cores.IsNull() {
		t.Errorf("cores, which nobody declared, were read as %s", m.Cores)
	}
	if m.Type.ValueString() != "host" || m.MAC.ValueString() != "BC:24:11:00:00:01" {
		t.Errorf("read type %s, address %s", m.Type, m.MAC)
	}
	first := keys.Null[machine]()
	keys.DecodeDeclared(first, live, true)
	if first.Cores.ValueInt64() != 4 {
		t.Errorf("the first read has cores %s", first.Cores)
	}
}

type device struct {
	Bridge types.String `pve:"bridge"`
	MAC    types.String `pve:"macaddr,detected,fold"`
}

type disk struct {
	Cache  types.String `tfsdk:"cache" pve:"cache"`
	Limits *limits      `tfsdk:"limits" pve:",group"`
}

type limits struct {
	MBps types.Float64 `tfsdk:"mbps" pve:"mbps"`
}

type whole struct {
	Cores   types.Int64       `tfsdk:"cores" pve:"cores"`
	Network map[string]device `tfsdk:"network" pve:"net,each"`
	Disks   map[string]disk   `tfsdk:"disks" pve:"disk:,each"`
}

func TestNumberedKeysAndGroups(t *testing.T) {
	t.Parallel()
	live := map[string]string{
		"cores": "2", "net0.bridge": "vmbr0", "net0.macaddr": "bc:24:11:00:00:01", "net1.bridge": "vmbr1",
		"network.bridge": "none", "disk:scsi0.cache": "none", "disk:scsi0.mbps": "10.000",
	}
	first := keys.Null[whole]()
	keys.DecodeDeclared(first, live, true)
	again := map[string]string{}
	keys.Encode(first, again)
	live["disk:scsi0.mbps"] = "10" // the same number
	delete(live, "network.bridge")
	if !maps.Equal(again, live) {
		t.Errorf("read and written again:\n%v, want\n%v", again, live)
	}
	part := keys.Null[whole]()
	part.Network = map[string]device{"net0": {Bridge: types.StringValue("vmbr9")}}
	keys.DecodeDeclared(part, live, false)
	if len(part.Network) != 1 || part.Network["net0"].Bridge.ValueString() != "vmbr0" || part.Network["net0"].MAC.IsNull() || part.Disks != nil {
		t.Errorf("a declared device was read as %+v", part)
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	live := map[string]string{"cores": "2", "net0.bridge": "vmbr0", "net0.macaddr": "BC:24:11:00:00:01", "net1.bridge": "vmbr1", "net2.bridge": "vmbr2", "net4.bridge": "theirs"}
	before := map[string]string{"cores": "2", "net0.bridge": "vmbr0", "net1.bridge": "vmbr1", "disk:scsi0.cache": "none", "net4.bridge": "vmbr4", "net5.bridge": "vmbr5"}
	wanted := map[string]string{"net0.bridge": "vmbr7", "net0.macaddr": "bc:24:11:00:00:01", "net3.bridge": "vmbr0", "net4.bridge": "ours", "net5.bridge": "vmbr5"}
	c := keys.Changes[whole](live, before, wanted)
	if want := []string{"net0.bridge", "net3.bridge"}; !slices.Equal(c.Set, want) {
		t.Errorf("set %v, want %v", c.Set, want)
	}
	// net2 was never declared, scsi0 is gone already.
	if want := []string{"cores", "net1.bridge"}; !slices.Equal(c.Gone, want) {
		t.Errorf("gone %v, want %v", c.Gone, want)
	}
	if want := []string{"net4.bridge"}; !slices.Equal(c.Theirs, want) {
		t.Errorf("theirs %v, want %v", c.Theirs, want)
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	got := keys.Paths[whole](map[string]string{"cores": "2", "disk:scsi0.mbps": "1", "disk:scsi1.cache": "none", "nobody": "knows"})
	for key, want := range map[string]string{"cores": "cores", "disk:scsi0.mbps": `disks["scsi0"].limits.mbps`, "disk:scsi1.cache": `disks["scsi1"].cache`} {
		if got[key].String() != want {
			t.Errorf("%s is at %s, want %s", key, got[key], want)
		}
	}
	if len(got) != 3 {
		t.Errorf("got %v", got)
	}
}
