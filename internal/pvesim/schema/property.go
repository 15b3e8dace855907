package schema

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	keyValue = regexp.MustCompile(`^([^=]+)=(.+)$`)
	yes      = regexp.MustCompile(`(?i)^(1|on|yes|true)$`)
	no       = regexp.MustCompile(`(?i)^(0|off|no|false)$`)
)

// ParseBool reads the spellings of booleans that property strings and
// configuration files accept; ok is false for any other word.
func ParseBool(s string) (value string, ok bool) {
	switch {
	case yes.MatchString(s):
		return "1", true
	case no.MatchString(s):
		return "0", true
	}
	return s, false
}

// Parse splits a property string of the named format and checks it; path is
// what its errors are named after.
//
// Source: PVE::JSONSchema parse_property_string.
func (t *Table) Parse(format, text, path string) (map[string]string, error) {
	object, ok := t.formats[format]
	if !ok {
		return nil, errors.New("undefined format '" + format + "'")
	}
	out, err := object.split(text)
	if err != nil {
		return nil, err
	}
	values := Values{}
	for k, v := range out {
		values[k] = Text(v)
	}
	if errs := t.check(object, path, values); len(errs) > 0 {
		return nil, &FormatError{errs}
	}
	if verify, ok := verifiers[format]; ok {
		return verify(out)
	}
	return out, nil
}

// verifiers check and complete the keys of a property string together.
var verifiers = map[string]func(map[string]string) (map[string]string, error){}

func (o Object) split(text string) (map[string]string, error) {
	out := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		if m := keyValue.FindStringSubmatch(part); m != nil {
			if err := o.put(out, m[1], m[2]); err != nil {
				return nil, err
			}
			continue
		}
		if strings.Contains(part, "=") {
			return nil, errors.New("missing key in comma-separated list property")
		}
		key := o.defaultKey()
		if key == "" {
			return nil, errors.New("value without key, but schema does not define a default key")
		}
		if _, twice := out[key]; twice {
			return nil, errors.New("duplicate key in comma-separated list property: " + key)
		}
		if o[key].Type == "boolean" {
			part, _ = ParseBool(part)
		}
		out[key] = part
	}
	return out, nil
}

func (o Object) put(out map[string]string, key, value string) error {
	if _, twice := out[key]; twice {
		return errors.New("duplicate key in comma-separated list property: " + key)
	}
	prop := o[key]
	if prop != nil && prop.Alias != "" {
		if prop.KeyAlias != "" {
			if _, twice := out[prop.KeyAlias]; twice {
				return errors.New("key alias '" + prop.KeyAlias + "' is already defined")
			}
			out[prop.KeyAlias] = key
		}
		key = prop.Alias
		prop = o[key]
	}
	if prop != nil && prop.Type == "boolean" {
		value, _ = ParseBool(value)
	}
	out[key] = value
	return nil
}

func (o Object) defaultKey() string {
	for name, prop := range o {
		if prop.DefaultKey {
			return name
		}
	}
	return ""
}

// Print joins the keys of a property string as Proxmox does: the default key
// first and bare, then the required keys, then the others, both sorted.
//
// Source: PVE::JSONSchema print_property_string.
func (t *Table) Print(format string, values map[string]string) string {
	object := t.formats[format]
	var first, required, rest []string
	skip := map[string]bool{}
	for _, prop := range object {
		// MODEL=MAC stands for model=MODEL,macaddr=MAC
		if prop.KeyAlias == "" || values[prop.KeyAlias] != prop.Name || values[prop.Alias] == "" {
			continue
		}
		first = append(first, prop.Name+"="+values[prop.Alias])
		skip[prop.KeyAlias], skip[prop.Alias] = true, true
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		prop, value := object[name], values[name]
		switch {
		case skip[name]:
		case prop != nil && prop.DefaultKey:
			first = append(first, value)
		case prop != nil && !prop.Optional:
			required = append(required, name+"="+value)
		default:
			rest = append(rest, name+"="+value)
		}
	}
	return strings.Join(slices.Concat(first, required, rest), ",")
}
