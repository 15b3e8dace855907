package props

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// field is what the tag of one struct field says.
type field struct {
	key       string
	index     int
	isDefault bool
	required  bool
	names     []string // values that may be the key of namesFor's value
	namesFor  string
}

// plan is what is known of a struct type: computed once, then shared.
type plan struct {
	fields   []field
	byKey    map[string]int // key or alias → position in fields
	byName   map[string]int // a name that stands for a value → position of the field with that value
	fallback int            // position of the default key, or -1
	rest     int            // index of the struct field for unknown keys, or -1
}

var plans sync.Map // reflect.Type → *plan

// planOf panics on a malformed tag: that is a mistake in the program, found by the
// first test that touches the type.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("props: %s is not a struct", t))
	}
	p := &plan{byKey: map[string]int{}, byName: map[string]int{}, fallback: -1, rest: -1}
	for i := range t.NumField() {
		if tag, ok := t.Field(i).Tag.Lookup("props"); ok {
			p.add(t.Field(i), i, tag)
		}
	}
	// Required keys first, the rest after them, both sorted: the order in which
	// print_property_string prints.
	slices.SortStableFunc(p.fields, compareFields)
	p.indexKeys(t)
	plans.Store(t, p)
	return p
}

func (p *plan) add(sf reflect.StructField, index int, tag string) {
	parts := strings.Split(tag, ",")
	if slices.Contains(parts[1:], "rest") {
		if sf.Type != reflect.TypeFor[map[string]string]() {
			panic("props: the rest field " + sf.Name + " is not a map[string]string")
		}
		p.rest = index
		return
	}
	f := field{key: parts[0], index: index}
	for _, option := range parts[1:] {
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "default":
			f.isDefault = true
		case "required":
			f.required = true
		case "for":
			f.namesFor = value
		case "names":
			f.names = strings.Split(value, "|")
		case "alias":
		default:
			panic("props: unknown option " + option + " on field " + sf.Name)
		}
	}
	p.fields = append(p.fields, f)
}

func compareFields(a, b field) int {
	rank := func(f field) int {
		switch {
		case f.isDefault:
			return 0
		case f.required:
			return 1
		}
		return 2
	}
	if d := rank(a) - rank(b); d != 0 {
		return d
	}
	return strings.Compare(a.key, b.key)
}

func (p *plan) indexKeys(t reflect.Type) {
	for i, f := range p.fields {
		p.claim(f.key, i, t)
		for _, option := range strings.Split(t.Field(f.index).Tag.Get("props"), ",")[1:] {
			if alias, ok := strings.CutPrefix(option, "alias="); ok {
				p.claim(alias, i, t)
			}
		}
		for _, name := range f.names {
			p.byName[name] = i
		}
		if f.isDefault {
			p.fallback = i
		}
	}
}

func (p *plan) claim(key string, i int, t reflect.Type) {
	if _, taken := p.byKey[key]; taken {
		panic(fmt.Sprintf("props: %s has the key %q twice", t, key))
	}
	p.byKey[key] = i
}
