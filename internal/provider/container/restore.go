package container

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/archives"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// validateRestore wants one source, and says what a restore does not do.
func (m *model) validateRestore(context.Context) diag.Diagnostics {
	var d diag.Diagnostics
	if m.Restore.IsNull() || m.Restore.IsUnknown() {
		return nil
	}
	if attrs.Known(m.OSTemplate) {
		d.AddAttributeError(path.Root("restore"), "A container is made of a template or of a backup archive, not of both",
			"ostemplate and restore are both set. "+diags.Nothing+"\n\nRemove one of them.")
	}
	if attrs.Known(m.PasswordWO) || attrs.Known(m.SSHPublicKeys) {
		d.AddAttributeWarning(path.Root("restore"), "A restored container keeps the password and the keys that are in the archive",
			"Proxmox sets password_wo and ssh_public_keys only when it makes a container of a template.")
	}
	return d
}

// planRestore checks the archive that the container is to be made of, or made anew
// of, and says what does not come back.
func (r *Resource) planRestore(ctx context.Context, plan *model, anew bool) diag.Diagnostics {
	order := archives.OrderOf(plan.Restore)
	switch {
	case order == nil && anew:
		return archives.CheckKnown(plan.Restore)
	case order == nil:
		return nil
	}
	source, d := r.openRestore(ctx, plan, *order)
	if !d.HasError() {
		d.Append(source.Losses(path.Root("restore"), archives.Restoration{Unique: order.Unique, Managed: true}))
	}
	return d
}

// openRestore reads the archive and refuses to unpack data into another volume
// than its own.
func (r *Resource) openRestore(ctx context.Context, plan *model, order archives.Order) (archives.Source, diag.Diagnostics) {
	source, d := order.Open(ctx, r.data, guest.LXC, plan.Node.ValueString())
	if d.HasError() || plan.MountPoints.IsUnknown() {
		return source, d
	}
	mounts, more := attrs.Map[mountPointModel](ctx, plan.MountPoints)
	d.Append(more...)
	declared := map[string]bool{}
	for _, m := range mounts {
		declared[archives.CleanPath(m.Path.ValueString())] = !attrs.Known(m.Volume)
	}
	for _, c := range source.Undeclared(declared) {
		at := archives.CleanPath(c.Path)
		if _, there := declared[at]; there {
			d.AddAttributeError(path.Root("mount_points"), fmt.Sprintf("The data of the archive at %s would be written into what is mounted there", at),
				fmt.Sprintf("%s of the archive has data at %s, and the configuration mounts an existing volume or directory there. %s\n\nDeclare a new volume there, with storage and size.", c.Key, at, diags.Nothing))
			continue
		}
		d.AddAttributeError(path.Root("mount_points"), fmt.Sprintf("The data of the archive at %s would get no volume of its own", at),
			fmt.Sprintf("%s of the archive has data at %s, and the configuration declares no mount point there: it would be unpacked into the volume around it. %s\n\nDeclare %s with path = %q, storage and size.", c.Key, at, diags.Nothing, c.Key, at))
	}
	return source, d
}

// restoreParams are the parameters of a create from a template that a restore has
// as well. Everything else is set when the archive has brought what it brings:
// Proxmox lays network devices of the archive over those of the request.
func restoreParams(all pve.Params, unique bool) pve.Params {
	kept := maps.Clone(all)
	maps.DeleteFunc(kept, func(key, _ string) bool {
		return key != "rootfs" && key != "unprivileged" && key != "pool" && !numbered("mp")(key)
	})
	if unique {
		kept["unique"] = "1"
	}
	return kept
}

// send sends the POST that makes the container.
func (c *creation) send(ctx context.Context, p pve.Params) (pve.UPID, error) {
	if c.order != nil {
		return c.r.data.Client.Restore(ctx, c.ref, c.order.Archive, p)
	}
	return c.r.data.Client.CreateContainer(ctx, c.ref.Node, p)
}

func (c *creation) taskType() string {
	if c.order != nil {
		return "vzrestore"
	}
	return "vzcreate"
}

// configure does what comes between the creation and the first start.
func (c *creation) configure(ctx context.Context) error {
	if c.order != nil || c.source != nil {
		err := c.declare(ctx)
		if errors.Is(err, pve.ErrDigest) {
			err = c.declare(ctx)
		}
		if err != nil {
			return err
		}
	}
	return guestfirewall.Establish(ctx, c.r.data.Client, c.ref, c.plan.Firewall)
}

// declare brings the container from what the archive or the source made of it to
// what is declared.
func (c *creation) declare(ctx context.Context) error {
	config, err := c.r.data.Client.Config(ctx, c.ref)
	if err != nil {
		return err
	}
	restored := *c.plan
	d := restored.absorb(ctx, config.Values, true)
	before, more := restored.wants(ctx)
	d.Append(more...)
	// What is not known before it is there, such as the kind of system, stays.
	filled := attrs.Fill(*c.plan, restored)
	after, more := filled.wants(ctx)
	d.Append(more...)
	if d.HasError() {
		return &unreadableError{d}
	}
	if c.source != nil {
		onlyDeclared(&before, after)
	}
	done := change{self: c.ref.VMID, before: before, after: after, live: explicit(config.Values, c.plan)}
	if err := done.plan(); err != nil {
		return err
	}
	for _, part := range done.parts(config.Digest) {
		if err := c.r.data.Client.UpdateConfig(ctx, c.ref, part); err != nil {
			return err
		}
	}
	return c.resize(ctx, done)
}

// unreadableError says that the configuration out of an archive cannot be read.
type unreadableError struct{ diags diag.Diagnostics }

func (e *unreadableError) Error() string { return e.diags.Errors()[0].Summary() }
