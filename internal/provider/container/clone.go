package container

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guests"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// source is nil when the container is no clone, and when the source is not known
// yet.
func (m *model) source(ctx context.Context) (*guests.Clone, diag.Diagnostics) {
	return guests.CloneOf(ctx, guest.LXC, m.Clone)
}

// validateClone wants one source, and says what a clone does not do.
func (m *model) validateClone() diag.Diagnostics {
	var d diag.Diagnostics
	if !attrs.Known(m.Clone) {
		return nil
	}
	if attrs.Known(m.OSTemplate) || attrs.Known(m.Restore) {
		d.AddAttributeError(path.Root("clone"), "A container is made of one source, and this one has two",
			"clone is set together with ostemplate or restore. "+diags.Nothing+"\n\nRemove one of them.")
	}
	if attrs.Known(m.PasswordWO) || attrs.Known(m.SSHPublicKeys) {
		d.AddAttributeWarning(path.Root("clone"), "A clone keeps the password and the keys of its source",
			"Proxmox sets password_wo and ssh_public_keys only when it makes a container of a template.")
	}
	return d
}

// checkClone looks at the source before anything is done.
func (r *Resource) checkClone(ctx context.Context, plan *model) diag.Diagnostics {
	source, d := plan.source(ctx)
	if source == nil || d.HasError() {
		return d
	}
	f, full, d := source.Look(ctx, r.data)
	if d.HasError() {
		return d
	}
	if refusal := impossible(plan, source, f, full); refusal != nil {
		return append(d, refusal)
	}
	d.Append(larger(ctx, plan, f)...)
	return append(d, source.Can(ctx, r.data, plan.Node, f, full)...)
}

// impossible words what Proxmox never does with the source of a clone.
// Source: PVE::API2::LXC clone_vm.
func impossible(plan *model, source *guests.Clone, f guests.Found, full bool) diag.Diagnostic {
	at := path.Root("clone").AtName("vmid")
	for _, key := range volumeKeys(f.Config.Values, "mp") {
		s, err := parseVolume(key, f.Config.Values[key])
		if err == nil && strings.HasPrefix(s[defaultVolume], "/") {
			return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("Container %d cannot be cloned because of %s", f.Ref.VMID, key),
				fmt.Sprintf("%s mounts %s of the node, and Proxmox clones no container with such a mount point. Nothing has been changed.\n\nTake it off the source, and declare it for the clone.", key, s[defaultVolume]))
		}
	}
	if full && source.Snapshot == "" && f.Row.Status == "running" {
		return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("Container %d runs and can only be cloned from a snapshot", f.Ref.VMID),
			"Nothing has been changed.\n\nSet clone.snapshot, or stop it.")
	}
	unprivileged, _ := keys.ParseBool(f.Config.Values["unprivileged"])
	if attrs.Known(plan.Unprivileged) && plan.Unprivileged.ValueBool() != unprivileged {
		return diag.NewAttributeErrorDiagnostic(path.Root("unprivileged"), fmt.Sprintf("A clone of container %d has unprivileged = %t, like its source", f.Ref.VMID, unprivileged),
			fmt.Sprintf("The owners of all files would be wrong otherwise, and Proxmox does not change it. Nothing has been changed.\n\nSet unprivileged = %t, or clone another container.", unprivileged))
	}
	return nil
}

// larger refuses volumes of the source that are larger than what is declared: they
// never shrink.
func larger(ctx context.Context, plan *model, f guests.Found) diag.Diagnostics {
	want, d := plan.wants(ctx)
	sizes := map[string]attrs.Size{}
	if want.rootfs != nil {
		sizes["rootfs"] = want.rootfs.Size
	}
	for key, mount := range want.mounts {
		sizes[key] = mount.Size
	}
	for _, key := range slices.Sorted(maps.Keys(sizes)) {
		s, err := parseVolume(key, f.Config.Values[key])
		wanted, sized := sizes[key].Bytes()
		if err != nil || !sized {
			continue
		}
		if has, err := bytesize.ParseStored(s["size"]); err == nil && !has.Bare && wanted < has.Size {
			at := diskPath(key).AtName("size")
			summary, detail := attrs.Shrink(at, has.Size, wanted)
			d.AddAttributeError(at, summary, detail)
		}
	}
	return d
}

func (c *creation) steps() *guests.Steps {
	return &guests.Steps{Data: c.r.data, Ref: c.ref, Diags: &c.resp.Diagnostics, Did: "created"}
}

// clone sends the clone request.
func (c *creation) clone(ctx context.Context) (pve.UPID, error) {
	return c.source.Begin(ctx, c.steps(), c.ref, pve.CloneOptions{Name: c.plan.Hostname.ValueString(), Pool: c.plan.Pool.ValueString()})
}

// follow waits for the task that makes the container.
func (c *creation) follow(ctx context.Context, task pve.UPID) (pve.UPID, error) {
	if c.source == nil {
		return task, c.steps().Follow(ctx, task)
	}
	return c.source.Follow(ctx, c.steps(), task, func() (pve.UPID, error) {
		again, err := c.clone(ctx)
		if err == nil {
			c.resp.Diagnostics.Append(c.track(ctx, again)...)
		}
		return again, err
	})
}

// onlyDeclared leaves the mount points out that the source brought and nobody
// declares: they are left alone.
func onlyDeclared(before *wanted, after wanted) {
	maps.DeleteFunc(before.mounts, func(key string, _ mountPointModel) bool {
		_, declared := after.mounts[key]
		return !declared
	})
}

// resize grows and moves the volumes of a clone to what is declared. It does not
// run yet.
func (c *creation) resize(ctx context.Context, done change) error {
	s := c.steps()
	for _, one := range done.resizes {
		if err := s.Wait(ctx, func() (pve.UPID, error) { return c.r.data.Client.Resize(ctx, c.ref, one.key, one.size.String(), "") }); err != nil {
			return &growError{one, err}
		}
	}
	for _, one := range done.moves {
		if err := s.Wait(ctx, func() (pve.UPID, error) {
			return c.r.data.Client.MoveVolume(ctx, c.ref, pve.MoveOptions{Key: one.key, Storage: one.storage})
		}); err != nil {
			return fmt.Errorf("%s could not be moved to storage %s: %w", one.key, one.storage, err)
		}
	}
	return nil
}
