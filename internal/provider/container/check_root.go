package container

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// checkRootOnly refuses at plan what Proxmox would refuse at apply: some things
// are for root@pam alone, and an API token never is root@pam. What the state
// has already is not touched and therefore allowed. state is nil for a create.
// Source: PVE::LXC check_ct_modify_config_perm.
func (r *Resource) checkRootOnly(ctx context.Context, state, plan *model) diag.Diagnostics {
	if r.data.Client.IsRoot() {
		return nil
	}
	after, d := plan.wants(ctx)
	var before wanted
	if state != nil {
		var more diag.Diagnostics
		before, more = state.wants(ctx)
		d.Append(more...)
	}
	refuse := func(at path.Path, what string) {
		d.AddAttributeError(at, fmt.Sprintf("%s can only be set by root@pam", what), r.rootNeeded())
	}
	for _, key := range slices.Sorted(maps.Keys(after.mounts)) {
		if mount := after.mounts[key]; mount.onHost() && !sameMount(before.mounts, key, mount) {
			refuse(path.Root("mount_points").AtMapKey(key).AtName("volume"), "The directory or device of the node at "+key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after.devices)) {
		if len(keys.Differences[deviceModel](before.devices[key], after.devices[key])) > 0 {
			refuse(path.Root("devices").AtMapKey(key), "The device "+key)
		}
	}
	if attrs.Known(plan.Hookscript) && after.scalars["hookscript"] != before.scalars["hookscript"] {
		refuse(path.Root("hookscript"), "The hook script")
	}
	d.Append(r.checkFeatures(plan, before.features, after.features)...)
	return d
}

func sameMount(before map[string]mountPointModel, key string, after mountPointModel) bool {
	b, ok := before[key]
	return ok && b.Volume.Equal(after.Volume) && len(keys.Differences[mountPointModel](b.options(), after.options())) == 0
}

// checkFeatures lets nesting through on an unprivileged container only.
func (r *Resource) checkFeatures(plan *model, before, after sub) diag.Diagnostics {
	var d diag.Diagnostics
	for _, key := range keys.Differences[featuresModel](before, after) {
		if key == "nesting" && plan.Unprivileged.ValueBool() {
			continue
		}
		what := "The feature " + key
		if !plan.Unprivileged.ValueBool() {
			what += " of a privileged container"
		}
		d.AddAttributeError(path.Root("features").AtName(key), what+" can only be set by root@pam", r.rootNeeded())
	}
	return d
}

func (r *Resource) rootNeeded() string {
	return fmt.Sprintf("The provider acts as %s, and Proxmox allows this to root@pam alone; an API token is never root@pam, not even root's own. Nothing has been changed.\n\n"+
		"Use username = \"root@pam\" and password in the provider block for this container, or leave the attribute out and set it on the node with pct set.", r.data.Client.User())
}

// laterOnly warns of changes that have no effect before the next reinstall:
// Proxmox takes passwords and keys only when a container is created.
func laterOnly(state, plan *model) diag.Diagnostics {
	var d diag.Diagnostics
	warn := func(name, what string) {
		d.AddAttributeWarning(path.Root(name), fmt.Sprintf("The change of %s has no effect on container %d now", what, plan.id()),
			"Proxmox writes it into a container only when that is created. It is used at the next reinstall.\n\nTo have it now, set it inside the container.")
	}
	if !plan.PasswordWOVersion.Equal(state.PasswordWOVersion) && !state.PasswordWOVersion.IsNull() {
		warn("password_wo_version", "the password")
	}
	if !plan.SSHPublicKeys.Equal(state.SSHPublicKeys) && !state.SSHPublicKeys.IsNull() {
		warn("ssh_public_keys", "the SSH keys")
	}
	return d
}
