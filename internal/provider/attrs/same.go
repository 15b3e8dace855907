package attrs

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// SameDescription compares two descriptions: equal up to one trailing newline,
// which Proxmox adds for containers and strips for VMs.
func SameDescription(a, b string) bool {
	return a == b || a+"\n" == b || a == b+"\n"
}

// SameTags compares two sets of tags as Proxmox does unless the datacenter says
// otherwise: order, repetition and case do not count.
func SameTags(a, b []string) bool {
	return tagSet(a) == tagSet(b)
}

// SplitTags splits Proxmox's tag list, which is separated by any of comma,
// semicolon and space.
func SplitTags(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",; \t\n\x00", r) })
}

func tagSet(tags []string) string {
	lower := make([]string, len(tags))
	for i, tag := range tags {
		lower[i] = strings.ToLower(tag)
	}
	return strings.Join(sortedUnique(lower), ";")
}

// KeepText plans the prior text of a string when the configured one means the
// same. Semantic equality of a custom type does not run in the plan.
func KeepText(description string, same func(a, b string) bool) planmodifier.String {
	return keepText{description, same}
}

type keepText struct {
	description string
	same        func(a, b string) bool
}

func (m keepText) Description(context.Context) string         { return m.description }
func (m keepText) MarkdownDescription(context.Context) string { return m.description }

func (m keepText) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if Known(req.StateValue) && Known(req.PlanValue) && m.same(req.StateValue.ValueString(), req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}

// KeepTags plans the prior set of tags when the configured one means the same.
func KeepTags() planmodifier.Set { return keepTags{} }

type keepTags struct{}

func (keepTags) Description(context.Context) string {
	return "Tags that differ in case, order or repetition only are no change."
}

func (m keepTags) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (keepTags) PlanModifySet(_ context.Context, req planmodifier.SetRequest, resp *planmodifier.SetResponse) {
	if !Known(req.StateValue) || !Known(req.PlanValue) || !allKnown(req.PlanValue.Elements()) {
		return
	}
	if SameTags(Strings(req.StateValue), Strings(req.PlanValue)) {
		resp.PlanValue = req.StateValue
	}
}

func allKnown(values []attr.Value) bool {
	for _, v := range values {
		if !Known(v) {
			return false
		}
	}
	return true
}

// TagSet is a set value of tags, null for none.
func TagSet(tags []string) types.Set {
	if len(tags) == 0 {
		return types.SetNull(types.StringType)
	}
	unique := sortedUnique(tags)
	elements := make([]attr.Value, len(unique))
	for i, tag := range unique {
		elements[i] = types.StringValue(tag)
	}
	return types.SetValueMust(types.StringType, elements)
}
