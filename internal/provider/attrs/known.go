package attrs

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// Known reports whether v holds a value: neither null nor unknown.
func Known(v attr.Value) bool {
	return v != nil && !v.IsNull() && !v.IsUnknown()
}

// Object decodes a nested attribute. It is nil for null and for unknown: a plan
// may hold either, and a struct can hold neither.
func Object[T any](ctx context.Context, v types.Object) (*T, diag.Diagnostics) {
	if !Known(v) {
		return nil, nil
	}
	into := new(T)
	d := v.As(ctx, into, basetypes.ObjectAsOptions{})
	return into, d
}

// Map decodes a map of nested attributes. Elements that are null or unknown as
// a whole are left out.
func Map[T any](ctx context.Context, v types.Map) (map[string]T, diag.Diagnostics) {
	if !Known(v) {
		return nil, nil
	}
	var diags diag.Diagnostics
	into := make(map[string]T, len(v.Elements()))
	for key, element := range v.Elements() {
		object, ok := element.(types.Object)
		if !ok || !Known(object) {
			continue
		}
		one, d := Object[T](ctx, object)
		diags.Append(d...)
		if one != nil {
			into[key] = *one
		}
	}
	return into, diags
}

// Strings decodes a list or set of strings; null and unknown elements are left
// out.
func Strings(v interface{ Elements() []attr.Value }) []string {
	var texts []string
	for _, element := range v.Elements() {
		if s, ok := element.(types.String); ok && Known(s) {
			texts = append(texts, s.ValueString())
		}
	}
	return texts
}
