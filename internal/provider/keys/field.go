package keys

import (
	"reflect"
	"strings"
	"sync"
)

// field is what the tag of one struct field says.
type field struct {
	index    int
	name     string // the attribute
	key      string
	fallback string // what an absent key stands for
	join     string // separator of a list
	tags     bool
	fold     bool
	newline  bool
	explicit bool
	detected bool
	nested   nesting
}

// nesting says that a field is no value but holds more fields.
type nesting int

const (
	leaf  nesting = iota
	group         // a pointer to a struct with tags of its own
	each          // a map of structs, one for each numbered key
)

var separators = map[string]string{"space": " ", "semicolon": ";", "comma": ",", "line": "\n", "null": "\x00"}

var plans sync.Map // reflect.Type → []field

// fieldsOf panics on a malformed tag: that is a mistake in the program, found
// by the first test that touches the type.
func fieldsOf(t reflect.Type) []field {
	if known, ok := plans.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	for i := range t.NumField() {
		if tag, ok := t.Field(i).Tag.Lookup("pve"); ok {
			f := parseTag(i, tag)
			f.name = t.Field(i).Tag.Get("tfsdk")
			fields = append(fields, f)
		}
	}
	plans.Store(t, fields)
	return fields
}

func parseTag(index int, tag string) field {
	parts := strings.Split(tag, ",")
	f := field{index: index, key: parts[0]}
	for _, option := range parts[1:] {
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "default":
			f.fallback = value
		case "list":
			f.join = separators[value]
			if f.join == "" {
				panic("keys: unknown separator " + value)
			}
		case "tags":
			f.tags, f.join = true, ";"
		case "fold":
			f.fold = true
		case "newline":
			f.newline = true
		case "explicit":
			f.explicit = true
		case "detected":
			f.detected = true
		case "group":
			f.nested = group
		case "each":
			f.nested = each
		default:
			panic("keys: unknown option " + option)
		}
	}
	return f
}
