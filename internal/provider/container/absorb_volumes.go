package container

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
)

func (m *model) absorbRootfs(ctx context.Context, values map[string]string, first bool, diags *diag.Diagnostics) {
	text, present := values["rootfs"]
	if !present {
		m.Rootfs = types.ObjectNull(rootfsTypes)
		return
	}
	s, err := parseVolume("rootfs", text)
	if err != nil {
		diags.Append(unreadableKey("rootfs", err))
		return
	}
	prior, d := attrs.Object[rootfsModel](ctx, m.Rootfs)
	diags.Append(d...)
	rootfs := keys.Null[rootfsModel]()
	if prior != nil {
		*rootfs = *prior
	}
	keys.Decode(rootfs, s, first || prior == nil)
	if id, err := volume.Parse(s[defaultVolume]); err == nil {
		rootfs.Storage = types.StringValue(id.Storage)
	}
	rootfs.Size = attrs.ReadSize(rootfs.Size, s["size"])
	m.Rootfs = objectOf(ctx, rootfsTypes, rootfs, diags)
}

func (m *model) absorbMounts(ctx context.Context, values map[string]string, first bool, diags *diag.Diagnostics) {
	prior, d := attrs.Map[mountPointModel](ctx, m.MountPoints)
	diags.Append(d...)
	elements := map[string]mountPointModel{}
	for _, key := range volumeKeys(values, "mp") {
		before, declared := prior[key]
		if !declared && !first {
			continue
		}
		s, err := parseVolume(key, values[key])
		if err != nil {
			diags.Append(unreadableKey(key, err))
			continue
		}
		if !declared {
			before = *keys.Null[mountPointModel]()
		}
		keys.Decode(&before, s, !declared)
		before.absorbSource(s, guest.VMID(m.VMID.ValueInt64()), declared)
		elements[key] = before
	}
	m.MountPoints = mapOf(ctx, mountPointType, elements, diags)
}

// absorbSource reads what is mounted. A volume of the container's own is
// described by storage and size, so that a reinstall makes a new one; anything
// else by what it is: a volume of somebody else, a path, or a volume whose size
// could not be written into a configuration.
func (p *mountPointModel) absorbSource(s sub, self guest.VMID, declared bool) {
	source := s[defaultVolume]
	id, err := volume.Parse(source)
	owner, _ := id.Owner()
	size := attrs.ReadSize(p.Size, s["size"])
	named := declared && attrs.Known(p.Volume)
	ours := err == nil && owner == self && (declared || attrs.ExactSize(s["size"]))
	if named || !ours {
		p.Volume, p.Storage, p.Size = types.StringValue(source), types.StringNull(), attrs.NullSize()
		return
	}
	p.Volume, p.Storage, p.Size = types.StringNull(), types.StringValue(id.Storage), size
}

// volumeKeys are the keys of values that are prefix and a number, sorted.
func volumeKeys(values map[string]string, prefix string) []string {
	var found []string
	like := numbered(prefix)
	for key := range values {
		if like(key) {
			found = append(found, key)
		}
	}
	slices.Sort(found)
	return found
}
