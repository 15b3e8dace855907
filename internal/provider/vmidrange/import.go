package vmidrange

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// ImportState builds a ledger anew after the state was lost: the id is the range
// and, after commas, name=number for what names hold, and numbers that retired.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if err := r.data.Boundary.Err(); err != nil {
		resp.Diagnostics.Append(diags.Failed("The range cannot be imported", err, diags.Nothing))
		return
	}
	bounds, ledger, err := parseImport(req.ID)
	if err == nil {
		err = r.data.Boundary.CheckRange(bounds)
	}
	if err != nil {
		resp.Diagnostics.Append(diags.Failed(fmt.Sprintf("%q is not a range to import", req.ID), err,
			"The id is the range, then what it gave out: 5000-8999,web=5000,db=5002,5001 reserves 5000 and 5002 and retires 5001. "+diags.Nothing))
		return
	}
	state := model{
		ID:      types.StringValue(rand.Text()),
		Start:   types.Int64Value(int64(bounds.Start)),
		End:     types.Int64Value(int64(bounds.End)),
		Reserve: types.SetNull(types.StringType),
	}
	names := make([]attr.Value, 0, len(ledger.Held))
	for name := range ledger.Held {
		names = append(names, types.StringValue(name))
	}
	if len(names) > 0 {
		state.Reserve = types.SetValueMust(types.StringType, names)
	}
	state.fill(bounds, ledger, vmidrange.Set{})
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

func parseImport(id string) (vmidrange.Range, vmidrange.Ledger, error) {
	ledger := vmidrange.Ledger{Held: map[string]guest.VMID{}}
	text, rest, more := strings.Cut(id, ",")
	bounds, err := vmidrange.Parse(text)
	if err != nil || !more {
		return bounds, ledger, err
	}
	var retired []string
	for part := range strings.SplitSeq(rest, ",") {
		name, number, held := strings.Cut(part, "=")
		if !held {
			retired = append(retired, part)
			continue
		}
		id, err := guest.ParseVMID(number)
		if err != nil {
			return bounds, ledger, err
		}
		if !bounds.Contains(id) {
			return bounds, ledger, &vmidrange.LeftOutError{Range: bounds, Lost: []vmidrange.Reservation{{Name: name, VMID: id}}}
		}
		ledger.Held[name] = id
	}
	ledger.Retired, err = vmidrange.ParseSet(strings.Join(retired, ","))
	return bounds, ledger, err
}
