package vzdump

import (
	"fmt"
	"strconv"
	"strings"
)

// Mode is how a guest is treated while it is backed up, Proxmox's own word.
type Mode string

// The modes. Source: PVE::VZDump::Common, parameter mode.
const (
	Snapshot Mode = "snapshot"
	Suspend  Mode = "suspend"
	Stop     Mode = "stop"
)

// Modes are all modes, the default first.
func Modes() []Mode { return []Mode{Snapshot, Suspend, Stop} }

// Compress is the compression of an archive, Proxmox's own literal.
type Compress string

// The compressions. "1" is an old word for lzo that Proxmox still takes; this
// package does not offer it, since it reads like a switch. Source:
// PVE::VZDump::Common, parameter compress.
const (
	Uncompressed Compress = "0"
	Gzip         Compress = "gzip"
	LZO          Compress = "lzo"
	Zstd         Compress = "zstd"
)

// Compressions are all literals that may be configured.
func Compressions() []Compress { return []Compress{Uncompressed, Gzip, LZO, Zstd} }

// A LiteralError says that a text is not one of Proxmox's literals.
type LiteralError struct {
	What    string   // "compress" or "mode"
	Text    string   // what was written
	Allowed []string // the literals
	Meant   string   // the literal that was most likely meant, empty if unclear
}

// Error names the text, the literals, and the one that was meant.
func (e *LiteralError) Error() string {
	quoted := make([]string, len(e.Allowed))
	for i, a := range e.Allowed {
		quoted[i] = strconv.Quote(a)
	}
	text := fmt.Sprintf("%q is not a value of %s: Proxmox knows %s", e.Text, e.What, strings.Join(quoted, ", "))
	if e.Meant != "" {
		text += fmt.Sprintf("; write %q", e.Meant)
	}
	return text
}

// What people write for one of the literals.
var compressMeant = map[string]Compress{
	"none": Uncompressed, "off": Uncompressed, "no": Uncompressed, "false": Uncompressed, "": Uncompressed,
	"gz": Gzip, "1": LZO, "zst": Zstd, "zstandard": Zstd,
}

// ParseCompress checks a compression. The error is a *LiteralError; for "none"
// it says that Proxmox's word is "0".
func ParseCompress(s string) (Compress, error) {
	for _, c := range Compressions() {
		if s == string(c) {
			return c, nil
		}
	}
	return "", &LiteralError{What: "compress", Text: s, Allowed: texts(Compressions()), Meant: string(compressMeant[strings.ToLower(s)])}
}

// ParseMode checks a mode. The error is a *LiteralError.
func ParseMode(s string) (Mode, error) {
	for _, m := range Modes() {
		if s == string(m) {
			return m, nil
		}
	}
	return "", &LiteralError{What: "mode", Text: s, Allowed: texts(Modes())}
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
