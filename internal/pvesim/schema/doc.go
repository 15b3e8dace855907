// Package schema holds what the simulated API accepts: for every call its
// parameters with types, ranges, formats and the privileges needed, and the
// rules by which Proxmox VE checks a request and words a refusal.
//
// It knows nothing of guests, storages or HTTP: a request is a map of texts.
// The tables are data (tables/*.txt); formats with a rule of their own are
// functions (format*.go).
package schema
