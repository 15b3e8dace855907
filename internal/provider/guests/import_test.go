package guests

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

func TestImportID(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		id       string
		identity any
		node     string
		vmid     guest.VMID
	}{
		"a number":                    {"5001", nil, "", 5001},
		"a node and a number":         {"pve1/5001", nil, "pve1", 5001},
		"an identity":                 {"", 5001, "", 5001},
		"an identity that is no VMID": {"", 99, "", 0},
		"nothing":                     {"", nil, "", 0},
		"the kind in between":         {"pve1/lxc/5001", nil, "pve1", 0},
		"a leading zero":              {"05001", nil, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema := identityschema.Schema{Attributes: map[string]identityschema.Attribute{"vmid": identityschema.Int64Attribute{RequiredForImport: true}}}
			object := schema.Type().TerraformType(t.Context())
			req := resource.ImportStateRequest{ID: tc.id, Identity: &tfsdk.ResourceIdentity{
				Schema: schema,
				Raw:    tftypes.NewValue(object, map[string]tftypes.Value{"vmid": tftypes.NewValue(tftypes.Number, tc.identity)}),
			}}
			node, id, err := importID(t.Context(), req)
			if node != tc.node || id != tc.vmid || (err == nil) != (tc.vmid != 0) {
				t.Errorf("node %q, VMID %d, %v", node, id, err)
			}
		})
	}
}
