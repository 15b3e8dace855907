package keys_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

type machine struct {
	Cores types.Int64  `pve:"cores,default=1"`
	Type  types.String `pve:"cpu.cputype"`
	MAC   types.String `pve:"macaddr,detected,fold"`
}

func TestOnlyWhatIsDeclaredIsRead(t *testing.T) {
	t.Parallel()
	live := map[string]string{"cores": "4", "cpu.cputype": "host", "macaddr": "BC:24:11:00:00:01"}
	m := keys.Null[machine]()
	m.Type = types.StringValue("kvm64")
	keys.DecodeDeclared(m, live, false)
	if !m.Cores.IsNull() {
		t.Errorf("cores, which nobody declared, were read as %s", m.Cores)
	}
	if m.Type.ValueString() != "host" || m.MAC.ValueString() != "BC:24:11:00:00:01" {
		t.Errorf("read type %s, address %s", m.Type, m.MAC)
	}
	first := keys.Null[machine]()
	keys.DecodeDeclared(first, live, true)
	if first.Cores.ValueInt64() != 4 {
		t.Errorf("the first read has cores %s", first.Cores)
	}
}
