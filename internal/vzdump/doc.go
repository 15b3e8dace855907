// Package vzdump holds what is true of Proxmox's backups: what goes into an
// archive, what its task's log says, and what may be said of the result.
//
// It decides what an archive contains, how consistent it is and whose it is,
// and never from what was asked for: only from what happened. It knows neither
// the API nor Terraform and reads no clock; texts and times are arguments.
package vzdump
