package backup

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// settle takes over what became of the backup.
func (m *model) settle(b lifecycle.Backup) {
	m.State = types.StringValue(done)
	m.VolumeID = types.StringValue(b.Volume)
	if b.Size > 0 {
		m.Size = types.Int64Value(b.Size)
	}
	if !b.Created.IsZero() {
		m.Created = types.StringValue(b.Created.Format(time.RFC3339))
	}
	if c := vzdump.ConsistencyOf(b.Run); c != "" {
		m.Consistency = types.StringValue(string(c))
	}
	if b.Run.VMID == 0 {
		return // the log is gone: what the archive holds is not known
	}
	m.Contains = entries(b.Run.Included, func(e vzdump.Entry) string { return e.Path + e.Volume })
	m.Excluded = entries(b.Run.Excluded, func(e vzdump.Entry) string { return e.Reason })
}

// entries maps keys to one of their facts: a container's entry has a path, a VM's
// a volume.
func entries(list []vzdump.Entry, fact func(vzdump.Entry) string) types.Map {
	elements := map[string]attr.Value{}
	for _, e := range list {
		elements[e.Key] = types.StringValue(fact(e))
	}
	return types.MapValueMust(types.StringType, elements)
}
