// Package props reads and writes Proxmox's property strings, the
// comma-separated values such as
//
//	local-lvm:vm-101-disk-0,mp=/srv,backup=1,size=8G
//
// to and from structs by tags. It knows the syntax and nothing of what the keys
// mean: no ranges, no enumerations, no guest.
//
// A field is tagged with the name of its key and options:
//
//		Volume string            `props:"volume,default,required,alias=file"`
//		Backup *bool             `props:"backup"`
//		Flags  []string          `props:"mountoptions"`
//		Rest   map[string]string `props:",rest"`
//
//	  - default: the value may stand without its key, and is printed so, first.
//	  - required: printed before the optional keys; Encode refuses it when absent.
//	  - alias=NAME: another name of the key, read but never printed.
//	  - names=a|b|c with for=KEY: the values a, b, c of this key may themselves be
//	    the key of KEY's value, as in the network device virtio=BC:24:11:00:00:01,
//	    which is model=virtio,macaddr=BC:24:11:00:00:01.
//	  - rest: keys that the struct does not know. They survive a round trip, so
//	    that an update never strips what a newer Proxmox VE has added.
//
// Fields are strings, booleans, integers, floats, pointers to these, or slices of
// strings (joined by ";"). A nil pointer, an empty string or an empty slice is a
// key that is absent. A boolean or a number that may be absent is a pointer.
//
// Source of the syntax: PVE::JSONSchema parse_property_string and
// print_property_string.
package props
