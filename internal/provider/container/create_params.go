package container

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// params are the parameters of a create: what the user set, and beyond that only
// swap and unprivileged, which are always sent. The number is added by whoever
// knows it.
func (w wanted) params(plan *model, password types.String) (pve.Params, diag.Diagnostics) {
	p := pve.Params{"ostemplate": plan.OSTemplate.ValueString()}
	for key, value := range w.scalars {
		p[key] = value
	}
	if !plan.Protection.ValueBool() {
		delete(p, "protection") // our default, and Proxmox's
	}
	if attrs.Known(plan.Pool) {
		p["pool"] = plan.Pool.ValueString()
	}
	if attrs.Known(password) {
		p["password"] = password.ValueString()
	}
	if lines := attrs.Strings(plan.SSHPublicKeys); len(lines) > 0 {
		p["ssh-public-keys"] = strings.Join(lines, "\n") + "\n"
	}
	var diags diag.Diagnostics
	for key, value := range w.properties() {
		text, err := value.print(key)
		if err != nil {
			diags.AddError(fmt.Sprintf("The value of %s cannot be sent", key), err.Error()+". Nothing has been changed.")
			continue
		}
		if text != "" {
			p[key] = text
		}
	}
	return p, diags
}

// properties are all property strings of a new container, by key.
func (w wanted) properties() map[string]sub {
	all := map[string]sub{}
	for key, value := range w.network {
		all[key] = value
	}
	for key, value := range w.devices {
		all[key] = value
	}
	for key, mount := range w.mounts {
		all[key] = mount.allocation()
	}
	if w.rootfs != nil {
		all["rootfs"] = w.rootfs.allocation()
	}
	if len(w.features) > 0 {
		all["features"] = w.features
	}
	if len(w.startup) > 0 {
		all["startup"] = w.startup
	}
	return all
}
