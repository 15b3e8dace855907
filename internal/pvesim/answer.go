package pvesim

import (
	"fmt"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

// apiError is a refusal: a status, a message whose first line is the reason
// phrase, and for wrong parameters their names.
type apiError struct {
	status  int
	message string // with its newline where Proxmox has one
	errors  schema.Errors
	bare    bool // the message is the body, as the HTTP layer answers
	silent  bool // no body at all
}

func (e *apiError) Error() string { return strings.TrimRight(e.message, "\n") }

// die is a plain failure of a handler: status 500.
func die(format string, args ...any) error {
	return &apiError{status: 500, message: fmt.Sprintf(format, args...) + "\n"}
}

// denied is status 403, "Permission check failed (WHAT)".
func denied(format string, args ...any) error {
	return &apiError{status: 403, message: "Permission check failed (" + fmt.Sprintf(format, args...) + ")\n"}
}

// wrong is status 400 for one parameter.
func wrong(name, format string, args ...any) error {
	return wrongParams(schema.Errors{name: fmt.Sprintf(format, args...)})
}

func wrongParams(errs schema.Errors) error {
	return &apiError{status: 400, message: "Parameter verification failed.\n", errors: errs}
}

// notImplemented is what an unknown path or verb gets.
func notImplemented(verb, path string) error {
	return &apiError{status: 501, message: fmt.Sprintf("Method '%s %s' not implemented", verb, path)}
}

// listing is an answer with more than data beside it.
type listing struct {
	data  any
	total int // left out if 0
}

// object is a JSON object.
type object = map[string]any
