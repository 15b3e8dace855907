package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The types of the nested attributes, as the schema has them.
var (
	shape = schemaOf(context.Background())

	rootfsTypes    = objectTypes("rootfs")
	bootTypes      = objectTypes("boot")
	startupTypes   = bootTypes["startup"].(types.ObjectType).AttrTypes
	mountPointType = elementType("mount_points")
)

func objectTypes(name string) map[string]attr.Type {
	return shape.Attributes[name].GetType().(types.ObjectType).AttrTypes
}

func elementType(name string) attr.Type {
	return shape.Attributes[name].GetType().(types.MapType).ElemType
}
