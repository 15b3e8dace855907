package attrs

import (
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Fill is the plan with what it left unknown taken from what was read after the
// apply. What the plan knows stays, also when somebody else changed it meanwhile:
// Terraform takes anything else for a bug of the provider, and the next refresh
// shows the difference as what it is.
func Fill[T any](plan, read T) T {
	result := plan
	into, from := reflect.ValueOf(&result).Elem(), reflect.ValueOf(read)
	for i := range into.NumField() {
		planned, ok := into.Field(i).Interface().(attr.Value)
		if !ok {
			continue
		}
		value := reflect.ValueOf(fill(planned, from.Field(i).Interface().(attr.Value)))
		if value.Type().AssignableTo(into.Field(i).Type()) {
			into.Field(i).Set(value)
		}
	}
	return result
}

func fill(plan, read attr.Value) attr.Value {
	if plan.IsUnknown() {
		return read
	}
	switch planned := plan.(type) {
	case types.Object:
		got, ok := read.(types.Object)
		if !ok || planned.IsNull() || got.IsNull() {
			return plan
		}
		return types.ObjectValueMust(planned.AttributeTypes(context.Background()), fillAll(planned.Attributes(), got.Attributes()))
	case types.Map:
		got, ok := read.(types.Map)
		if !ok || planned.IsNull() || got.IsNull() {
			return plan
		}
		return types.MapValueMust(planned.ElementType(context.Background()), fillAll(planned.Elements(), got.Elements()))
	}
	return plan
}

func fillAll(plan, read map[string]attr.Value) map[string]attr.Value {
	result := make(map[string]attr.Value, len(plan))
	for key, planned := range plan {
		result[key] = planned
		if got, ok := read[key]; ok {
			result[key] = fill(planned, got)
		}
	}
	return result
}
