package container

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// broke ends a create that failed after it was accepted. What was not there and
// is not there needs no record; anything else is half done and says so in state.
func (c *creation) broke(ctx context.Context, at stage.Stage, task pve.UPID, cause error) {
	record, words := guests.Broke(ctx, c.r.life(), c.ref, at, task, cause)
	c.resp.Diagnostics.Append(words)
	if record == nil {
		c.resp.State.RemoveResource(ctx)
		return
	}
	c.resp.Diagnostics.Append(c.plan.setRecord(ctx, record)...)
	c.resp.Diagnostics.Append(c.resp.State.SetAttribute(ctx, path.Root("reconcile"), c.plan.Reconcile)...)
}

// refusedParams puts each parameter that Proxmox refused at the attribute that it
// came from.
func refusedParams(summary string, e *pve.Error) diag.Diagnostics {
	var d diag.Diagnostics
	for _, key := range slices.Sorted(maps.Keys(e.Params)) {
		why := strings.TrimSuffix(strings.TrimSpace(e.Params[key]), ".")
		text := fmt.Sprintf("Proxmox refuses the parameter %s: %s. %s", key, why, diags.Nothing)
		if at, known := attributeOf(key); known {
			d.AddAttributeError(at, summary, text)
			continue
		}
		d.AddError(summary, text)
	}
	return d
}

// attributeOf is where a key of the configuration is in the schema.
func attributeOf(key string) (path.Path, bool) {
	for prefix, name := range map[string]string{"net": "network", "mp": "mount_points", "dev": "devices"} {
		if numbered(prefix)(key) {
			return path.Root(name).AtMapKey(key), true
		}
	}
	at, ok := attributes[key]
	return at, ok
}

// attributes are the places of keys that are not named like their attribute.
var attributes = map[string]path.Path{
	"vmid": path.Root("vmid"), "ostemplate": path.Root("ostemplate"), "unprivileged": path.Root("unprivileged"), "pool": path.Root("pool"),
	"hostname": path.Root("hostname"), "description": path.Root("description"), "tags": path.Root("tags"), "hookscript": path.Root("hookscript"),
	"timezone": path.Root("timezone"), "protection": path.Root("protection"), "rootfs": path.Root("rootfs"), "storage": path.Root("rootfs").AtName("storage"),
	"features": path.Root("features"), "password": path.Root("password_wo"), "ssh-public-keys": path.Root("ssh_public_keys"),
	"cores": path.Root("cpu").AtName("cores"), "cpulimit": path.Root("cpu").AtName("limit"), "cpuunits": path.Root("cpu").AtName("units"),
	"memory": path.Root("memory").AtName("size"), "swap": path.Root("memory").AtName("swap"),
	"nameserver": path.Root("dns").AtName("nameservers"), "searchdomain": path.Root("dns").AtName("search_domains"),
	"console": path.Root("console").AtName("enabled"), "tty": path.Root("console").AtName("tty"), "cmode": path.Root("console").AtName("mode"),
	"onboot": path.Root("boot").AtName("on_boot"), "debug": path.Root("boot").AtName("debug"), "startup": path.Root("boot").AtName("startup"),
	"entrypoint": path.Root("init").AtName("entrypoint"), "env": path.Root("init").AtName("env"),
	"ostype": path.Root("os").AtName("type"), "arch": path.Root("os").AtName("arch"),
}
