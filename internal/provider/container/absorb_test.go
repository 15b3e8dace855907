package container

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// emptyModel is a model in which everything is null, as in the first read after
// an import.
func emptyModel(t *testing.T) model {
	t.Helper()
	ctx := context.Background()
	state := tfsdk.State{Schema: shape, Raw: tftypes.NewValue(shape.Type().TerraformType(ctx), nil)}
	state.Raw = nullObject(t, shape.Type().TerraformType(ctx).(tftypes.Object))
	var m model
	if d := state.Get(ctx, &m); d.HasError() {
		t.Fatal(d)
	}
	return m
}

func nullObject(t *testing.T, object tftypes.Object) tftypes.Value {
	t.Helper()
	values := map[string]tftypes.Value{}
	for name, attribute := range object.AttributeTypes {
		values[name] = tftypes.NewValue(attribute, nil)
	}
	return tftypes.NewValue(object, values)
}

func TestAbsorbReadsEachKeyIntoItsAttribute(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		live map[string]string
		of   func(model) attr.Value
		want string
	}{
		"cores":                       {map[string]string{"cores": "2"}, func(m model) attr.Value { return m.CPU }, `{"cores":2,"limit":<null>,"units":<null>}`},
		"no cores":                    {nil, func(m model) attr.Value { return m.CPU }, `<null>`},
		"swap that is absent":         {nil, func(m model) attr.Value { return m.Memory }, `{"size":<null>,"swap":512}`},
		"no swap":                     {map[string]string{"swap": "0"}, func(m model) attr.Value { return m.Memory }, `{"size":<null>,"swap":0}`},
		"unprivileged that is absent": {nil, func(m model) attr.Value { return m.Unprivileged }, `false`},
		"a name that Proxmox made":    {map[string]string{"hostname": "CT5001"}, func(m model) attr.Value { return m.Hostname }, `<null>`},
		"a name":                      {map[string]string{"hostname": "web"}, func(m model) attr.Value { return m.Hostname }, `"web"`},
		"a bare startup order":        {map[string]string{"startup": "3,up=60"}, func(m model) attr.Value { return m.Boot }, `{"debug":<null>,"on_boot":<null>,"startup":{"down":<null>,"order":3,"up":60}}`},
		"features in words": {map[string]string{"features": "nesting=yes,fuse=off,mount=nfs;cifs"}, func(m model) attr.Value { return m.Features },
			`{"force_rw_sys":<null>,"fuse":false,"keyctl":<null>,"mknod":<null>,"mount":["cifs","nfs"],"nesting":true}`},
		"a device": {map[string]string{"dev0": "path=/dev/ttyUSB0,mode=0440,deny-write=1"}, func(m model) attr.Value { return m.Devices },
			`{"dev0":{"deny_write":true,"gid":<null>,"mode":"0440","path":"/dev/ttyUSB0","uid":<null>}}`},
		"a size without a unit is read in bytes":     {map[string]string{"rootfs": "size=2147483648,volume=local-lvm:vm-5001-disk-0"}, rootfsSize, `"2G"`},
		"a size that no configuration could ask for": {map[string]string{"rootfs": "local-lvm:vm-5001-disk-0,size=4100K"}, rootfsSize, `"4M"`},
		"no size":                  {map[string]string{"rootfs": "local-lvm:vm-5001-disk-0"}, rootfsSize, `<null>`},
		"a volume of its own":      {map[string]string{"mp0": "local-lvm:vm-5001-disk-1,mp=/srv,size=4G"}, mp0Source, `"local-lvm" "4G" <null>`},
		"somebody else's volume":   {map[string]string{"mp0": "local-lvm:vm-7000-disk-1,mp=/srv,size=4G"}, mp0Source, `<null> <null> "local-lvm:vm-7000-disk-1"`},
		"a directory of the node":  {map[string]string{"mp0": "volume=/tank,mp=/srv"}, mp0Source, `<null> <null> "/tank"`},
		"a volume of unclear size": {map[string]string{"mp0": "local-lvm:vm-5001-disk-1,mp=/srv,size=8589934592"}, mp0Source, `<null> <null> "local-lvm:vm-5001-disk-1"`},
		"a volume without a quota": {map[string]string{"mp0": "local:5001/subvol-5001-disk-1.subvol,mp=/srv,size=0T"}, mp0Source, `<null> <null> "local:5001/subvol-5001-disk-1.subvol"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := emptyModel(t)
			m.VMID = types.Int64Value(5001)
			if d := m.absorb(t.Context(), tc.live, true); d.HasError() {
				t.Fatal(d)
			}
			if got := tc.of(m).String(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func rootfsSize(m model) attr.Value { return m.Rootfs.Attributes()["size"] }

// mp0Source prints storage, size and volume of mp0.
func mp0Source(m model) attr.Value {
	mp0 := m.MountPoints.Elements()["mp0"].(types.Object).Attributes()
	return words(mp0["storage"].String() + " " + mp0["size"].String() + " " + mp0["volume"].String())
}

// words prints as it stands.
type words string

func (w words) String() string                                        { return string(w) }
func (words) Type(context.Context) attr.Type                          { return types.StringType }
func (words) ToTerraformValue(context.Context) (tftypes.Value, error) { return tftypes.Value{}, nil }
func (words) Equal(attr.Value) bool                                   { return false }
func (words) IsNull() bool                                            { return false }
func (words) IsUnknown() bool                                         { return false }

func TestAMountPointThatIsNotDeclaredIsLeftAlone(t *testing.T) {
	t.Parallel()
	m := emptyModel(t)
	m.VMID = types.Int64Value(5001)
	live := map[string]string{"rootfs": "local-lvm:vm-5001-disk-0,size=8G", "mp0": "local-lvm:vm-5001-disk-1,mp=/srv,size=4G"}
	if d := m.absorb(t.Context(), live, true); d.HasError() {
		t.Fatal(d)
	}
	live["mp7"] = "local-lvm:vm-5001-disk-7,mp=/by-hand,size=1G"
	if d := m.absorb(t.Context(), live, false); d.HasError() {
		t.Fatal(d)
	}
	if _, read := m.MountPoints.Elements()["mp7"]; read || len(m.MountPoints.Elements()) != 1 {
		t.Errorf("mount points: %s", m.MountPoints)
	}
}

// TestWhatIsReadIsWhatIsWanted reads every case and works out the change that
// writing it back would make: none.
func TestWhatIsReadIsWhatIsWanted(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../pvesim/testdata/cases/parsed/lxc/*.json")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		live := parsedCase(t, path)
		m := emptyModel(t)
		m.VMID = types.Int64Value(5001)
		if d := m.absorb(t.Context(), live, true); d.HasError() {
			if !strings.Contains(path, "invalid") {
				t.Errorf("%s: %v", path, d)
			}
			continue
		}
		first := m
		if d := m.absorb(t.Context(), live, false); d.HasError() || !m.Network.Equal(first.Network) || !m.Rootfs.Equal(first.Rootfs) || !m.Memory.Equal(first.Memory) || !m.Boot.Equal(first.Boot) {
			t.Errorf("%s: the second read differs from the first: %v", path, d)
		}
		after, d := m.wants(t.Context())
		if d.HasError() {
			t.Errorf("%s: %v", path, d)
		}
		nothing := emptyModel(t)
		before, _ := nothing.wants(t.Context())
		before.rootfs, before.mounts = after.rootfs, after.mounts
		c := change{self: 5001, before: before, after: after, live: explicit(live, &m)}
		if err := c.plan(); err != nil || done(&c) != "" {
			t.Errorf("%s: writing back what was read sends %q, %v", path, done(&c), err)
		}
	}
}

// parsedCase is a configuration as Proxmox's own parser gives it, as text.
func parsedCase(t *testing.T, path string) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&values); err != nil {
		t.Fatal(err)
	}
	live := map[string]string{}
	for key, value := range values {
		switch v := value.(type) {
		case string:
			live[key] = v
		case json.Number:
			live[key] = v.String()
		}
	}
	delete(live, "digest")
	return live
}
