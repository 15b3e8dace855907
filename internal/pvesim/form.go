package pvesim

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

// maxBody is the size of a body that is still read. Source: PVE::APIServer::AnyEvent.
const maxBody = 512 * 1024

// params decodes the query and the body of a request. The query wins.
func params(r *http.Request) (schema.Values, error) {
	query := decodeForm(r.URL.RawQuery)
	switch r.Method {
	case http.MethodPost, http.MethodPut:
	case http.MethodGet, http.MethodDelete:
		if r.ContentLength > 0 {
			return nil, &apiError{status: 501, message: "Unexpected content for method '" + r.Method + "'", bare: true}
		}
		return query, nil
	default:
		return nil, &apiError{status: 501, message: "method '" + r.Method + "' not available", silent: true}
	}
	if len(r.TransferEncoding) > 0 {
		return nil, &apiError{status: 501, message: "chunked transfer encoding not supported", bare: true}
	}
	if r.ContentLength > maxBody {
		return nil, &apiError{status: 501, message: "for data too large", bare: true}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	values, err := decodeBody(r.Header.Get("Content-Type"), body)
	if err != nil {
		return nil, err
	}
	for k, v := range query {
		values[k] = v
	}
	return values, nil
}

func decodeBody(contentType string, body []byte) (schema.Values, error) {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch {
	case len(body) == 0:
		return schema.Values{}, nil
	case kind == "" || kind == "application/x-www-form-urlencoded":
		return decodeForm(string(body)), nil
	case kind == "application/json":
		return decodeJSON(body)
	}
	return nil, &apiError{status: 506, message: "upload 'Content-Type '" + kind + "' not implemented", bare: true}
}

// decodeForm splits at & and ; and takes of each part what stands before and
// after the first "=", up to a second one.
//
// Source: PVE::APIServer::AnyEvent decode_urlencoded.
func decodeForm(text string) schema.Values {
	out := schema.Values{}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '&' || r == ';' }) {
		pieces := strings.Split(part, "=")
		key, value := unescape(pieces[0]), ""
		if len(pieces) > 1 {
			value = unescape(pieces[1])
		}
		old, twice := out[key]
		switch {
		case !twice:
			out[key] = schema.Text(value)
		case old.List == nil:
			out[key] = schema.Value{List: []string{old.Text, value}}
		default:
			out[key] = schema.Value{List: append(old.List, value)}
		}
	}
	return out
}

// unescape decodes what is escaped well and leaves the rest.
func unescape(s string) string {
	s = strings.ReplaceAll(s, "+", " ")
	if text, err := url.PathUnescape(s); err == nil {
		return text
	}
	return s
}

func escape(s string) string { return url.QueryEscape(s) }

func decodeJSON(body []byte) (schema.Values, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, die("%s", err)
	}
	out := schema.Values{}
	for key, text := range raw {
		if v, ok := jsonValue(text); ok {
			out[key] = v
		}
	}
	return out, nil
}

func jsonValue(text json.RawMessage) (schema.Value, bool) {
	switch word := strings.TrimSpace(string(text)); {
	case word == "null":
		return schema.Value{}, false
	case word == "true":
		return schema.Text("1"), true
	case word == "false":
		return schema.Text("0"), true
	case word[0] == '{':
		return schema.Value{Hash: true}, true
	case word[0] == '"':
		var s string
		err := json.Unmarshal(text, &s)
		return schema.Text(s), err == nil
	case word[0] == '[':
		var items []json.RawMessage
		_ = json.Unmarshal(text, &items)
		list := []string{}
		for _, item := range items {
			if v, ok := jsonValue(item); ok {
				list = append(list, v.Text)
			}
		}
		return schema.Value{List: list}, true
	default:
		return schema.Text(word), true
	}
}
