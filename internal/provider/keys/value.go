package keys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// text is a known value as Proxmox takes it; ok is false for an empty list.
func (f field) text(v attr.Value) (text string, ok bool) {
	switch v := v.(type) {
	case types.String:
		return v.ValueString(), true
	case types.Int64:
		return strconv.FormatInt(v.ValueInt64(), 10), true
	case types.Float64:
		return strconv.FormatFloat(v.ValueFloat64(), 'f', -1, 64), true
	case types.Bool:
		return FormatBool(v.ValueBool()), true
	case types.List:
		items := attrs.Strings(v)
		return strings.Join(items, f.join), len(items) > 0
	case types.Set:
		items := attrs.Strings(v)
		slices.Sort(items)
		return strings.Join(items, f.join), len(items) > 0
	case types.Map:
		return f.joinMap(v)
	}
	panic(fmt.Sprintf("keys: values of type %T are not supported", v))
}

func (f field) joinMap(v types.Map) (string, bool) {
	var items []string
	for name, element := range v.Elements() {
		if s, ok := element.(types.String); ok && attrs.Known(s) {
			items = append(items, name+"="+s.ValueString())
		}
	}
	slices.Sort(items)
	return strings.Join(items, f.join), len(items) > 0
}

// value reads text into a value of the same type as like. ok is false when the
// text does not fit the type: the key is then treated as absent.
func (f field) value(like attr.Value, text string) (v attr.Value, ok bool) {
	switch like.(type) {
	case types.String:
		if f.newline {
			text = strings.TrimSuffix(text, "\n")
		}
		return types.StringValue(text), true
	case types.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		return types.Int64Value(n), err == nil
	case types.Float64:
		n, err := strconv.ParseFloat(text, 64)
		return types.Float64Value(n), err == nil
	case types.Bool:
		b, ok := ParseBool(text)
		return types.BoolValue(b), ok
	case types.List:
		return stringList(f.split(text)), true
	case types.Set:
		return attrs.TagSet(f.split(text)), true
	case types.Map:
		return stringMap(f.split(text)), true
	}
	panic(fmt.Sprintf("keys: values of type %T are not supported", like))
}

func null(like attr.Value) attr.Value {
	switch like.(type) {
	case types.String:
		return types.StringNull()
	case types.Int64:
		return types.Int64Null()
	case types.Float64:
		return types.Float64Null()
	case types.Bool:
		return types.BoolNull()
	case types.List:
		return types.ListNull(types.StringType)
	case types.Set:
		return types.SetNull(types.StringType)
	case types.Map:
		return types.MapNull(types.StringType)
	}
	panic(fmt.Sprintf("keys: values of type %T are not supported", like))
}

func (f field) split(text string) []string {
	switch f.join {
	case "\x00":
		return strings.Split(text, "\x00")
	case "\n":
		return lines(text)
	}
	return attrs.SplitTags(text)
}

// lines are the lines of a text without blank ones and without white space around.
func lines(text string) []string {
	var found []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			found = append(found, line)
		}
	}
	return found
}

// same compares two texts of the key; an empty text is an absent key.
func (f field) same(like attr.Value, a, b string) bool {
	if a == "" {
		a = f.fallback
	}
	if b == "" {
		b = f.fallback
	}
	switch {
	case a == b:
		return true
	case f.fold:
		return strings.EqualFold(a, b)
	case f.tags:
		return attrs.SameTags(attrs.SplitTags(a), attrs.SplitTags(b))
	case f.newline:
		return attrs.SameDescription(a, b)
	case a == "" || b == "":
		return false
	}
	x, okX := f.value(like, a)
	y, okY := f.value(like, b)
	return okX && okY && x.Equal(y)
}

func stringList(items []string) attr.Value {
	elements := make([]attr.Value, len(items))
	for i, item := range items {
		elements[i] = types.StringValue(item)
	}
	return types.ListValueMust(types.StringType, elements)
}

func stringMap(items []string) attr.Value {
	elements := map[string]attr.Value{}
	for _, item := range items {
		name, value, found := strings.Cut(item, "=")
		if found {
			elements[name] = types.StringValue(value)
		}
	}
	return types.MapValueMust(types.StringType, elements)
}

// ParseBool reads a boolean in any spelling of a guest's configuration file.
// Source: PVE::JSONSchema parse_boolean.
func ParseBool(text string) (value, ok bool) {
	switch strings.ToLower(text) {
	case "1", "on", "yes", "true":
		return true, true
	case "0", "off", "no", "false":
		return false, true
	}
	return false, false
}

// FormatBool prints a boolean as the API takes it: nothing but 1 and 0.
func FormatBool(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
