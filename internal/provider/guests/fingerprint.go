package guests

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/ending"
)

// Fingerprint is the marks of the live guest, which was recognised before or was
// changed by us, and when we made it.
func Fingerprint(f Found, kept types.String) types.String {
	live := lifecycle.FingerprintOf(f.Ref.Kind, f.Ref.VMID, f.Config.Values)
	if known, err := lifecycle.ParseFingerprint(kept.ValueString()); err == nil {
		live = known.Refreshed(live)
	}
	return types.StringValue(live.String())
}

// Recognise is nil if the guest that was found is the one of the state. A number
// is free again the moment its guest is gone, so what has it now may be somebody
// else's.
func Recognise(ctx context.Context, life *lifecycle.Lifecycle, f Found, kept types.String) diag.Diagnostic {
	if !attrs.Known(kept) {
		return nil
	}
	if err := life.Recognise(ctx, f.Ref, f.Config.Values, kept.ValueString()); err != nil {
		return ending.NotRead(f.Ref, err)
	}
	return nil
}
