package props

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Split takes a property string apart into its keys and their values as text,
// under the names that T has for them: aliases and values that stand as keys are
// resolved, unknown keys are kept, and no value is judged. It is Decode for those
// who compare and change single keys.
//
// Errors are *SyntaxError and *DuplicateError.
func Split[T any](s string) (map[string]string, error) {
	p := planOf(reflect.TypeFor[T]())
	pairs := map[string]string{}
	for part := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		if err := p.split(part, pairs); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

func (p *plan) split(part string, pairs map[string]string) error {
	key, value, keyed := strings.Cut(part, "=")
	switch {
	case !keyed && p.fallback < 0, keyed && (key == "" || value == ""):
		return &SyntaxError{Part: part}
	case !keyed:
		key, value = p.fields[p.fallback].key, part
	default:
		if i, ok := p.byKey[key]; ok {
			key = p.fields[i].key
		} else if i, ok := p.byName[key]; ok {
			if err := once(pairs, p.fields[i].key, key); err != nil {
				return err
			}
			key = p.fields[i].namesFor
		}
	}
	return once(pairs, key, value)
}

func once(pairs map[string]string, key, value string) error {
	if _, twice := pairs[key]; twice {
		return &DuplicateError{Key: key}
	}
	pairs[key] = value
	return nil
}

// Join prints keys and values in the order in which Encode prints T. It is the
// inverse of Split.
//
// Errors are *MissingError and *ValueError, as of Encode.
func Join[T any](pairs map[string]string) (string, error) {
	p := planOf(reflect.TypeFor[T]())
	left := maps.Clone(pairs)
	var parts []string
	for _, f := range p.fields {
		value, present := left[f.key]
		switch {
		case !present && f.required:
			return "", &MissingError{Key: f.key}
		case !present, !f.isDefault && !f.required:
			continue
		}
		delete(left, f.key)
		if err := printable(f.key, value); err != nil {
			return "", err
		}
		part, err := p.first(f, value, left)
		if err != nil {
			return "", err
		}
		parts = append(parts, part)
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		if err := printable(key, left[key]); err != nil {
			return "", err
		}
		parts = append(parts, key+"="+left[key])
	}
	return strings.Join(parts, ","), nil
}

// first prints a default or required key; a value that may stand as a key takes
// the other one's value along.
func (p *plan) first(f field, value string, left map[string]string) (string, error) {
	switch {
	case f.namesFor != "" && slices.Contains(f.names, value):
		other, present := left[f.namesFor]
		delete(left, f.namesFor)
		if !present {
			return value, nil
		}
		return value + "=" + other, printable(f.namesFor, other)
	case f.isDefault && strings.TrimSpace(value) == "":
		return "", &ValueError{Key: f.key, Value: value, Want: "a value that can stand alone"}
	case f.isDefault && !strings.Contains(value, "="):
		return value, nil
	}
	return f.key + "=" + value, nil
}
