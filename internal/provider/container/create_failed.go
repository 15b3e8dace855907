package container

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/stage"
)

// broke ends a create that failed after it was accepted. What was not there and
// is not there needs no record; anything else is half done and says so in state.
func (c *creation) broke(ctx context.Context, at stage.Stage, task pve.UPID, cause error) {
	stop := lifecycle.New(c.r.data.Client, time.Now).Interrupt(ctx, c.ref, at, task, cause)
	if exists := stop.Record.Exists; exists != nil && !*exists {
		c.resp.State.RemoveResource(ctx)
		c.resp.Diagnostics.Append(diags.Failed(fmt.Sprintf("Container %d was not created on node %s", c.ref.VMID, c.ref.Node), cause,
			"Proxmox has removed what it had begun: the number is free again."))
		return
	}
	c.resp.Diagnostics.Append(c.plan.setRecord(ctx, &stop.Record)...)
	c.resp.Diagnostics.Append(c.resp.State.SetAttribute(ctx, path.Root("reconcile"), c.plan.Reconcile)...)
	c.resp.Diagnostics.Append(diags.Failed(halfDone(stop.Record), cause, stop.Record.Story()+" This stands in the state as its reconcile record."))
}

func halfDone(r stage.Record) string {
	switch {
	case r.Stage == stage.Start:
		return fmt.Sprintf("Container %d was created and did not start", r.Guest.VMID)
	case r.Stage == stage.Configure:
		return fmt.Sprintf("Container %d was created and not configured to the end", r.Guest.VMID)
	}
	return fmt.Sprintf("Container %d was perhaps created only in part", r.Guest.VMID)
}

// taken words that somebody has the number, and who. It is not taken over.
func (c *creation) taken(ctx context.Context, err error) diag.Diagnostic {
	who := c.r.data.Holder(ctx, c.ref.VMID)
	if who == "" {
		who = "a guest"
		if e, ok := errors.AsType[*pve.ExistsError](err); ok && e.Node != "" {
			who = "a " + e.Kind.Noun() + " on node " + e.Node
		}
	}
	return diags.FailedAt(path.Root("vmid"), fmt.Sprintf("VMID %s is taken by %s", c.name(), who), err,
		"A guest that exists is never taken over by a create. Nothing has been changed.\n\n"+
			fmt.Sprintf("Use another vmid, or leave vmid out and set vmid_range in the provider block. If the guest is the one that you mean, import it: terraform import ADDRESS %s.", c.name()))
}

// lost words that nobody knows whether the container is being made. It is not in
// the state: what is under the number may be somebody else's.
func (c *creation) lost(err error) diag.Diagnostic {
	return diags.Failed(fmt.Sprintf("Whether container %s was created on node %s is not known", c.name(), c.ref.Node), err,
		fmt.Sprintf("No task of this create was found in the node's list. The container is not in the state, and its number must not be taken for free. "+
			"Look at the task list of node %s.", c.ref.Node))
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
