package container

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
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

func TestAbsorbFirst(t *testing.T) {
	t.Parallel()
	m := emptyModel(t)
	d := m.absorb(t.Context(), map[string]string{
		"cores": "2", "net0": "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:01,ip=dhcp,type=veth",
		"rootfs": "local-lvm:vm-100-disk-0,size=8G", "startup": "3,up=60", "memory": "512",
	}, true)
	if d.HasError() {
		t.Fatal(d)
	}
	t.Log(m.CPU, m.Network, m.Rootfs, m.Boot, m.Memory)
}
