package guestfirewall_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
)

// values are some attributes of an object; the others are null.
type values = map[string]attr.Value

func object(t *testing.T, shape map[string]attr.Type, set values) types.Object {
	t.Helper()
	all := values{}
	for name, kind := range shape {
		null, err := kind.ValueFromTerraform(t.Context(), tftypes.NewValue(kind.TerraformType(t.Context()), nil))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = null
	}
	for name, value := range set {
		if _, there := shape[name]; !there {
			t.Fatalf("there is no attribute %s", name)
		}
		all[name] = value
	}
	return types.ObjectValueMust(shape, all)
}

// declare is the attribute firewall.
func declare(t *testing.T, set values) types.Object {
	t.Helper()
	if _, given := set["enabled"]; !given {
		set["enabled"] = types.BoolValue(true)
	}
	return object(t, guestfirewall.Types, set)
}

var ruleShape = guestfirewall.Types["rules"].(types.ListType).ElemType.(types.ObjectType)

func list(t *testing.T, rules ...values) types.List {
	t.Helper()
	var all []attr.Value
	for _, rule := range rules {
		all = append(all, object(t, ruleShape.AttrTypes, rule))
	}
	return types.ListValueMust(ruleShape, all)
}

func set(addresses ...string) types.Set {
	var all []attr.Value
	for _, address := range addresses {
		all = append(all, types.StringValue(address))
	}
	return types.SetValueMust(types.StringType, all)
}

func allowed(sets values) types.Map {
	return types.MapValueMust(types.SetType{ElemType: types.StringType}, sets)
}

func text(s string) types.String { return types.StringValue(s) }
