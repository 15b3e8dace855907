package pve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// answer is a response whose body has been read.
type answer struct {
	status int
	reason string // the words of the status line
	body   []byte
}

// envelope is the body of every JSON answer. Message is absent before
// pve-http-server 5.2.0; the status line has its first line then.
type envelope struct {
	Data    json.RawMessage   `json:"data"`
	Message string            `json:"message"`
	Errors  map[string]string `json:"errors"`
	Total   Int               `json:"total"`
}

// read returns the envelope of a success, or the *Error of anything else.
func (r *request) read(a answer) (envelope, error) {
	var env envelope
	err := json.Unmarshal(a.body, &env)
	if a.status >= 200 && a.status < 300 {
		if err != nil {
			causes := []error{ErrProtocol}
			if r.method != http.MethodGet {
				causes = append(causes, ErrAmbiguous)
			}
			return env, r.fail(a.status, "the answer is not JSON as Proxmox VE gives it; is this the address of a Proxmox VE node?", causes...)
		}
		return env, nil
	}
	message := strings.TrimSpace(env.Message)
	if message == "" {
		message = strings.TrimSpace(a.reason)
	}
	message, params := nestedParams(message, env.Errors)
	return env, r.refused(a.status, message, params)
}

// nestedParams reads the parameters out of a message: deleting a backup job that
// is missing answers 500 with "400 Parameter verification failed.\nid: No such job".
func nestedParams(message string, params map[string]string) (string, map[string]string) {
	first, rest, found := strings.Cut(message, "\n")
	if !found || len(params) != 0 || !strings.HasPrefix(first, "400 Parameter verification failed.") {
		return message, params
	}
	params = map[string]string{}
	for line := range strings.Lines(rest) {
		if key, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			params[key] = text
		}
	}
	return strings.TrimPrefix(first, "400 "), params
}

// refused makes the error of an answer that is not a success.
func (r *request) refused(status int, message string, params map[string]string) error {
	e := &Error{Method: r.method, Path: r.plainPath, Status: status, Message: r.hide(message)}
	e.causes = statusCauses(r.method, status)
	e.causes = append(e.causes, classify(message)...)
	if len(params) != 0 {
		e.Params = map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(params)) {
			e.Params[key] = r.hide(strings.TrimSpace(params[key]))
			e.causes = append(e.causes, classify(params[key])...)
		}
		if status != http.StatusBadRequest {
			e.causes = append(e.causes, ErrParams)
		}
	}
	return e
}

// fail makes the error of a request for which the server's words say nothing.
func (r *request) fail(status int, message string, causes ...error) error {
	return &Error{Method: r.method, Path: r.plainPath, Status: status, Message: r.hide(message), causes: causes}
}

// statusCauses says what a status alone means. 595, 596 and 599 are the proxy
// between two nodes: 595 could not connect, the others lost the answer of a call
// that may still complete. Source: PVE::APIServer::AnyEvent proxy_request.
func statusCauses(method string, status int) []error {
	switch status {
	case http.StatusBadRequest:
		return []error{ErrParams}
	case http.StatusUnauthorized:
		return []error{ErrUnauthorized}
	case http.StatusForbidden:
		return []error{ErrPermission}
	case http.StatusNotImplemented:
		return []error{ErrNotImplemented}
	case 595:
		return []error{ErrUnreachable}
	case 596, 599, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if method == http.MethodGet {
			return []error{ErrUnreachable}
		}
		return []error{ErrAmbiguous}
	}
	return nil
}

// decode reads the data of a success into a value.
func decode[T any](r *request, env envelope) (T, error) {
	var v T
	if len(env.Data) == 0 {
		return v, nil
	}
	if err := json.Unmarshal(env.Data, &v); err != nil {
		return v, r.fail(http.StatusOK, fmt.Sprintf("the answer is not of the expected form: %s", err), ErrProtocol)
	}
	return v, nil
}
