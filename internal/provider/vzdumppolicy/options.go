package vzdumppolicy

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// options are the job's options as text, exclude-path apart: what a model asks
// for, or what a job has.
type options struct {
	values       map[string]string
	excludePaths []string
}

// wants are the options that the model asks for. What is null or unknown is not
// among them.
func (m *model) wants(ctx context.Context) (options, diag.Diagnostics) {
	var found diag.Diagnostics
	o := options{values: map[string]string{}, excludePaths: attrs.Strings(m.ExcludePaths)}
	keys.Encode(m, o.values)
	if o.values["all"] == "0" {
		delete(o.values, "all") // the same as absent, and another selection beside it is refused
	}
	for key, set := range map[string]types.Set{"vmid": m.VMIDs, "exclude": m.Exclude} {
		if ids := vmids(set); len(ids) > 0 {
			o.values[key] = vzdump.FormatVMIDs(ids)
		}
	}
	prune, d := attrs.Object[pruneModel](ctx, m.PruneBackups)
	found.Append(d...)
	if prune != nil {
		o.values["prune-backups"] = prune.retention().String()
	}
	fleecing, d := attrs.Object[fleecingModel](ctx, m.Fleecing)
	found.Append(d...)
	if fleecing != nil {
		o.values["fleecing"] = joined("enabled", flag(fleecing.Enabled), "storage", fleecing.Storage.ValueString())
	}
	performance, d := attrs.Object[performanceModel](ctx, m.Performance)
	found.Append(d...)
	if performance != nil {
		if text := joined("max-workers", count(performance.MaxWorkers), "pbs-entries-max", count(performance.PBSEntriesMax)); text != "" {
			o.values["performance"] = text
		}
	}
	return o, found
}

func (p *pruneModel) retention() vzdump.Retention {
	return vzdump.Retention{
		All: p.All.ValueBool(), Last: int(p.Last.ValueInt64()), Hourly: int(p.Hourly.ValueInt64()), Daily: int(p.Daily.ValueInt64()),
		Weekly: int(p.Weekly.ValueInt64()), Monthly: int(p.Monthly.ValueInt64()), Yearly: int(p.Yearly.ValueInt64()),
	}
}

// joined is a property string of the pairs that have a value.
func joined(pairs ...string) string {
	var parts []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			parts = append(parts, pairs[i]+"="+pairs[i+1])
		}
	}
	return strings.Join(parts, ",")
}

func flag(v types.Bool) string {
	if v.IsNull() {
		return ""
	}
	return keys.FormatBool(v.ValueBool())
}

func count(v types.Int64) string {
	if !attrs.Known(v) {
		return ""
	}
	return strconv.FormatInt(v.ValueInt64(), 10)
}

// vmids are the known numbers of a set.
func vmids(set types.Set) []guest.VMID {
	var ids []guest.VMID
	for _, element := range set.Elements() {
		if n, ok := element.(types.Int64); ok && attrs.Known(n) {
			ids = append(ids, guest.VMID(n.ValueInt64()))
		}
	}
	slices.Sort(ids)
	return ids
}

// selection is whom the options back up.
func (o options) selection() vzdump.Selection {
	ids, _ := vzdump.ParseVMIDs(o.values["vmid"]) // a text of ours, or one that Proxmox has accepted
	exclude, _ := vzdump.ParseVMIDs(o.values["exclude"])
	all, _ := keys.ParseBool(o.values["all"])
	return vzdump.Selection{VMIDs: ids, Exclude: exclude, Pool: o.values["pool"], All: all, Node: o.values["node"]}
}

// absorb takes over what a job has. An attribute keeps its prior value when that
// means the same; first says that nothing was read before.
func (m *model) absorb(ctx context.Context, o options, first bool) diag.Diagnostics {
	var found diag.Diagnostics
	keys.Decode(m, o.values, first)
	m.VMIDs = vmidSet(o.values["vmid"])
	m.Exclude = vmidSet(o.values["exclude"])
	if len(o.excludePaths) > 0 || m.ExcludePaths.IsNull() {
		m.ExcludePaths = stringList(o.excludePaths)
	}
	found.Append(m.absorbPrune(ctx, o.values["prune-backups"])...)
	found.Append(m.absorbFleecing(ctx, o.values["fleecing"])...)
	found.Append(m.absorbPerformance(ctx, o.values["performance"])...)
	m.OtherOptions = others(o.values)
	return found
}

