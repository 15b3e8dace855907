package vm

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The optional attributes of which the schema is made. Most of it is optional
// keys, and one line each lets the eye run over them.

type (
	attributes      = map[string]schema.Attribute
	schemaAttribute = schema.Attribute
)

func text(description string, validators ...validator.String) schema.Attribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: validators}
}

func word(description string, words ...string) schema.Attribute {
	return text(description, stringvalidator.OneOf(words...))
}

func flag(description string) schema.Attribute {
	return schema.BoolAttribute{Optional: true, MarkdownDescription: description}
}

func number(description string, validators ...validator.Int64) schema.Attribute {
	return schema.Int64Attribute{Optional: true, MarkdownDescription: description, Validators: validators}
}

func between(low, high int64) validator.Int64 { return int64validator.Between(low, high) }

func atLeast(low int64) validator.Int64 { return int64validator.AtLeast(low) }

// decimal is a number from 0 to high.
func decimal(description string, high float64) schema.Attribute {
	return schema.Float64Attribute{Optional: true, MarkdownDescription: description, Validators: []validator.Float64{float64validator.Between(0, high)}}
}

func set(description string, each ...validator.String) schema.Attribute {
	return schema.SetAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: description,
		Validators: []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(each...)}}
}

func list(description string, each ...validator.String) schema.Attribute {
	return schema.ListAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: description,
		Validators: []validator.List{listvalidator.SizeAtLeast(1), listvalidator.ValueStringsAre(each...)}}
}

func object(description string, all attributes) schema.Attribute {
	return schema.SingleNestedAttribute{Optional: true, MarkdownDescription: description, Attributes: all}
}

func each(description string, key validator.String, all attributes) schema.Attribute {
	return schema.MapNestedAttribute{Optional: true, MarkdownDescription: description,
		NestedObject: schema.NestedAttributeObject{Attributes: all},
		Validators:   []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.KeysAre(key)}}
}

// required makes an optional attribute of this file a required one.
func required(a schema.Attribute) schema.Attribute {
	switch a := a.(type) {
	case schema.StringAttribute:
		a.Optional, a.Required = false, true
		return a
	case schema.Int64Attribute:
		a.Optional, a.Required = false, true
		return a
	case schema.SetAttribute:
		a.Optional, a.Required = false, true
		return a
	}
	panic("vm: this kind of attribute is never required")
}
