package attrs_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

func TestSizesMeanTheSame(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		a, b string
		same bool
	}{
		"gibibytes and mebibytes": {"8G", "8192M", true},
		"with and without iB":     {"8G", "8GiB", true},
		"a fraction":              {"0.5G", "512M", true},
		"another size":            {"8G", "9G", false},
		"texts that are no sizes": {"x", "x", true},
		"one that is no size":     {"8G", "x", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := attrs.SameSize(attrs.SizeText(tc.a), attrs.SizeText(tc.b)); got != tc.same {
				t.Errorf("%s and %s: %t", tc.a, tc.b, got)
			}
		})
	}
}

func TestSizeIsValidated(t *testing.T) {
	t.Parallel()
	at := path.Root("rootfs").AtName("size")
	for text, want := range map[string]string{
		"8G": "", "512M": "", "0.5G": "",
		"8":     `The size "8" has no unit, and Proxmox reads a bare number as bytes, KiB or GiB depending on the place: write 8G for GiB or 8M for MiB. Nothing has been changed.`,
		"8GB":   `"8GB" is not a size: write a number and one of the units K, M, G or T, for example 8G or 512M. Nothing has been changed.`,
		"1500K": `The size "1500K" is not a whole number of MiB and Proxmox would cut it to 1M: write 1M or 2M. Nothing has been changed.`,
	} {
		var resp xattr.ValidateAttributeResponse
		attrs.SizeText(text).ValidateAttribute(t.Context(), xattr.ValidateAttributeRequest{Path: at}, &resp)
		got := ""
		if len(resp.Diagnostics) > 0 {
			got = resp.Diagnostics[0].Detail()
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestGrowOnly(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before, after types.String
		planned       string
		refused       string
	}{
		"a new volume":                 {types.StringNull(), types.StringValue("8G"), "8G", ""},
		"the same in other words":      {types.StringValue("8G"), types.StringValue("8192M"), "8G", ""},
		"larger":                       {types.StringValue("8G"), types.StringValue("9G"), "9G", ""},
		"unknown":                      {types.StringValue("8G"), types.StringUnknown(), "", ""},
		"smaller":                      {types.StringValue("8G"), types.StringValue("7.5G"), "7.5G", "rootfs.size would shrink from 8G to 7680M"},
		"smaller by less than one GiB": {types.StringValue("8G"), types.StringValue("8191M"), "8191M", "rootfs.size would shrink from 8G to 8191M"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := planmodifier.StringRequest{Path: path.Root("rootfs").AtName("size"), StateValue: tc.before, PlanValue: tc.after}
			resp := planmodifier.StringResponse{PlanValue: tc.after}
			attrs.GrowOnly().PlanModifyString(t.Context(), req, &resp)
			if got := resp.PlanValue.ValueString(); got != tc.planned {
				t.Errorf("planned %q, want %q", got, tc.planned)
			}
			got := ""
			if len(resp.Diagnostics) > 0 {
				got = resp.Diagnostics[0].Summary()
			}
			if got != tc.refused {
				t.Errorf("refused with %q, want %q", got, tc.refused)
			}
		})
	}
}

func TestShrinkShowsBothSizes(t *testing.T) {
	t.Parallel()
	_, detail := attrs.Shrink(path.Root("rootfs").AtName("size"), 8*bytesize.GiB, 8*bytesize.GiB-bytesize.MiB)
	const want = "The volume has 8589934592 bytes (8 GiB rounded up) and the configuration asks for 8588886016 bytes (8 GiB rounded up)."
	if !strings.HasPrefix(detail, want) {
		t.Error(detail)
	}
}

func TestSameTagsAndDescriptions(t *testing.T) {
	t.Parallel()
	if !attrs.SameTags([]string{"B", "a", "a"}, []string{"A", "b"}) || attrs.SameTags([]string{"a"}, []string{"a", "b"}) {
		t.Error("tags are compared as a set without regard to case")
	}
	if !attrs.SameDescription("a\n", "a") || attrs.SameDescription("a\n\n", "a") || attrs.SameDescription("a", "b") {
		t.Error("descriptions are the same up to one trailing newline")
	}
}
