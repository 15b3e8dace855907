// Package conf reads and writes the files of /etc/pve as Proxmox does: guest
// configurations (guest.go), section files such as storage.cfg (section.go)
// and user.cfg (users.go).
//
// It knows the syntax of the files and nothing of what they mean; what a key
// may hold is asked of the caller.
package conf
