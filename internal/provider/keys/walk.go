package keys

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// encode adds the keys of v's fields to values, each below prefix.
func encode(v reflect.Value, prefix string, values map[string]string) {
	for _, f := range fieldsOf(v.Type()) {
		held := v.Field(f.index)
		switch f.nested {
		case group:
			if !held.IsNil() {
				encode(held.Elem(), prefix, values)
			}
		case each:
			for element := held.MapRange(); element.Next(); {
				encode(element.Value(), f.below(prefix, element.Key().String()), values)
			}
		default:
			value := held.Interface().(attr.Value)
			if !attrs.Known(value) {
				continue
			}
			if text, ok := f.text(value); ok {
				values[prefix+f.key] = text
			}
		}
	}
}

// decode reads v's fields from values, each below prefix.
func decode(v reflect.Value, prefix string, values map[string]string, how reach) {
	for _, f := range fieldsOf(v.Type()) {
		held := v.Field(f.index)
		switch f.nested {
		case group:
			decodeGroup(held, prefix, values, how)
		case each:
			f.decodeEach(held, prefix, values, how)
		default:
			live, present := values[prefix+f.key]
			held.Set(reflect.ValueOf(f.read(held.Interface().(attr.Value), live, present, how)))
		}
	}
}

func decodeGroup(held reflect.Value, prefix string, values map[string]string, how reach) {
	absent := held.IsNil()
	if absent && how == nothing {
		return
	}
	model := reflect.New(held.Type().Elem())
	if absent {
		nullify(model.Elem())
	} else {
		model.Elem().Set(held.Elem())
	}
	decode(model.Elem(), prefix, values, how)
	if !absent || !allNull(model.Elem()) {
		held.Set(model)
	}
}

func (f field) decodeEach(held reflect.Value, prefix string, values map[string]string, how reach) {
	elements := reflect.MakeMap(held.Type())
	for _, key := range f.elements(prefix, values) {
		prior := held.MapIndex(reflect.ValueOf(key))
		if !prior.IsValid() && how == nothing {
			continue
		}
		model, elementHow := reflect.New(held.Type().Elem()).Elem(), how
		if prior.IsValid() {
			model.Set(prior)
		} else {
			nullify(model)
			elementHow = everything // nothing of it was read before
		}
		decode(model, f.below(prefix, key), values, elementHow)
		elements.SetMapIndex(reflect.ValueOf(key), model)
	}
	if elements.Len() == 0 {
		elements = reflect.Zero(held.Type())
	}
	held.Set(elements)
}

// nullify sets all fields to null, nested ones included.
func nullify(v reflect.Value) {
	for _, f := range fieldsOf(v.Type()) {
		held := v.Field(f.index)
		if f.nested != leaf {
			held.SetZero()
			continue
		}
		held.Set(reflect.ValueOf(null(held.Interface().(attr.Value))))
	}
}

func allNull(v reflect.Value) bool {
	for _, f := range fieldsOf(v.Type()) {
		held := v.Field(f.index)
		if f.nested != leaf && !held.IsNil() || f.nested == leaf && !held.Interface().(attr.Value).IsNull() {
			return false
		}
	}
	return true
}

// below is the prefix of an element's sub-keys.
func (f field) below(prefix, element string) string {
	if strings.HasSuffix(f.key, ":") {
		return prefix + f.key + element + "."
	}
	return prefix + element + "."
}

// elements are the keys of the elements that values has, sorted.
func (f field) elements(prefix string, values map[string]string) []string {
	found := map[string]bool{}
	for key := range values {
		rest, ok := strings.CutPrefix(key, prefix)
		if !ok {
			continue
		}
		if strings.HasSuffix(f.key, ":") {
			if rest, ok = strings.CutPrefix(rest, f.key); !ok {
				continue
			}
		}
		element, _, ok := strings.Cut(rest, ".")
		if ok && (strings.HasSuffix(f.key, ":") || numbered(element, f.key)) {
			found[element] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func numbered(key, prefix string) bool {
	digits, ok := strings.CutPrefix(key, prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Change is what has to be done to bring live keys from what a plan was made on to
// what it wants. All lists are sorted.
type Change struct {
	Set    []string // keys to set
	Gone   []string // keys that the plan leaves out
	Theirs []string // keys that somebody else has changed since, in another way
}

// Changes works out a change key by key in three ways: what means the same before
// and after is left alone whatever it is now; what is now as it is wanted is done;
// what is now as it was before is changed; anything else is theirs. Keys that
// neither before nor wanted names are nobody's business.
func Changes[T any](live, before, wanted map[string]string) Change {
	var c Change
	visit(reflect.TypeFor[T](), place{}, []map[string]string{live, before, wanted}, func(at place, f field, like attr.Value) {
		key := at.prefix + f.key
		text, asked := wanted[key]
		was, had := before[key]
		now, present := live[key]
		switch {
		case !asked && !had, asked && had && f.same(like, was, text):
		case asked && f.same(like, now, text), !asked && !present:
		case had && !f.same(like, was, now):
			c.Theirs = append(c.Theirs, key)
		case asked:
			c.Set = append(c.Set, key)
		default:
			c.Gone = append(c.Gone, key)
		}
	})
	slices.Sort(c.Set)
	slices.Sort(c.Gone)
	slices.Sort(c.Theirs)
	return c
}

// Paths are the places in the schema of the keys that values has, by key.
func Paths[T any](values map[string]string) map[string]path.Path {
	paths := map[string]path.Path{}
	visit(reflect.TypeFor[T](), place{}, []map[string]string{values}, func(at place, f field, _ attr.Value) {
		if _, present := values[at.prefix+f.key]; present {
			paths[at.prefix+f.key] = at.below(f.name)
		}
	})
	return paths
}

// place is where a walk is: the prefix of the keys, and the path in the schema.
type place struct {
	prefix string
	path   path.Path
}

func (p place) below(name string) path.Path {
	if len(p.path.Steps()) == 0 {
		return path.Root(name)
	}
	return p.path.AtName(name)
}

// visit names every key that a field of t can have, the numbered ones as far as
// one of the sources has them.
func visit(t reflect.Type, at place, sources []map[string]string, do func(at place, f field, like attr.Value)) {
	zero := reflect.Zero(t)
	for _, f := range fieldsOf(t) {
		switch f.nested {
		case group:
			visit(t.Field(f.index).Type.Elem(), place{at.prefix, at.below(f.name)}, sources, do)
		case each:
			elements := map[string]bool{}
			for _, source := range sources {
				for _, element := range f.elements(at.prefix, source) {
					elements[element] = true
				}
			}
			for element := range elements {
				visit(t.Field(f.index).Type.Elem(), place{f.below(at.prefix, element), at.below(f.name).AtMapKey(element)}, sources, do)
			}
		default:
			do(at, f, zero.Field(f.index).Interface().(attr.Value))
		}
	}
}
