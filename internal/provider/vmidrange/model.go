package vmidrange

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/diags"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vmidrange"
)

type model struct {
	ID      types.String `tfsdk:"id"`
	Start   types.Int64  `tfsdk:"start"`
	End     types.Int64  `tfsdk:"end"`
	Reserve types.Set    `tfsdk:"reserve"`
	VMIDs   types.Map    `tfsdk:"vmids"`
	Retired types.String `tfsdk:"retired"`
	Used    types.String `tfsdk:"used"`
	Free    types.Int64  `tfsdk:"free"`
}

// bounds is the range; known is false while either end is unknown.
func (m *model) bounds() (r vmidrange.Range, known bool, d diag.Diagnostics) {
	if !attrs.Known(m.Start) || !attrs.Known(m.End) {
		return r, false, nil
	}
	r, err := vmidrange.New(guest.VMID(m.Start.ValueInt64()), guest.VMID(m.End.ValueInt64()))
	if err != nil {
		d.Append(diags.NoRange(path.Root("end"), err))
	}
	return r, true, d
}

// names are whom the range reserves for, sorted; known is false while the set or
// one of its elements is unknown.
func (m *model) names() (names []string, known bool) {
	if m.Reserve.IsUnknown() {
		return nil, false
	}
	for _, element := range m.Reserve.Elements() {
		if element.IsUnknown() {
			return nil, false
		}
	}
	names = attrs.Strings(m.Reserve)
	slices.Sort(names)
	return names, true
}

// ledger is what the state says was given out.
func (m *model) ledger() (vmidrange.Ledger, diag.Diagnostics) {
	held := map[string]guest.VMID{}
	for name, value := range m.VMIDs.Elements() {
		if number, ok := value.(types.Int64); ok && attrs.Known(number) {
			held[name] = guest.VMID(number.ValueInt64())
		}
	}
	retired, err := vmidrange.ParseSet(m.Retired.ValueString())
	if err != nil {
		return vmidrange.Ledger{}, diag.Diagnostics{diags.FailedAt(path.Root("retired"), "The state of the range cannot be read", err, diags.Nothing)}
	}
	return vmidrange.Ledger{Held: held, Retired: retired}, nil
}

// used is what the state says the cluster holds in the range.
func (m *model) used() vmidrange.Set {
	set, err := vmidrange.ParseSet(m.Used.ValueString())
	if err != nil {
		return vmidrange.Set{}
	}
	return set
}

// text names the range, also when it is not known yet.
func (m *model) text() string { return m.Start.String() + "-" + m.End.String() }

// fill computes what follows from the ledger and from what the cluster holds.
func (m *model) fill(r vmidrange.Range, l vmidrange.Ledger, taken vmidrange.Set) {
	numbers := make(map[string]attr.Value, len(l.Held))
	for name, id := range l.Held {
		numbers[name] = types.Int64Value(int64(id))
	}
	used := taken.Within(r)
	m.VMIDs = types.MapValueMust(types.Int64Type, numbers)
	m.Retired = types.StringValue(l.Retired.String())
	m.Used = types.StringValue(used.String())
	m.Free = types.Int64Value(int64(r.Len() - used.Union(l.Given().Within(r)).Len()))
}

// forget marks everything computed as not known yet.
func (m *model) forget() {
	m.VMIDs = types.MapUnknown(types.Int64Type)
	m.Retired, m.Used, m.Free = types.StringUnknown(), types.StringUnknown(), types.Int64Unknown()
}

// fresh are the numbers that after gives and before did not, by number.
func fresh(before, after vmidrange.Ledger) []vmidrange.Reservation {
	var list []vmidrange.Reservation
	for _, name := range slices.Sorted(maps.Keys(after.Held)) {
		if _, had := before.Held[name]; !had {
			list = append(list, vmidrange.Reservation{Name: name, VMID: after.Held[name]})
		}
	}
	slices.SortFunc(list, func(a, b vmidrange.Reservation) int { return int(a.VMID - b.VMID) })
	return list
}

// Where private state keeps numbers, as JSON texts.
const (
	// takenKey: every number that the cluster held, inside the range and outside: a
	// range that grows plans with it.
	takenKey = "taken"
	// hiddenKey: numbers that the cluster calls taken though nothing is seen under
	// them, because the user may not audit the guest.
	hiddenKey = "hidden"
)

type private interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// remembered is what remember kept; ok is false for nothing.
func remembered(ctx context.Context, p private, key string) (set vmidrange.Set, ok bool) {
	text, d := p.GetKey(ctx, key)
	if d.HasError() || len(text) < 2 { // two quotes at least
		return vmidrange.Set{}, false
	}
	set, err := vmidrange.ParseSet(string(text[1 : len(text)-1]))
	return set, err == nil
}

func remember(ctx context.Context, p privateSetter, key string, numbers vmidrange.Set) diag.Diagnostics {
	return p.SetKey(ctx, key, []byte(`"`+numbers.Within(vmidrange.Range{Start: guest.MinVMID, End: guest.MaxVMID}).String()+`"`))
}

// cluster is what was seen to be taken.
type cluster struct {
	taken  vmidrange.Set // hidden ones among them
	hidden vmidrange.Set
}

func (c cluster) remember(ctx context.Context, p privateSetter) diag.Diagnostics {
	d := remember(ctx, p, takenKey, c.taken)
	d.Append(remember(ctx, p, hiddenKey, c.hidden)...)
	return d
}

func (c *cluster) hide(id guest.VMID) {
	c.taken = c.taken.Union(vmidrange.SetOf(id))
	c.hidden = c.hidden.Union(vmidrange.SetOf(id))
}
