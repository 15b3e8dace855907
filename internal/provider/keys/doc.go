// Package keys maps the structs of a resource's model to the scalar keys of a
// guest's configuration, or to the sub-keys of one property string, by tags:
//
//	Cores types.Int64   `tfsdk:"cores" pve:"cores"`
//	Limit types.Float64 `tfsdk:"limit" pve:"cpulimit,default=0"`
//
// It decides when a value that Proxmox reports is the one that the user wrote
// although it is spelled differently, and what an absent key stands for. It
// knows no key by name, and no property strings: those are internal/pve/props.
//
// Options of a tag:
//
//   - default=TEXT: what Proxmox takes an absent key for. A null attribute and
//     the default are the same.
//   - list=space, list=semicolon, list=comma, list=line, list=null: how the items of a list or a map
//     are joined. They are split at any separator that Proxmox takes.
//   - tags: compared as a set without regard to case.
//   - fold: case does not count.
//   - newline: one trailing newline does not count.
//   - explicit: never null in state; an absent key is read as its default.
//   - detected: what Proxmox says is read also when the user set nothing.
//   - group: the field is a pointer to a struct with tags of its own.
//   - each: the field is a map of structs, one for each key that is the tag's name
//     and a number; their sub-keys are named net0.bridge. A name that ends in a
//     colon is a name space instead: disk:scsi0.cache belongs to the element scsi0.
package keys
