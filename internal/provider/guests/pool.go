package guests

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Listed reads what only the shared listing has: whether the guest runs and its
// pool, each given as it was known before. The listing lags, so a status that it
// does not know changes nothing.
func Listed(ctx context.Context, data *meta.Data, f Found, started types.Bool, pool types.String) (types.Bool, types.String, error) {
	switch {
	case f.Listed && (f.Row.Status == "running" || f.Row.Status == "stopped"):
		started = types.BoolValue(f.Row.Status == "running")
	case !attrs.Known(started):
		status, err := data.Client.Status(ctx, f.Ref)
		if err != nil {
			return started, pool, err
		}
		started = types.BoolValue(status.Running())
	}
	switch {
	case f.Listed && f.Row.Pool != "":
		pool = types.StringValue(f.Row.Pool)
	case f.Listed && attrs.Known(pool):
		in, err := isMember(ctx, data, pool.ValueString(), f.Ref.VMID)
		if err != nil {
			return started, pool, err
		}
		if !in {
			pool = types.StringNull()
		}
	}
	return started, pool, nil
}

// isMember asks the pool itself when the listing shows none: a pool is hidden
// from users without Pool.Audit. What could not be seen counts as unchanged.
func isMember(ctx context.Context, data *meta.Data, name string, id guest.VMID) (bool, error) {
	pool, err := data.Client.Pool(ctx, name)
	switch {
	case errors.Is(err, pve.ErrPermission):
		return true, nil
	case errors.Is(err, pve.ErrNoSuch):
		return false, nil
	case err != nil:
		return false, err
	}
	for _, member := range pool.Members {
		if ref, ok := member.Guest(); ok && ref.VMID == id {
			return true, nil
		}
	}
	return false, nil
}

// ChangePool moves a guest from one pool to another, in place.
func ChangePool(ctx context.Context, data *meta.Data, ref guest.Ref, from, to types.String) diag.Diagnostics {
	if to.Equal(from) {
		return nil
	}
	want := to.ValueString()
	var err error
	if attrs.Known(to) {
		err = data.Client.AddToPool(ctx, want, ref.VMID)
	} else {
		err = data.Client.RemoveFromPool(ctx, from.ValueString(), ref.VMID)
	}
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("pool"), fmt.Sprintf("The pool of %s %d could not be changed", ref.Kind.Noun(), ref.VMID), err, diags.Nothing)}
	}
	data.Guests.Note(ref.VMID, meta.Note{Pool: &want})
	return nil
}
