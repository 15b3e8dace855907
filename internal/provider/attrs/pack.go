package attrs

import (
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// Unpack copies the attributes of one model into the fields of another that have
// the same tfsdk tags. Where the one holds framework objects and maps, because a
// plan may hold them unknown, the other may hold pointers to structs and maps of
// structs: what is unknown as a whole is left out of them.
func Unpack(ctx context.Context, from, into any) diag.Diagnostics {
	var diags diag.Diagnostics
	source, target := reflect.ValueOf(from).Elem(), reflect.ValueOf(into).Elem()
	pairs(source, target, func(a, b reflect.Value) {
		switch v := a.Interface().(type) {
		case types.Object:
			if Known(v) {
				diags.Append(v.As(ctx, b.Addr().Interface(), basetypes.ObjectAsOptions{UnhandledUnknownAsEmpty: true})...)
			}
		case types.Map:
			if b.Kind() == reflect.Map {
				diags.Append(unpackMap(ctx, v, b)...)
				return
			}
			b.Set(a)
		default:
			b.Set(a)
		}
	})
	return diags
}

func unpackMap(ctx context.Context, v types.Map, into reflect.Value) diag.Diagnostics {
	if !Known(v) {
		return nil
	}
	var diags diag.Diagnostics
	elements := reflect.MakeMap(into.Type())
	for key, element := range v.Elements() {
		object, ok := element.(types.Object)
		if !ok || !Known(object) {
			continue
		}
		one := reflect.New(into.Type().Elem())
		diags.Append(object.As(ctx, one.Interface(), basetypes.ObjectAsOptions{UnhandledUnknownAsEmpty: true})...)
		elements.SetMapIndex(reflect.ValueOf(key), one.Elem())
	}
	into.Set(elements)
	return diags
}

// Pack is the inverse of Unpack. A nil pointer and an empty map are null.
func Pack(ctx context.Context, from, into any) diag.Diagnostics {
	var diags diag.Diagnostics
	source, target := reflect.ValueOf(from).Elem(), reflect.ValueOf(into).Elem()
	pairs(source, target, func(a, b reflect.Value) {
		switch v := b.Interface().(type) {
		case types.Object:
			packed, d := packObject(ctx, v.AttributeTypes(ctx), a)
			diags.Append(d...)
			b.Set(reflect.ValueOf(packed))
		case types.Map:
			if a.Kind() != reflect.Map {
				b.Set(a)
				return
			}
			packed, d := packMap(ctx, v.ElementType(ctx), a)
			diags.Append(d...)
			b.Set(reflect.ValueOf(packed))
		default:
			b.Set(a)
		}
	})
	return diags
}

func packObject(ctx context.Context, shape map[string]attr.Type, from reflect.Value) (types.Object, diag.Diagnostics) {
	if from.IsNil() {
		return types.ObjectNull(shape), nil
	}
	return types.ObjectValueFrom(ctx, shape, from.Elem().Interface())
}

func packMap(ctx context.Context, shape attr.Type, from reflect.Value) (types.Map, diag.Diagnostics) {
	if from.Len() == 0 {
		return types.MapNull(shape), nil
	}
	return types.MapValueFrom(ctx, shape, from.Interface())
}

// pairs calls do for the fields of both structs that have the same tag.
func pairs(source, target reflect.Value, do func(a, b reflect.Value)) {
	for i := range source.NumField() {
		tag, ok := source.Type().Field(i).Tag.Lookup("tfsdk")
		if !ok {
			continue
		}
		for j := range target.NumField() {
			if target.Type().Field(j).Tag.Get("tfsdk") == tag {
				do(source.Field(i), target.Field(j))
			}
		}
	}
}
