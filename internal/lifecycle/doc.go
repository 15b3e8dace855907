// Package lifecycle ends and begins guests of either kind: it gathers the facts
// through the client, asks the rules, walks the stages from inspect to start,
// and keeps the record of what was left half done.
//
// It decides the order of calls and when to stop. It knows nothing of
// Terraform, words no diagnostics, and judges nothing that a rule package can.
package lifecycle
