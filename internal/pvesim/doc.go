// Package pvesim is a Proxmox VE 9.2 cluster in one process, for tests and
// for trying the provider out: real HTTP, the parameter checks of the API,
// users and privileges, tasks, and a state laid out like /etc/pve.
//
// It answers with the status lines and bodies that a genuine Proxmox VE was
// recorded to give, and is never bent to suit a client. It uses the standard
// library only and nothing of the provider, so that a mistake in one can not
// hide a mistake in the other.
//
// # Reading the code
//
// A request passes http.go (the connection, forms and JSON), auth.go (who is
// it), route.go (which call, privileges, node, parameters) and a handler in a
// file named after its part of the API. All state is guarded by one mutex
// which handlers and task bodies hold; they let go of it only where they
// sleep or wait for the lock of a guest (lock.go, task.go). The text of every
// file lives in store.go, volumes of storages in volume.go.
//
// A test uses New, the knobs of knobs.go and the request log:
//
//	sim, err := pvesim.New(pvesim.Options{})
//	defer sim.Close()
//	sim.FailNext("POST", "/nodes/*/lxc", pvesim.Fault{Status: 596, Message: "timeout", After: true})
package pvesim
