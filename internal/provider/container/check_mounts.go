package container

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// checkExchange refuses to mount the volume of one declared mount point where
// that of another is mounted now. The keys would keep their volumes, and inside
// the container each directory would show the other's data: what a mix-up of two
// blocks looks like. Through a path in between it can be had on purpose.
func checkExchange(ctx context.Context, state, plan *model) diag.Diagnostics {
	before, d := attrs.Map[mountPointModel](ctx, state.MountPoints)
	after, more := attrs.Map[mountPointModel](ctx, plan.MountPoints)
	d.Append(more...)
	holder := map[string]string{}
	for key, mount := range before {
		if _, stays := after[key]; stays {
			holder[mount.Path.ValueString()] = key
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		now := after[key].Path.ValueString()
		other, held := holder[now]
		if !held || other == key || !attrs.Known(before[key].Path) {
			continue
		}
		d.AddAttributeError(path.Root("mount_points").AtMapKey(key).AtName("path"),
			fmt.Sprintf("%s would be mounted at %s, where %s is mounted now", key, now, other),
			fmt.Sprintf("A key keeps its volume, so %s would show the data of %s in the container. That is what two mixed-up mount points look like. Nothing has been changed.\n\n"+
				"Give %s back to %s. If the data is meant to change places, apply once with another path in between.", now, key, now, other))
	}
	return d
}
