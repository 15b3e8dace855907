package schema

import (
	"embed"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed tables/*.txt
var tables embed.FS

// Method is one call of the API.
type Method struct {
	Verb    string
	Path    string // template, as /nodes/{node}/lxc
	Node    bool   // answered by the node in its path
	NoToken bool   // refused to API tokens
	Perm    string // "all", "world", "root" or an expression, see package pvesim
	Props   Object
}

// Table is all that the API accepts.
type Table struct {
	methods   map[string]*Method
	formats   map[string]Object
	groups    map[string]Object
	templates [][]string
}

// Load returns the table; it is read once for the process and never changes.
var Load = sync.OnceValue(func() *Table {
	t := &Table{methods: map[string]*Method{}, formats: map[string]Object{}, groups: map[string]Object{}}
	entries, err := tables.ReadDir("tables")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		text, err := tables.ReadFile("tables/" + e.Name())
		if err != nil {
			panic(err)
		}
		if err := t.read(string(text)); err != nil {
			panic(e.Name() + ": " + err.Error())
		}
	}
	return t
})

// Method returns the call with this verb and path template, nil if there is none.
func (t *Table) Method(verb, template string) *Method { return t.methods[verb+" "+template] }

// Format returns the keys of a property string, nil for other formats.
func (t *Table) Format(name string) Object { return t.formats[name] }

// Group returns parameters that several calls share, such as "lxc-config".
func (t *Table) Group(name string) Object { return t.groups[name] }

// Templates returns the path templates of all calls, cut at the slashes.
func (t *Table) Templates() [][]string { return t.templates }

func (t *Table) read(text string) error {
	var object Object
	for n, line := range strings.Split(text, "\n") {
		var err error
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "format "):
			object = Object{}
			t.formats[line[len("format "):]] = object
		case strings.HasPrefix(line, "group "):
			object = Object{}
			t.groups[line[len("group "):]] = object
		case strings.HasPrefix(line, "\t+"):
			for name, prop := range t.groups[line[2:]] {
				object[name] = prop
			}
		case line[0] == '\t':
			err = object.read(strings.Split(line[1:], "\t"))
		default:
			object = t.readMethod(strings.Split(line, "\t"))
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return nil
}

func (t *Table) readMethod(fields []string) Object {
	m := &Method{Props: Object{}}
	m.Verb, m.Path, _ = strings.Cut(fields[0], " ")
	for _, f := range fields[1:] {
		switch {
		case f == "node":
			m.Node = true
		case f == "notoken":
			m.NoToken = true
		case strings.HasPrefix(f, "perm="):
			m.Perm = f[len("perm="):]
		}
	}
	t.methods[m.Verb+" "+m.Path] = m
	parts := strings.Split(strings.Trim(m.Path, "/"), "/")
	if n := len(t.templates); n == 0 || !slices.Equal(t.templates[n-1], parts) {
		t.templates = append(t.templates, parts)
	}
	return m.Props
}

// read adds one parameter; NAME[N] stands for NAME0 to NAME(N-1).
func (o Object) read(fields []string) error {
	p := &Prop{Name: fields[0], Optional: true}
	p.Type, p.Optional = strings.CutSuffix(fields[1], "!")
	p.Optional = !p.Optional
	for _, f := range fields[2:] {
		key, value, _ := strings.Cut(f, "=")
		value, err := url.PathUnescape(value)
		if err == nil {
			err = p.set(key, value)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", p.Name, key, err)
		}
	}
	base, rest, numbered := strings.Cut(p.Name, "[")
	if !numbered {
		o[p.Name] = p
		return nil
	}
	count, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	for i := range count {
		q := *p
		q.Name = base + strconv.Itoa(i)
		o[q.Name] = &q
	}
	return err
}

func (p *Prop) set(key, value string) (err error) {
	switch key {
	case "min":
		p.Min, err = float(value)
	case "max":
		p.Max, err = float(value)
	case "minlen":
		p.MinLen, err = strconv.Atoi(value)
	case "maxlen":
		p.MaxLen, err = strconv.Atoi(value)
	case "enum":
		p.Enum = expand(strings.Split(value, ","))
	case "pattern":
		p.Pattern, err = regexp.Compile("^(?:" + value + ")$")
	case "requires":
		p.Requires = value
	case "format":
		p.Format = value
	case "default_key":
		p.DefaultKey = true
	case "alias":
		p.Alias = value
	case "keyalias":
		p.KeyAlias = value
	case "items":
		p.item().Type = value
	case "itemformat":
		p.item().Format = value
	default:
		err = fmt.Errorf("unknown attribute")
	}
	return err
}

func (p *Prop) item() *Prop {
	if p.Item == nil {
		p.Item = &Prop{Type: "string"}
	}
	return p.Item
}

func float(s string) (*float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	return &f, err
}

var span = regexp.MustCompile(`^(\D+)(\d+)\.\.(\D+)(\d+)$`)

// expand writes out mp0..mp255.
func expand(words []string) []string {
	var out []string
	for _, w := range words {
		m := span.FindStringSubmatch(w)
		if m == nil {
			out = append(out, w)
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[4])
		for i := from; i <= to; i++ {
			out = append(out, m[1]+strconv.Itoa(i))
		}
	}
	return out
}

// Check validates the parameters of a call; lists given for a text with a
// list format are joined first, as Proxmox does.
//
// Source: PVE::RESTHandler handle, PVE::JSONSchema normalize_legacy_param_formats.
func (t *Table) Check(m *Method, values Values) Errors {
	for name, v := range values {
		p := m.Props[name]
		if p != nil && v.List != nil && p.Type == "string" && strings.HasSuffix(p.Format, "-list") {
			values[name] = Text(strings.Join(v.List, ","))
		}
	}
	return t.check(m.Props, "", values)
}
