package main

import (
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

func convert(in *tfprotov6.GetProviderSchemaResponse, identities *tfprotov6.GetResourceIdentitySchemasResponse) (*tfjson.ProviderSchemas, error) {
	c := &converter{}
	out := &tfjson.ProviderSchema{
		ConfigSchema:             c.schema(in.Provider),
		ResourceSchemas:          each(in.ResourceSchemas, c.schema),
		DataSourceSchemas:        each(in.DataSourceSchemas, c.schema),
		EphemeralResourceSchemas: each(in.EphemeralResourceSchemas, c.schema),
		ListResourceSchemas:      each(in.ListResourceSchemas, c.schema),
		ActionSchemas:            each(in.ActionSchemas, c.action),
		Functions:                each(in.Functions, c.function),
		ResourceIdentitySchemas:  each(identities.IdentitySchemas, c.identity),
	}
	return &tfjson.ProviderSchemas{
		FormatVersion: "1.0",
		Schemas:       map[string]*tfjson.ProviderSchema{docsAddress: out},
	}, c.err
}

// converter keeps the first error, so that the conversions read as expressions.
type converter struct{ err error }

func each[In, Out any](in map[string]In, convert func(In) Out) map[string]Out {
	out := make(map[string]Out, len(in))
	for name, value := range in {
		out[name] = convert(value)
	}
	return out
}

func (c *converter) schema(in *tfprotov6.Schema) *tfjson.Schema {
	return &tfjson.Schema{Version: uint64(in.Version), Block: c.block(in.Block)}
}

func (c *converter) action(in *tfprotov6.ActionSchema) *tfjson.ActionSchema {
	return &tfjson.ActionSchema{Block: c.block(in.Schema.Block)}
}

func (c *converter) block(in *tfprotov6.SchemaBlock) *tfjson.SchemaBlock {
	out := &tfjson.SchemaBlock{
		Attributes:      c.attributes(in.Attributes),
		NestedBlocks:    map[string]*tfjson.SchemaBlockType{},
		Description:     in.Description,
		DescriptionKind: kind(in.DescriptionKind),
		Deprecated:      in.Deprecated,
	}
	for _, nested := range in.BlockTypes {
		out.NestedBlocks[nested.TypeName] = &tfjson.SchemaBlockType{
			NestingMode: nesting(nested.Nesting.String()),
			Block:       c.block(nested.Block),
			MinItems:    uint64(nested.MinItems),
			MaxItems:    uint64(nested.MaxItems),
		}
	}
	return out
}

func (c *converter) attributes(in []*tfprotov6.SchemaAttribute) map[string]*tfjson.SchemaAttribute {
	out := make(map[string]*tfjson.SchemaAttribute, len(in))
	for _, a := range in {
		attribute := &tfjson.SchemaAttribute{
			Description:     a.Description,
			DescriptionKind: kind(a.DescriptionKind),
			Deprecated:      a.Deprecated,
			Required:        a.Required,
			Optional:        a.Optional,
			Computed:        a.Computed,
			Sensitive:       a.Sensitive,
			WriteOnly:       a.WriteOnly,
		}
		if a.NestedType != nil {
			attribute.AttributeNestedType = &tfjson.SchemaNestedAttributeType{
				Attributes:  c.attributes(a.NestedType.Attributes),
				NestingMode: nesting(a.NestedType.Nesting.String()),
			}
		} else {
			attribute.AttributeType = c.typeOf(a.Type)
		}
		out[a.Name] = attribute
	}
	return out
}

func (c *converter) identity(in *tfprotov6.ResourceIdentitySchema) *tfjson.IdentitySchema {
	out := &tfjson.IdentitySchema{Version: uint64(in.Version), Attributes: map[string]*tfjson.IdentityAttribute{}}
	for _, a := range in.IdentityAttributes {
		out.Attributes[a.Name] = &tfjson.IdentityAttribute{
			IdentityType:      c.typeOf(a.Type),
			Description:       a.Description,
			RequiredForImport: a.RequiredForImport,
			OptionalForImport: a.OptionalForImport,
		}
	}
	return out
}

func (c *converter) function(in *tfprotov6.Function) *tfjson.FunctionSignature {
	out := &tfjson.FunctionSignature{
		Description:        in.Description,
		Summary:            in.Summary,
		DeprecationMessage: in.DeprecationMessage,
		ReturnType:         c.typeOf(in.Return.Type),
	}
	for _, p := range in.Parameters {
		out.Parameters = append(out.Parameters, c.parameter(p))
	}
	if in.VariadicParameter != nil {
		out.VariadicParameter = c.parameter(in.VariadicParameter)
	}
	return out
}

func (c *converter) parameter(in *tfprotov6.FunctionParameter) *tfjson.FunctionParameter {
	return &tfjson.FunctionParameter{
		Name:        in.Name,
		Description: in.Description,
		IsNullable:  in.AllowNullValue,
		Type:        c.typeOf(in.Type),
	}
}

// typeOf goes through the JSON notation that both type systems share.
func (c *converter) typeOf(in tftypes.Type) cty.Type {
	text, err := in.MarshalJSON() //nolint:staticcheck // deprecated for providers, there is no other way to print a type
	var out cty.Type
	if err == nil {
		err = out.UnmarshalJSON(text)
	}
	if err != nil && c.err == nil {
		c.err = err
	}
	return out
}

func kind(in tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	return tfjson.SchemaDescriptionKind(strings.ToLower(in.String()))
}

func nesting(word string) tfjson.SchemaNestingMode {
	return tfjson.SchemaNestingMode(strings.ToLower(word))
}
