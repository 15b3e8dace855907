package vmidrange

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

// ValidateConfig refuses what no cluster could make right.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if !guest.VMID(m.Start.ValueInt64()).Valid() || !guest.VMID(m.End.ValueInt64()).Valid() {
		return // unknown, or refused by the validator of the attribute
	}
	bounds, known, d := m.bounds()
	resp.Diagnostics.Append(d...)
	names, all := m.names()
	if resp.Diagnostics.HasError() || !known || !all {
		return
	}
	if len(names) > bounds.Len() {
		resp.Diagnostics.Append(diags.RangeTooSmall(path.Root("reserve"), bounds, len(names)))
	}
}

// ModifyPlan gives new names their numbers, so that a reviewer sees them. It
// decides by the configuration and the refreshed state alone: Terraform asks it
// once more when it applies, and another answer then would be an error of ours.
// What the cluster says can only refuse.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.data == nil {
		return
	}
	var plan, state model
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if req.Plan.Raw.IsNull() {
		resp.Diagnostics.Append(planDestroy(&state)...)
		return
	}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	creates := req.State.Raw.IsNull()
	if creates && marked(ctx, req) {
		resp.Diagnostics.Append(diags.RangeReplaced(plan.text()))
		return
	}
	if !creates {
		resp.Diagnostics.Append(mark(ctx, resp)...)
	}
	bounds, known, d := r.admit(ctx, &plan, state.ID.ValueString())
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	names, all := plan.names()
	switch {
	case creates && known && all:
		plan.forget()
		resp.Diagnostics.Append(r.planCreate(ctx, bounds, names)...)
	case known && all:
		resp.Diagnostics.Append(planUpdate(ctx, bounds, names, &state, &plan, req)...)
	case !creates && len(state.VMIDs.Elements()) > 0:
		resp.Diagnostics.Append(diags.RangeUnknown(state.text()))
	default:
		plan.forget()
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// admit checks the range against the boundary, against other ranges and for
// templates.
func (r *Resource) admit(ctx context.Context, plan *model, key string) (vmidrange.Range, bool, diag.Diagnostics) {
	if err := r.data.Boundary.Err(); err != nil {
		return vmidrange.Range{}, false, diag.Diagnostics{diags.Failed("The range cannot be planned", err, diags.Nothing)}
	}
	bounds, known, d := plan.bounds()
	if d.HasError() || !known {
		return bounds, known, d
	}
	if err := r.data.Boundary.CheckRange(bounds); err != nil {
		at := path.Root("end")
		if !r.data.Boundary.Range.Contains(bounds.Start) {
			at = path.Root("start")
		}
		d.Append(diags.FailedAt(at, "The range "+bounds.String()+" leaves the provider's VMID range", err, diags.Nothing))
		return bounds, known, d
	}
	names, _ := plan.names()
	err := r.data.Ranges.Plan(key, meta.PlannedRange{Range: bounds, Names: names})
	if overlap, ok := errors.AsType[*meta.OverlapError](err); ok {
		d.Append(diags.RangesOverlap(path.Root("start"), overlap))
	}
	d.Append(r.refuseTemplates(ctx, bounds)...)
	return bounds, known, d
}

func (r *Resource) refuseTemplates(ctx context.Context, bounds vmidrange.Range) (d diag.Diagnostics) {
	templates, err := r.data.Guests.Templates(ctx, bounds)
	if err != nil {
		d.Append(diags.Failed("Whether the range "+bounds.String()+" contains a template could not be seen", err, diags.Nothing))
	}
	for _, row := range templates {
		d.Append(diags.TemplateInRange(path.Root("start"), bounds, guest.VMID(row.VMID), meta.Describe(row)))
	}
	return d
}

// planCreate refuses a range that is full already. The numbers stay unknown: what
// the cluster holds may be another thing when the plan is applied.
func (r *Resource) planCreate(ctx context.Context, bounds vmidrange.Range, names []string) diag.Diagnostics {
	held, err := r.data.Survey.Held(ctx)
	if err != nil {
		return diag.Diagnostics{diags.Failed("Which numbers of the range "+bounds.String()+" are taken could not be seen", err, diags.Nothing)}
	}
	_, err = vmidrange.Allocate(bounds, names, vmidrange.Ledger{}, held.Taken())
	return refusal(err, vmidrange.Ledger{}, held.Taken())
}

// planUpdate allocates by what Read remembered of the cluster. An object that was
// never read knows its own range only; what it misses is found at apply.
func planUpdate(ctx context.Context, bounds vmidrange.Range, names []string, state, plan *model, req resource.ModifyPlanRequest) diag.Diagnostics {
	before, d := state.ledger()
	if d.HasError() {
		return d
	}
	taken, ok := remembered(ctx, req.Private, takenKey)
	if !ok {
		taken = state.used()
	}
	hidden, _ := remembered(ctx, req.Private, hiddenKey) // an apply that failed adds to it
	taken = taken.Union(hidden)
	after, err := vmidrange.Allocate(bounds, names, before, taken)
	if err != nil {
		return refusal(err, before, taken)
	}
	plan.fill(bounds, after, taken)
	return nil
}

// refusal words why numbers were not allocated.
func refusal(err error, before vmidrange.Ledger, taken vmidrange.Set) diag.Diagnostics {
	if full, ok := errors.AsType[*vmidrange.FullError](err); ok {
		return diag.Diagnostics{diags.RangeFull(path.Root("reserve"), full, taken, before.Given())}
	}
	if out, ok := errors.AsType[*vmidrange.LeftOutError](err); ok {
		at := path.Root("end")
		if out.Lost[0].VMID < out.Range.Start {
			at = path.Root("start")
		}
		return diag.Diagnostics{diags.RangeLeavesOut(at, out)}
	}
	return nil
}

func planDestroy(state *model) diag.Diagnostics {
	bounds, known, d := state.bounds()
	ledger, problem := state.ledger()
	d.Append(problem...)
	if given := ledger.Given(); known && given.Len() > 0 {
		d.Append(diags.LedgerLost(bounds, given))
	}
	return d
}

// markKey stands in planned private state after the first plan call for an object.
// The second call of a replace has no prior state and sees the mark; a create does
// not.
const markKey = "planned"

func mark(ctx context.Context, resp *resource.ModifyPlanResponse) diag.Diagnostics {
	return resp.Private.SetKey(ctx, markKey, []byte("true"))
}

func marked(ctx context.Context, req resource.ModifyPlanRequest) bool {
	value, _ := req.Private.GetKey(ctx, markKey)
	return value != nil
}
