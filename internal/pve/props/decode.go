package props

import (
	"reflect"
	"strconv"
	"strings"
)

// Decode reads a property string into a struct, whose former content is replaced.
// Unknown keys go to the rest field. A key that is absent is no error, also when it
// is required: what is stored must be readable, and Encode is the place to refuse.
//
// Errors are *SyntaxError, *DuplicateError and *ValueError.
func Decode[T any](s string, into *T) error {
	target := reflect.ValueOf(into).Elem()
	p := planOf(target.Type())
	target.SetZero()
	d := decoder{plan: p, target: target, seen: map[string]bool{}}
	for part := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(part) == "" {
			continue // parse_property_string skips blank parts
		}
		if err := d.part(part); err != nil {
			return err
		}
	}
	return nil
}

type decoder struct {
	plan   *plan
	target reflect.Value
	seen   map[string]bool
}

func (d *decoder) part(part string) error {
	key, value, keyed := strings.Cut(part, "=")
	if !keyed {
		if d.plan.fallback < 0 {
			return &SyntaxError{Part: part}
		}
		return d.set(d.plan.fields[d.plan.fallback], part)
	}
	if key == "" || value == "" {
		return &SyntaxError{Part: part}
	}
	if i, ok := d.plan.byKey[key]; ok {
		return d.set(d.plan.fields[i], value)
	}
	if i, ok := d.plan.byName[key]; ok {
		named := d.plan.fields[i]
		if err := d.set(named, key); err != nil {
			return err
		}
		return d.set(d.plan.fields[d.plan.byKey[named.namesFor]], value)
	}
	return d.keep(key, value)
}

func (d *decoder) keep(key, value string) error {
	if d.plan.rest < 0 {
		return &ValueError{Key: key, Value: value, Want: "of a known key"}
	}
	if d.seen[key] {
		return &DuplicateError{Key: key}
	}
	d.seen[key] = true
	rest := d.target.Field(d.plan.rest)
	if rest.IsNil() {
		rest.Set(reflect.ValueOf(map[string]string{}))
	}
	rest.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(value))
	return nil
}

func (d *decoder) set(f field, value string) error {
	if d.seen[f.key] {
		return &DuplicateError{Key: f.key}
	}
	d.seen[f.key] = true
	if want := assign(d.target.Field(f.index), value); want != "" {
		return &ValueError{Key: f.key, Value: value, Want: want}
	}
	return nil
}

// assign parses text into a field and returns what would have fitted if it does not.
func assign(v reflect.Value, text string) (want string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return assign(v.Elem(), text)
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, ok := ParseBool(text)
		if !ok {
			return "a boolean"
		}
		v.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "an integer"
		}
		v.SetInt(n)
	case reflect.Float64:
		return assignFloat(v, text)
	case reflect.Slice:
		return assignList(v, text)
	default:
		panic("props: fields of type " + v.Type().String() + " are not supported")
	}
	return ""
}

func assignFloat(v reflect.Value, text string) (want string) {
	// ParseFloat takes "inf", "nan" and "0x1p-2"; Proxmox's numbers are decimal.
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.-+eE") != "" {
		return "a number"
	}
	v.SetFloat(n)
	return ""
}

func assignList(v reflect.Value, text string) (want string) {
	var items []string
	for item := range strings.SplitSeq(text, ";") {
		if item != "" {
			items = append(items, item)
		}
	}
	if items == nil {
		return "a list"
	}
	v.Set(reflect.ValueOf(items).Convert(v.Type()))
	return ""
}

// ParseBool reads a boolean in any spelling that Proxmox takes inside a property
// string: 1, on, yes, true and 0, off, no, false in any case.
//
// Source: PVE::JSONSchema parse_boolean.
func ParseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "1", "on", "yes", "true":
		return true, true
	case "0", "off", "no", "false":
		return false, true
	}
	return false, false
}
