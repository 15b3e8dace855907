package container

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// ValidateConfig checks what several attributes say together. Unknown values are
// passed over: they are checked again when they are known.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(m.validateMounts(ctx)...)
	resp.Diagnostics.Append(m.validateNetwork(ctx)...)
	resp.Diagnostics.Append(m.validateFirewall(ctx)...)
	resp.Diagnostics.Append(m.validateRestore(ctx)...)
	resp.Diagnostics.Append(m.validateClone()...)
	if attrs.Known(m.RestartForPending) && m.RestartForPending.ValueBool() && attrs.Known(m.Started) && !m.Started.ValueBool() {
		resp.Diagnostics.AddAttributeWarning(path.Root("restart_for_pending"), "A container that is not started is never restarted",
			"started is false, so changes take effect at the next start in any case.\n\nRemove restart_for_pending, or set started to true.")
	}
}

func (m *model) validateMounts(ctx context.Context) diag.Diagnostics {
	mounts, d := attrs.Map[mountPointModel](ctx, m.MountPoints)
	paths := map[string]string{"/": "rootfs"}
	for _, key := range slices.Sorted(maps.Keys(mounts)) {
		p := mounts[key]
		at := path.Root("mount_points").AtMapKey(key)
		d.Append(p.validate(at, key)...)
		if !attrs.Known(p.Path) {
			continue
		}
		target := "/" + strings.Trim(p.Path.ValueString(), "/")
		if other, taken := paths[target]; taken {
			d.AddAttributeError(at.AtName("path"), fmt.Sprintf("%s and %s are both mounted at %s", other, key, target),
				"One would hide the other. Nothing has been changed.\n\nGive each mount point a path of its own.")
		}
		paths[target] = key
	}
	return d
}

func (p mountPointModel) validate(at path.Path, key string) diag.Diagnostics {
	var d diag.Diagnostics
	if p.Volume.IsUnknown() || p.Storage.IsUnknown() || p.Size.IsUnknown() {
		return nil
	}
	named, fresh, sized := attrs.Known(p.Volume), attrs.Known(p.Storage), attrs.Known(p.Size)
	switch {
	case named && (fresh || sized):
		d.AddAttributeError(at.AtName("volume"), fmt.Sprintf("%s names an existing volume or path and asks for a new volume as well", key),
			"volume stands for itself; storage and size are for a new volume. A size is never added to a path. Nothing has been changed.\n\nSet volume alone, or storage and size.")
	case named:
	case !fresh && !sized:
		d.AddAttributeError(at, fmt.Sprintf("%s says where it is mounted but not what", key),
			"Nothing has been changed.\n\nSet storage and size for a new volume, or volume for an existing volume, a directory or a device.")
	case !sized:
		d.AddAttributeError(at.AtName("size"), fmt.Sprintf("%s asks for a new volume without a size", key), "Nothing has been changed.\n\nSet size, for example \"8G\".")
	case !fresh:
		d.AddAttributeError(at.AtName("storage"), fmt.Sprintf("%s asks for a new volume without a storage", key), "Nothing has been changed.\n\nSet storage, for example \"local-lvm\".")
	}
	return d
}

func (m *model) validateNetwork(ctx context.Context) diag.Diagnostics {
	network, d := attrs.Map[networkModel](ctx, m.Network)
	addresses, names := map[string]string{}, map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(network)) {
		n := network[key]
		at := path.Root("network").AtMapKey(key)
		if attrs.Known(n.Hwaddr) {
			mac := strings.ToUpper(n.Hwaddr.ValueString())
			if other, taken := addresses[mac]; taken {
				d.AddAttributeError(at.AtName("hwaddr"), fmt.Sprintf("%s and %s have the same MAC address %s", other, key, mac),
					"Two devices with one address disturb each other. Nothing has been changed.\n\nGive each its own, or leave hwaddr out: Proxmox makes one and keeps it.")
			}
			addresses[mac] = key
		}
		if attrs.Known(n.Name) {
			if other, taken := names[n.Name.ValueString()]; taken {
				d.AddAttributeError(at.AtName("name"), fmt.Sprintf("%s and %s are both called %s in the container", other, key, n.Name.ValueString()),
					"Nothing has been changed.\n\nGive each interface a name of its own.")
			}
			names[n.Name.ValueString()] = key
		}
	}
	return d
}
