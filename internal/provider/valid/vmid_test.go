package valid_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/valid"
)

func TestVMID(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		value  types.Int64
		detail string
	}{
		"the first":         {types.Int64Value(100), ""},
		"the last":          {types.Int64Value(999999999), ""},
		"null":              {types.Int64Null(), ""},
		"unknown":           {types.Int64Unknown(), ""},
		"right before":      {types.Int64Value(99), "It must be a VMID, 100 to 999999999. Nothing has been changed."},
		"right after":       {types.Int64Value(1000000000), "It must be a VMID, 100 to 999999999. Nothing has been changed."},
		"below zero":        {types.Int64Value(-5001), "It must be a VMID, 100 to 999999999. Nothing has been changed."},
		"more than 32 bits": {types.Int64Value(1<<32 + 5001), "It must be a VMID, 100 to 999999999. Nothing has been changed."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var resp validator.Int64Response
			valid.VMID().ValidateInt64(t.Context(), validator.Int64Request{Path: path.Root("vmid"), ConfigValue: tc.value}, &resp)
			switch {
			case tc.detail == "" && resp.Diagnostics.HasError():
				t.Error(resp.Diagnostics)
			case tc.detail != "" && (len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Detail() != tc.detail):
				t.Error(resp.Diagnostics)
			case tc.detail != "" && resp.Diagnostics[0].Summary() != "vmid cannot be "+tc.value.String():
				t.Error(resp.Diagnostics[0].Summary())
			}
		})
	}
}
