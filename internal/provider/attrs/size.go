package attrs

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
)

// SizeType is the type of a size in a user's configuration: text with a unit
// ("8G", "512M", "8GiB", "0.5G"), compared in bytes.
type SizeType struct{ basetypes.StringType }

// Size is a value of SizeType.
type Size struct{ basetypes.StringValue }

var (
	_ basetypes.StringTypable                    = SizeType{}
	_ basetypes.StringValuableWithSemanticEquals = Size{}
	_ xattr.ValidateableAttribute                = Size{}
)

// NewSize is the size as Proxmox prints it.
func NewSize(s bytesize.Size) Size { return SizeText(s.String()) }

// SizeText is a size as somebody wrote it.
func SizeText(text string) Size { return Size{basetypes.NewStringValue(text)} }

// NullSize is the absent size.
func NullSize() Size { return Size{basetypes.NewStringNull()} }

// Bytes parses the size; ok is false for null, unknown and for text that is not
// a size.
func (v Size) Bytes() (size bytesize.Size, ok bool) {
	if !Known(v) {
		return 0, false
	}
	size, err := bytesize.ParseRequest(v.ValueString())
	return size, err == nil
}

// Equal compares the texts.
func (v Size) Equal(o attr.Value) bool {
	other, ok := o.(Size)
	return ok && v.StringValue.Equal(other.StringValue)
}

// Type is SizeType.
func (v Size) Type(context.Context) attr.Type { return SizeType{} }

// StringSemanticEquals reports whether both texts mean the same number of
// bytes.
func (v Size) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(Size)
	return ok && SameSize(v, o), nil
}

// SameSize reports whether a and b are the same number of bytes.
func SameSize(a, b Size) bool {
	x, okX := a.Bytes()
	y, okY := b.Bytes()
	if !okX || !okY {
		return a.Equal(b)
	}
	return x == y
}

// ValidateAttribute refuses what is not a size, a bare number, and a size that
// Proxmox would cut.
func (v Size) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if !Known(v) {
		return
	}
	if _, err := bytesize.ParseRequest(v.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path,
			fmt.Sprintf("%s cannot be %q", req.Path, v.ValueString()), sentence(err)+" Nothing has been changed.")
	}
}

// Equal reports whether o is SizeType as well.
func (SizeType) Equal(o attr.Type) bool {
	_, ok := o.(SizeType)
	return ok
}

// String names the type in the framework's own errors.
func (SizeType) String() string { return "attrs.SizeType" }

// ValueType is Size.
func (SizeType) ValueType(context.Context) attr.Value { return Size{} }

// ValueFromString wraps v.
func (SizeType) ValueFromString(_ context.Context, v basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Size{v}, nil
}

// ValueFromTerraform reads the value from the wire.
func (t SizeType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	v, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	s, ok := v.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T for a size", v)
	}
	return Size{s}, nil
}
