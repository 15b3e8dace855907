// Package pve is a client of the Proxmox VE API, versions 8 and 9.
//
// It decides how a request is sent, when it may be sent again and what kind of
// error an answer is. It knows neither Terraform nor the order of calls in a
// reinstall, and it never judges whether a call ought to be made.
//
// Three rules hold everywhere:
//
//   - A request that may have taken effect is never sent twice. Such a request
//     fails with [ErrAmbiguous], and [Client.FindLost] looks for its effect.
//   - A call that starts a task returns its [UPID]; it is done when [Client.Wait]
//     says so.
//   - "Already exists" is an error, [ErrExists], and never success.
//
// Guests of either kind are addressed by a guest.Ref.
package pve
