package attrs

import (
	"unicode"
	"unicode/utf8"
)

// sentence makes a sentence of an error's text, which Go writes without a
// capital and a full stop.
func sentence(err error) string {
	text := err.Error()
	first, width := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[width:]
	if last := text[len(text)-1]; last != '.' && last != '?' {
		text += "."
	}
	return text
}
