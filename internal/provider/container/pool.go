package container

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// checkPool settles a listing that shows no pool although the state has one: the
// pool is hidden from users without Pool.Audit, so the pool itself is asked.
func (r *Resource) checkPool(ctx context.Context, m *model) diag.Diagnostics {
	pool, err := r.data.Client.Pool(ctx, m.Pool.ValueString())
	switch {
	case errors.Is(err, pve.ErrPermission):
		return nil // could not see: what was known stays
	case errors.Is(err, pve.ErrNoSuch):
		m.Pool = types.StringNull()
		return nil
	case err != nil:
		return diag.Diagnostics{unreadable(m.ref(), err)}
	}
	for _, member := range pool.Members {
		if ref, ok := member.Guest(); ok && ref.VMID == m.id() {
			return nil
		}
	}
	m.Pool = types.StringNull()
	return nil
}

// changePool moves the container to another pool, in place.
func (r *Resource) changePool(ctx context.Context, state, plan *model) diag.Diagnostics {
	if plan.Pool.Equal(state.Pool) {
		return nil
	}
	id, want := plan.id(), plan.Pool.ValueString()
	var err error
	if attrs.Known(plan.Pool) {
		err = r.data.Client.AddToPool(ctx, want, id)
	} else {
		err = r.data.Client.RemoveFromPool(ctx, state.Pool.ValueString(), id)
	}
	if err != nil {
		return diag.Diagnostics{diags.FailedAt(path.Root("pool"), fmt.Sprintf("The pool of container %d could not be changed", id), err, diags.Nothing)}
	}
	r.data.Guests.Note(id, meta.Note{Pool: &want})
	return nil
}
