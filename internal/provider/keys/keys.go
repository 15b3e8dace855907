package keys

import (
	"maps"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
)

// Encode adds the keys of a model's tagged fields to values. Null and unknown
// fields and empty lists add nothing. A nil pointer adds nothing.
func Encode[T any](model *T, values map[string]string) {
	if model == nil {
		return
	}
	encode(reflect.ValueOf(model).Elem(), "", values)
}

// reach says what is read into a field that is null.
type reach int

const (
	changed    reach = iota // what is not the default
	everything              // every key that is there
	nothing                 // a null field stays null
)

// Decode reads the tagged fields of a model from values. A field keeps its prior
// value when that means the same, so that neither a spelling nor a default that
// somebody wrote down is a difference. With first, nothing was read before:
// every key that is there is read, a default as well.
func Decode[T any](model *T, values map[string]string, first bool) {
	how := changed
	if first {
		how = everything
	}
	decode(reflect.ValueOf(model).Elem(), "", values, how)
}

// DecodeDeclared is Decode for a model of which only what somebody declared is
// managed: a field that is null stays null, unless this is the first read.
func DecodeDeclared[T any](model *T, values map[string]string, first bool) {
	how := nothing
	if first {
		how = everything
	}
	decode(reflect.ValueOf(model).Elem(), "", values, how)
}

// DecodeObject is Decode for a nested object that may be null. It stays null
// while all of its fields are.
func DecodeObject[T any](prior *T, values map[string]string, first bool) *T {
	model := Null[T]()
	if prior != nil {
		*model = *prior
	}
	Decode(model, values, first)
	if prior == nil && allNull(reflect.ValueOf(model).Elem()) {
		return nil
	}
	return model
}

// Null is a model whose tagged fields are null. The zero value of a list would
// be a null of no type, which no state can hold.
func Null[T any]() *T {
	model := new(T)
	nullify(reflect.ValueOf(model).Elem())
	return model
}

func (f field) read(prior attr.Value, live string, present bool, how reach) attr.Value {
	if before, ok := f.known(prior); ok {
		if f.same(prior, before, live) {
			return prior
		}
		return f.or(prior, live, present)
	}
	switch {
	case how == everything && present, f.explicit, f.detected:
		return f.or(prior, live, present)
	case how != changed || f.same(prior, "", live):
		return null(prior)
	}
	return f.or(prior, live, present)
}

func (f field) known(v attr.Value) (string, bool) {
	if !attrs.Known(v) {
		return "", false
	}
	return f.text(v)
}

// or is the live value, or what stands for an absent one.
func (f field) or(like attr.Value, live string, present bool) attr.Value {
	if !present && f.explicit {
		live, present = f.fallback, true
	}
	if present {
		if v, ok := f.value(like, live); ok {
			return v
		}
	}
	return null(like)
}

// Differences are the keys of T whose texts in a and b do not mean the same, in
// the order of the fields. A key that is absent stands for its default.
func Differences[T any](a, b map[string]string) []string {
	t := reflect.TypeFor[T]()
	var different []string
	for _, f := range fieldsOf(t) {
		like := reflect.New(t).Elem().Field(f.index).Interface().(attr.Value)
		if !f.same(like, a[f.key], b[f.key]) {
			different = append(different, f.key)
		}
	}
	return different
}

// Overlay is live with the given keys of T as wanted has them, an absent one left
// out; a detected key that wanted does not name stays. Everything else, whoever
// wrote it, stays as well.
func Overlay[T any](live, wanted map[string]string, change []string) map[string]string {
	result := maps.Clone(live)
	if result == nil {
		result = map[string]string{}
	}
	for _, key := range change {
		text, ok := wanted[key]
		switch {
		case ok:
			result[key] = text
		case !detected[T](key):
			delete(result, key)
		}
	}
	return result
}

func detected[T any](key string) bool {
	for _, f := range fieldsOf(reflect.TypeFor[T]()) {
		if f.key == key {
			return f.detected
		}
	}
	return false
}
