package props

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Encode prints a struct as Proxmox does: the default key's value first and
// without its key, then the required keys, then all others, sorted. Booleans are 1
// and 0. Keys of the rest field are printed among the others.
//
// Errors are *MissingError for a required key that is absent and *ValueError for a
// value that a property string cannot carry: one with a comma or a control
// character, a list item with a semicolon, a pointer to an empty string.
func Encode[T any](v T) (string, error) {
	source := reflect.ValueOf(v)
	p := planOf(source.Type())
	e := encoder{plan: p, source: source, done: map[string]bool{}}
	for _, f := range p.fields {
		if err := e.field(f); err != nil {
			return "", err
		}
	}
	if err := e.rest(); err != nil {
		return "", err
	}
	slices.SortStableFunc(e.optional, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	parts := e.first
	for _, kv := range e.optional {
		parts = append(parts, kv.key+"="+kv.value)
	}
	return strings.Join(parts, ","), nil
}

type pair struct{ key, value string }

type encoder struct {
	plan     *plan
	source   reflect.Value
	done     map[string]bool // keys printed as part of another
	first    []string        // default and required keys, in their final order
	optional []pair
}

func (e *encoder) field(f field) error {
	if e.done[f.key] {
		return nil
	}
	value, present, err := e.text(f)
	if err != nil {
		return err
	}
	if !present {
		if f.required {
			return &MissingError{Key: f.key}
		}
		return nil
	}
	if f.namesFor != "" && slices.Contains(f.names, value) {
		return e.named(f, value)
	}
	switch {
	case f.isDefault && strings.TrimSpace(value) == "":
		return &ValueError{Key: f.key, Value: value, Want: "a value that can stand alone"}
	case f.isDefault && !strings.Contains(value, "="):
		e.first = append(e.first, value)
	case f.isDefault || f.required:
		e.first = append(e.first, f.key+"="+value)
	default:
		e.optional = append(e.optional, pair{f.key, value})
	}
	return nil
}

// named prints model=virtio,macaddr=M as virtio=M, and as virtio without one.
func (e *encoder) named(f field, name string) error {
	other := e.plan.fields[e.plan.byKey[f.namesFor]]
	value, present, err := e.text(other)
	if err != nil {
		return err
	}
	e.done[other.key] = true
	if present {
		name += "=" + value
	}
	e.first = append(e.first, name)
	return nil
}

func (e *encoder) rest() error {
	if e.plan.rest < 0 {
		return nil
	}
	rest := e.source.Field(e.plan.rest).Interface().(map[string]string)
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		_, known := e.plan.byKey[key]
		_, name := e.plan.byName[key]
		if known || name || key == "" || strings.TrimSpace(key) != key || strings.ContainsAny(key, "=,") || hasControl(key) {
			return &ValueError{Key: key, Value: rest[key], Want: "of a key that may be added"}
		}
		if err := printable(key, rest[key]); err != nil {
			return err
		}
		e.optional = append(e.optional, pair{key, rest[key]})
	}
	return nil
}

// text returns the value of a field and whether it is present at all.
func (e *encoder) text(f field) (value string, present bool, err error) {
	v := e.source.Field(f.index)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "", false, nil
		}
		v = v.Elem()
		present = true
	}
	switch v.Kind() {
	case reflect.String:
		value = v.String()
		present = present || value != ""
	case reflect.Bool:
		value, present = FormatBool(v.Bool()), true
	case reflect.Int, reflect.Int64:
		value, present = strconv.FormatInt(v.Int(), 10), true
	case reflect.Float64:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			return "", true, &ValueError{Key: f.key, Value: strconv.FormatFloat(v.Float(), 'g', -1, 64), Want: "a number"}
		}
		value, present = strconv.FormatFloat(v.Float(), 'f', -1, 64), true
	case reflect.Slice:
		return list(f, v)
	default:
		panic("props: fields of type " + v.Type().String() + " are not supported")
	}
	if !present {
		return "", false, nil
	}
	return value, true, printable(f.key, value)
}

func list(f field, v reflect.Value) (value string, present bool, err error) {
	items := make([]string, 0, v.Len())
	for i := range v.Len() {
		item := v.Index(i).String()
		if strings.Contains(item, ";") || item == "" {
			return "", true, &ValueError{Key: f.key, Value: item, Want: "a list item: it is empty or has a semicolon"}
		}
		items = append(items, item)
	}
	if len(items) == 0 {
		return "", false, nil
	}
	value = strings.Join(items, ";")
	return value, true, printable(f.key, value)
}

func printable(key, value string) error {
	switch {
	case value == "":
		return &ValueError{Key: key, Value: value, Want: "a value: it is empty"}
	case strings.Contains(value, ","):
		return &ValueError{Key: key, Value: value, Want: "free of commas"}
	case hasControl(value):
		return &ValueError{Key: key, Value: value, Want: "free of control characters"}
	}
	return nil
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// FormatBool prints a boolean as Proxmox does, 1 or 0.
func FormatBool(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
