// Package guests is what the resources of both kinds of guest do in the same way
// in Terraform's terms: looking a guest up and proving its absence, remembering
// what was read, the computed attributes, the pool, and the forms of the record
// of a half-done operation.
//
// It decides nothing about the data of a guest, and it knows no key of a guest's
// configuration.
package guests