func (m *model) absorbPrune(ctx context.Context, text string) diag.Diagnostics {
	if text == "" {
		m.PruneBackups = types.ObjectNull(pruneTypes)
		return nil
	}
	r, err := vzdump.ParseRetention(text)
	if err != nil {
		return diag.Diagnostics{unreadable(m.ID.ValueString(), "prune-backups", err)}
	}
	if before, d := attrs.Object[pruneModel](ctx, m.PruneBackups); !d.HasError() && before != nil && before.retention().String() == r.String() {
		return nil // the same, however it is written
	}
	n := func(v int) types.Int64 {
		if v == 0 {
			return types.Int64Null()
		}
		return types.Int64Value(int64(v))
	}
	p := pruneModel{All: types.BoolNull(), Last: n(r.Last), Hourly: n(r.Hourly), Daily: n(r.Daily), Weekly: n(r.Weekly), Monthly: n(r.Monthly), Yearly: n(r.Yearly)}
	if r.All {
		p.All = types.BoolValue(true)
	}
	var d diag.Diagnostics
	m.PruneBackups, d = types.ObjectValueFrom(ctx, pruneTypes, p)
	return d
}

func (m *model) absorbFleecing(ctx context.Context, text string) diag.Diagnostics {
	sub := pairs(text)
	on, _ := keys.ParseBool(sub["enabled"])
	if !on && !attrs.Known(m.Fleecing) {
		m.Fleecing = types.ObjectNull(fleecingTypes) // switched off is the default
		return nil
	}
	f := fleecingModel{Enabled: types.BoolValue(on), Storage: optional(sub["storage"])}
	if text == "" {
		m.Fleecing = types.ObjectNull(fleecingTypes)
		return nil
	}
	var d diag.Diagnostics
	m.Fleecing, d = types.ObjectValueFrom(ctx, fleecingTypes, f)
	return d
}

func (m *model) absorbPerformance(ctx context.Context, text string) diag.Diagnostics {
	sub := pairs(text)
	if len(sub) == 0 {
		if !attrs.Known(m.Performance) {
			m.Performance = types.ObjectNull(performanceTypes)
		}
		return nil
	}
	var d diag.Diagnostics
	m.Performance, d = types.ObjectValueFrom(ctx, performanceTypes, performanceModel{
		MaxWorkers: number(sub["max-workers"]), PBSEntriesMax: number(sub["pbs-entries-max"])})
	return d
}

// pairs takes a property string apart in which the client wrote every sub-key out.
func pairs(text string) map[string]string {
	found := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if key, value, ok := strings.Cut(part, "="); ok {
			found[key] = value
		}
	}
	return found
}

func number(text string) types.Int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return types.Int64Null()
	}
	return types.Int64Value(n)
}

func optional(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

func vmidSet(text string) types.Set {
	ids, err := vzdump.ParseVMIDs(text)
	if err != nil || len(ids) == 0 {
		return types.SetNull(types.Int64Type)
	}
	elements := make([]attr.Value, len(ids))
	for i, id := range ids {
		elements[i] = types.Int64Value(int64(id))
	}
	return types.SetValueMust(types.Int64Type, elements)
}

func stringList(items []string) types.List {
	if len(items) == 0 {
		return types.ListNull(types.StringType)
	}
	elements := make([]attr.Value, len(items))
	for i, item := range items {
		elements[i] = types.StringValue(item)
	}
	return types.ListValueMust(types.StringType, elements)
}

// others are the options that no attribute stands for. They are left as they are.
func others(values map[string]string) types.Map {
	ours := map[string]string{}
	keys.Encode(sample(), ours)
	rest := map[string]attr.Value{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if _, known := ours[key]; !known && !slices.Contains(mapped, key) {
			rest[key] = types.StringValue(values[key])
		}
	}
	return types.MapValueMust(types.StringType, rest)
}
