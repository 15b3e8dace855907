package schema

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// Prop is one parameter of a call or one key of a property string.
type Prop struct {
	Name       string
	Type       string // string, integer, number, boolean, array, object
	Optional   bool
	Min, Max   *float64
	MinLen     int
	MaxLen     int // 0 is no limit
	Enum       []string
	Pattern    *regexp.Regexp
	Format     string // name of a format or of a table of keys
	Requires   string // another parameter that must be there too
	DefaultKey bool   // value of a property string that may stand without its key
	Alias      string // the key that is meant
	KeyAlias   string // the key that receives this key's own name
	Item       *Prop  // of an array
}

// Object is a set of parameters or of keys.
type Object map[string]*Prop

// Values are the parameters of a request: a text each, or a list of texts
// where a name was given more than once.
type Values map[string]Value

// Value is one parameter.
type Value struct {
	Text string
	List []string // not nil for repeated parameters and JSON arrays
	Hash bool     // a JSON object, which no parameter accepts
}

// Text makes a single Value.
func Text(s string) Value { return Value{Text: s} }

// Errors are refusals by parameter.
type Errors map[string]string

func (e Errors) add(path, text string) {
	if path == "" {
		path = "_root"
	}
	if old, ok := e[path]; ok {
		text = old + "\n" + text
	}
	e[path] = text
}

// Source: PVE::JSONSchema check_object, check_prop, check_type.
const (
	errUnknown = "property is not defined in schema and the schema does not allow additional properties"
	errMissing = "property is missing and it is not optional"
)

// check validates values against o; prefix is put before names, for the keys
// of a property string.
func (t *Table) check(o Object, prefix string, values Values) Errors {
	errs := Errors{}
	path := func(name string) string {
		if prefix == "" {
			return name
		}
		return prefix + "." + name
	}
	for name, prop := range o {
		if prop.Alias != "" {
			continue
		}
		value, given := values[name]
		if !given {
			if !prop.Optional {
				errs.add(path(name), errMissing)
			}
			continue
		}
		if prop.Requires != "" {
			if _, ok := values[prop.Requires]; !ok {
				errs.add(path(prop.Requires), "missing property required by '"+path(name)+"'")
			}
		}
		if text := t.checkValue(prop, path(name), value); text != "" {
			errs.add(path(name), text)
		}
	}
	for name := range values {
		if _, ok := o[name]; !ok {
			errs.add(path(name), errUnknown)
		}
	}
	return errs
}

var (
	integer = regexp.MustCompile(`^[+-]?\d+$`)
	number  = regexp.MustCompile(`^[+-]?\d+(\.\d+)?$`)
)

func typeError(kind string, v Value) string {
	got := "'" + v.Text + "'"
	switch {
	case v.Hash:
		got = "HASH"
	case v.List != nil:
		got = "ARRAY"
	}
	return fmt.Sprintf("type check ('%s') failed - got %s", kind, got)
}

// checkValue returns the words of the refusal, empty if v is accepted.
func (t *Table) checkValue(p *Prop, path string, v Value) string {
	if p.Type == "array" {
		return t.checkArray(p, path, v)
	}
	if v.Hash || v.List != nil {
		return typeError(p.Type, v)
	}
	ok := true
	switch p.Type {
	case "integer":
		ok = integer.MatchString(v.Text)
	case "number":
		ok = number.MatchString(v.Text)
	case "boolean":
		ok = v.Text == "0" || v.Text == "1"
	}
	if !ok {
		return typeError(p.Type, v)
	}
	if p.Format != "" {
		if err := t.CheckFormat(p.Format, v.Text, path); err != nil {
			return "invalid format - " + err.Error() + "\n"
		}
	}
	if p.Pattern != nil && !p.Pattern.MatchString(v.Text) {
		return "value does not match the regex pattern"
	}
	return p.checkRange(v.Text)
}

func (p *Prop) checkRange(text string) string {
	if p.MaxLen > 0 && len(text) > p.MaxLen {
		return fmt.Sprintf("value may only be %d characters long", p.MaxLen)
	}
	if len(text) < p.MinLen {
		return fmt.Sprintf("value must be at least %d characters long", p.MinLen)
	}
	if p.Min != nil || p.Max != nil {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			if p.Max != nil && n > *p.Max {
				return "value must have a maximum value of " + strconv.FormatFloat(*p.Max, 'f', -1, 64)
			}
			if p.Min != nil && n < *p.Min {
				return "value must have a minimum value of " + strconv.FormatFloat(*p.Min, 'f', -1, 64)
			}
		}
	}
	if p.Enum == nil {
		return ""
	}
	for _, e := range p.Enum {
		if e == text {
			return ""
		}
	}
	return fmt.Sprintf("value '%s' does not have a value in the enumeration '%s'", text, strings.Join(p.Enum, ", "))
}

func (t *Table) checkArray(p *Prop, path string, v Value) string {
	list := v.List
	if list == nil {
		list = []string{v.Text}
	}
	if p.Item == nil {
		return ""
	}
	for i, item := range list {
		if text := t.checkValue(p.Item, fmt.Sprintf("%s[%d]", path, i), Text(item)); text != "" {
			return text
		}
	}
	return ""
}

// FormatError lists what is wrong with the keys of a property string.
type FormatError struct{ Errors Errors }

func (e *FormatError) Error() string {
	lines := make([]string, 0, len(e.Errors))
	for path, text := range e.Errors {
		lines = append(lines, path+": "+text)
	}
	sort.Strings(lines)
	return "format error\n" + strings.Join(lines, "\n")
}
