// Package vm is the resource proxmox_vm.
//
// It decides what of the plan and the state of a VM goes to the cluster and what
// comes back. Only what the configuration declares is managed: what a template
// brought and nobody declares is left alone. What a destroy does to data, and the
// order of a reinstall, are decided in internal/datalabel, internal/blocker and
// internal/lifecycle.
package vm
