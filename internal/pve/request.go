package pve

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Params are the parameters of a call as Proxmox names them, values as text:
// booleans are "1" and "0".
type Params map[string]string

// request is one call of the API. It is made by get, post, put or del.
type request struct {
	method    string
	path      string // below /api2/json, percent-encoded
	plainPath string // the same for people
	query     url.Values
	form      url.Values
	secrets   []string // values that no log and no error may show

	single     bool // never sent again: the caller repeats it itself
	notAtomic  bool // may have been carried out in part when the server refuses it
	noIdentity bool // the login itself
}

// secretParams are the parameters whose values are secrets wherever they occur.
var secretParams = []string{"password", "cipassword", "otp", "tfa-challenge", "encryption-key"}

// endpointPath joins segments to a path; every segment is encoded fully, since volume
// ids, task ids and CIDRs have slashes and colons of their own.
func endpointPath(segments ...any) (encoded, plain string) {
	var e, p strings.Builder
	for _, s := range segments {
		text := fmt.Sprint(s)
		e.WriteString("/" + escape(text))
		p.WriteString("/" + text)
	}
	return e.String(), p.String()
}

// guestPath is the path of something that belongs to a guest.
func guestPath(ref guest.Ref, segments ...any) []any {
	return append([]any{"nodes", ref.Node, string(ref.Kind), ref.VMID}, segments...)
}

func newRequest(method string, segments []any) *request {
	r := &request{method: method}
	r.path, r.plainPath = endpointPath(segments...)
	return r
}

// get is a request that only reads; the query may be nil.
func get(query Params, segments ...any) *request {
	r := newRequest(http.MethodGet, segments)
	r.query = r.values(query)
	return r
}

// post is a request with its parameters in the body.
func post(form Params, segments ...any) *request {
	r := newRequest(http.MethodPost, segments)
	r.form = r.values(form)
	return r
}

// put is a request with its parameters in the body.
func put(form Params, segments ...any) *request {
	r := newRequest(http.MethodPut, segments)
	r.form = r.values(form)
	return r
}

// del takes its parameters in the query: a body on DELETE is answered with 501.
// Source: PVE::APIServer::AnyEvent process_header.
func del(query Params, segments ...any) *request {
	r := newRequest(http.MethodDelete, segments)
	r.query = r.values(query)
	return r
}

func (r *request) values(p Params) url.Values {
	v := url.Values{}
	for key, value := range p {
		v.Set(key, value)
		if value != "" && slices.Contains(secretParams, key) {
			r.secrets = append(r.secrets, value)
		}
	}
	return v
}

// hide takes the secrets of this request out of a text.
func (r *request) hide(text string) string {
	for _, secret := range r.secrets {
		text = strings.ReplaceAll(text, secret, "<hidden>")
	}
	return text
}

// names are the parameters without their values, for the log.
func (r *request) names() []string {
	var names []string
	for _, v := range []url.Values{r.query, r.form} {
		for key := range v {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
}

// body is the form of the request; nil if there is none.
func (r *request) body() []byte {
	if r.method == http.MethodGet || r.method == http.MethodDelete {
		return nil
	}
	return []byte(encodeForm(r.form))
}

// url is the request's address at one endpoint.
func (r *request) url(base *url.URL) (*url.URL, error) {
	address := base.String() + "/api2/json" + r.path
	if len(r.query) != 0 {
		address += "?" + encodeForm(r.query)
	}
	return url.Parse(address)
}

// encodeForm encodes names and values fully: Proxmox's parser splits at ";" as
// well and keeps nothing behind a second "=". Source: PVE::APIServer::AnyEvent
// decode_urlencoded.
func encodeForm(v url.Values) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(v)) {
		for _, value := range v[key] {
			parts = append(parts, escape(key)+"="+escape(value))
		}
	}
	return strings.Join(parts, "&")
}

// escape encodes everything but the unreserved characters of RFC 3986.
func escape(s string) string {
	return strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
}

// flag is a boolean as a parameter: true and false there are errors.
func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
