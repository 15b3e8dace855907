package props

import "fmt"

// DuplicateError says that a key stands twice in a property string.
type DuplicateError struct{ Key string }

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("the key %q stands twice", e.Key)
}

// MissingError says that a required key is absent from what is to be encoded.
type MissingError struct{ Key string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("the required key %q is missing", e.Key)
}

// SyntaxError says that a part of a property string is neither key=value nor a
// value of the default key.
type SyntaxError struct{ Part string }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%q is not of the form key=value", e.Part)
}

// ValueError says that a value does not fit its key: it is not of the key's type,
// or it has a character that a property string cannot carry.
type ValueError struct {
	Key   string
	Value string
	Want  string // what would have been right, such as "a boolean"
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("the value %q of the key %q is not %s", e.Value, e.Key, e.Want)
}
