package vm

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var shape = schemaOf(context.Background())

// emptyModel is a model in which everything is null, as in the first read after
// an import.
func emptyModel(t *testing.T) model {
	t.Helper()
	ctx := context.Background()
	object := shape.Type().TerraformType(ctx).(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, attribute := range object.AttributeTypes {
		values[name] = tftypes.NewValue(attribute, nil)
	}
	state := tfsdk.State{Schema: shape, Raw: tftypes.NewValue(object, values)}
	var m model
	if d := state.Get(ctx, &m); d.HasError() {
		t.Fatal(d)
	}
	return m
}

// imported is the model after the first read of a configuration.
func imported(t *testing.T, live map[string]string, vmid int64) model {
	t.Helper()
	m := emptyModel(t)
	m.VMID = types.Int64Value(vmid)
	if d := m.absorb(t.Context(), live, true); d.HasError() {
		t.Fatal(d)
	}
	state := tfsdk.State{Schema: shape, Raw: tftypes.NewValue(shape.Type().TerraformType(t.Context()), nil)}
	if d := state.Set(t.Context(), &m); d.HasError() {
		t.Fatalf("the state cannot hold it: %v", d)
	}
	return m
}
