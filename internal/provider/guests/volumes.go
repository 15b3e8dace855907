package guests

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/datalabel"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// Volume is one element of the computed map volumes.
type Volume struct {
	ID    types.String `tfsdk:"id"`
	Size  types.String `tfsdk:"size"`
	Owner types.Int64  `tfsdk:"owner"`
	Data  types.String `tfsdk:"data"`
	Mount types.String `tfsdk:"mount"`
}

// VolumeType is the type of an element of volumes.
var VolumeType = VolumesAttribute(guest.LXC).GetType().(types.MapType).ElemType

// Volumes fills the map volumes. declared tells the keys that the resource's
// configuration has.
func Volumes(ctx context.Context, entries []datalabel.Entry, declared func(key string) bool) (types.Map, diag.Diagnostics) {
	elements := map[string]Volume{}
	for _, e := range entries {
		v := Volume{
			ID: types.StringValue(e.Source), Size: types.StringNull(), Owner: types.Int64Null(),
			Data:  types.StringValue(string(e.Label)),
			Mount: types.StringValue(string(datalabel.FateOf(e.Key, declared(e.Key)))),
		}
		if e.Size != "" {
			v.Size = types.StringValue(printSize(e.Size))
		}
		if e.Owner != 0 {
			v.Owner = types.Int64Value(int64(e.Owner))
		}
		elements[e.Key] = v
	}
	return types.MapValueFrom(ctx, VolumeType, elements)
}

// Pairs are the keys and volumes of the map volumes.
func Pairs(ctx context.Context, volumes types.Map) (map[string]string, diag.Diagnostics) {
	elements, d := attrs.Map[Volume](ctx, volumes)
	pairs := map[string]string{}
	for key, v := range elements {
		pairs[key] = v.ID.ValueString()
	}
	return pairs, d
}

// printSize is a recorded size in Proxmox's own print. A bare number stays as it
// is: it has two readings.
func printSize(text string) string {
	stored, err := bytesize.ParseStored(text)
	if err != nil || stored.Bare {
		return text
	}
	return stored.Size.String()
}

// ReconcileTypes are the types of the record.
var ReconcileTypes = ReconcileAttribute(guest.LXC).GetType().(types.ObjectType).AttrTypes
