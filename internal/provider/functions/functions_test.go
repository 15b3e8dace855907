package functions_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/functions"
)

func byName(t *testing.T) map[string]function.Function {
	t.Helper()
	all := map[string]function.Function{}
	for _, construct := range functions.All() {
		f := construct()
		var meta function.MetadataResponse
		f.Metadata(t.Context(), function.MetadataRequest{}, &meta)
		all[meta.Name] = f
	}
	return all
}

func run(t *testing.T, f function.Function, args ...attr.Value) (attr.Value, *function.FuncError) {
	t.Helper()
	var definition function.DefinitionResponse
	f.Definition(t.Context(), function.DefinitionRequest{}, &definition)
	unknown, err := definition.Definition.Return.NewResultData(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	resp := function.RunResponse{Result: unknown}
	f.Run(t.Context(), function.RunRequest{Arguments: function.NewArgumentsData(args)}, &resp)
	return resp.Result.Value(), resp.Error
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	text, number := types.StringValue, types.Int64Value
	for name, tc := range map[string]struct {
		function string
		args     []attr.Value
		want     attr.Value
		err      string
		argument int64
	}{
		"the first number is in":        {function: "vmid_in_range", args: []attr.Value{number(5000), text("5000-8999")}, want: types.BoolValue(true)},
		"the last number is in":         {function: "vmid_in_range", args: []attr.Value{number(8999), text("5000-8999")}, want: types.BoolValue(true)},
		"the next number is out":        {function: "vmid_in_range", args: []attr.Value{number(9000), text("5000-8999")}, want: types.BoolValue(false)},
		"no VMID is in no range":        {function: "vmid_in_range", args: []attr.Value{number(-1), text("5000-8999")}, want: types.BoolValue(false)},
		"a range that cannot be read":   {function: "vmid_in_range", args: []attr.Value{number(5000), text("5000")}, err: `"5000" is not a VMID range: write the first and the last VMID, for example 5000-8999`, argument: 1},
		"a range in reverse":            {function: "vmid_in_range", args: []attr.Value{number(5000), text("9000-5000")}, err: `the range ends at 5000, before it starts at 9000`, argument: 1},
		"a range without text":          {function: "vmid_in_range", args: []attr.Value{number(5000), text("")}, err: `an empty text is not a VMID range: write the first and the last VMID, for example 5000-8999`, argument: 1},
		"a disk of a guest":             {function: "volume_owner", args: []attr.Value{text("local-lvm:vm-5001-disk-0")}, want: number(5001)},
		"a whole mount point":           {function: "volume_owner", args: []attr.Value{text("local:5001/vm-5001-disk-0.raw,mp=/srv,size=8G")}, want: number(5001)},
		"a linked clone":                {function: "volume_owner", args: []attr.Value{text("tank:base-100-disk-0/vm-5001-disk-0")}, want: number(5001)},
		"an ISO image":                  {function: "volume_owner", args: []attr.Value{text("local:iso/debian.iso")}, want: types.Int64Null()},
		"a bind mount has no owner":     {function: "volume_owner", args: []attr.Value{text("/tank/photos,mp=/srv")}, want: types.Int64Null()},
		"what is no volume":             {function: "volume_owner", args: []attr.Value{text("disk")}, err: `"disk" is not a volume id: a volume id is a storage and a name, for example "local-lvm:vm-5001-disk-0"`},
		"gibibytes":                     {function: "size_bytes", args: []attr.Value{text("8G")}, want: number(8 << 30)},
		"half a tebibyte":               {function: "size_bytes", args: []attr.Value{text("0.5T")}, want: number(1 << 39)},
		"a size without unit":           {function: "size_bytes", args: []attr.Value{text("8")}, err: `the size "8" has no unit, and Proxmox reads a bare number as bytes, KiB or GiB depending on the place: write 8G for GiB or 8M for MiB`},
		"a size that would be cut":      {function: "size_bytes", args: []attr.Value{text("1537K")}, err: `the size "1537K" is not a whole number of MiB and Proxmox would cut it to 1M: write 1M or 2M`},
		"its own volume is erased":      {function: "data_label", args: []attr.Value{number(5001), text("local-lvm:vm-5001-disk-0")}, want: text("erased")},
		"another's volume is excluded":  {function: "data_label", args: []attr.Value{number(5001), text("local-lvm:vm-5002-disk-0")}, want: text("excluded")},
		"a path is managed by the host": {function: "data_label", args: []attr.Value{number(5001), text("/tank/photos")}, want: text("host_managed")},
		"garbage is unknown":            {function: "data_label", args: []attr.Value{number(5001), text("local-lvm:8")}, want: text("unknown")},
		"a label needs a VMID":          {function: "data_label", args: []attr.Value{number(99), text("local-lvm:vm-99-disk-0")}, err: `"99" is not a VMID: a VMID is a number from 100 to 999999999 without leading zeros`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := run(t, byName(t)[tc.function], tc.args...)
			if tc.err != "" {
				if err == nil || err.Text != tc.err || err.FunctionArgument == nil || *err.FunctionArgument != tc.argument {
					t.Errorf("got %v, error %v, want %q at argument %d", got, err, tc.err, tc.argument)
				}
				return
			}
			if err != nil || !got.Equal(tc.want) {
				t.Errorf("got %v, error %v, want %v", got, err, tc.want)
			}
		})
	}
}

func TestDefinitionsAreComplete(t *testing.T) {
	t.Parallel()
	for name, f := range byName(t) {
		var resp function.DefinitionResponse
		f.Definition(t.Context(), function.DefinitionRequest{}, &resp)
		var valid function.DefinitionValidateResponse
		resp.Definition.ValidateImplementation(t.Context(), function.DefinitionValidateRequest{FuncName: name}, &valid)
		if valid.Diagnostics.HasError() || resp.Definition.Summary == "" || resp.Definition.MarkdownDescription == "" {
			t.Errorf("%s: %v", name, valid.Diagnostics)
		}
	}
}
