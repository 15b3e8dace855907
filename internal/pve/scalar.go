package pve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// Perl has no types: the same value arrives as a number in one answer and as a
// string in the next. These types take every form.

// Int is an integer from a JSON number, string or boolean; null is 0.
type Int int64

// UnmarshalJSON takes 5, "5", 5.0, true and null.
func (i *Int) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b)
	if err != nil {
		return err
	}
	if text == "" {
		*i = 0
		return nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		*i = Int(n)
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f > 1<<62 || f < -(1<<62) {
		return fmt.Errorf("%q is not an integer", text)
	}
	*i = Int(f)
	return nil
}

// Float is a number from a JSON number or string; null is 0.
type Float float64

// UnmarshalJSON takes 0.5, "0.5" and null.
func (f *Float) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b)
	if err != nil {
		return err
	}
	if text == "" {
		*f = 0
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number", text)
	}
	*f = Float(n)
	return nil
}

// Bool is a boolean from 1, 0, true, false or their strings; null and "" are false.
type Bool bool

// UnmarshalJSON takes every form in which Proxmox writes a boolean.
func (v *Bool) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b)
	if err != nil {
		return err
	}
	switch text {
	case "", "0":
		*v = false
	case "1":
		*v = true
	default:
		return fmt.Errorf("%q is not a boolean", text)
	}
	return nil
}

// Text is a string from any JSON scalar.
type Text string

// UnmarshalJSON takes strings, numbers, booleans (as 1 and 0) and null (empty).
func (t *Text) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b)
	*t = Text(text)
	return err
}

// scalarText returns a JSON scalar as text: strings as they are, numbers as they
// are written, booleans as 1 and 0, null as nothing.
func scalarText(b []byte) (string, error) {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0, bytes.Equal(b, []byte("null")):
		return "", nil
	case bytes.Equal(b, []byte("true")):
		return "1", nil
	case bytes.Equal(b, []byte("false")):
		return "0", nil
	case b[0] == '"':
		var s string
		err := json.Unmarshal(b, &s)
		return s, err
	case b[0] == '{' || b[0] == '[':
		return "", fmt.Errorf("%.40s is not a scalar", b)
	}
	return string(b), nil
}
