package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
)

// Needs is what a guest needs to be created. A reinstall checks it before the
// old guest goes: at plan, and again immediately before the destroy. It is
// kept as JSON in planned private state between the two.
type Needs struct {
	Node string     `json:"node"`
	VMID guest.VMID `json:"vmid"`
	// Template is the volume id of what the guest is made from.
	Template string `json:"template,omitempty"`
	// Source is the guest that it is copied from, nil for none.
	Source *guest.Ref `json:"source,omitempty"`
	// Storages are where its volumes go, by storage id the bytes together.
	Storages map[string]bytesize.Size `json:"storages,omitempty"`
	// Content is the content type that the storages have to take: rootdir or
	// images.
	Content string `json:"content"`
	// Volumes are ids of existing volumes that its mount points name.
	Volumes []string `json:"volumes,omitempty"`
	// Bridges are where its interfaces are plugged in.
	Bridges []string `json:"bridges,omitempty"`
	// Pool is the resource pool that it joins.
	Pool string `json:"pool,omitempty"`
	// RootOnly are attributes that only root@pam may set, and no API token.
	RootOnly []string `json:"root_only,omitempty"`
	// SysModify says that the create needs Sys.Modify on /: a privileged
	// container since Proxmox VE 9.
	SysModify bool `json:"sys_modify,omitempty"`
	// Firewall says that a firewall is declared, which is set after the create and
	// before the first start.
	Firewall bool `json:"firewall,omitempty"`
}

// Lack is one thing that is missing for the create.
type Lack struct {
	// What names it: template, storage, bridge, pool, privilege or attribute.
	What, Name string
	// Why is a sentence.
	Why string
}

// Lacking says that a guest could not be created, so that the old one must not
// be destroyed for it.
type Lacking struct {
	Guest guest.Ref
	Lacks []Lack
}

// Summary is one sentence without a full stop.
func (e *Lacking) Summary() string {
	return fmt.Sprintf("%s %d could not be created again, so it is not destroyed", title(e.Guest.Kind.Noun()), e.Guest.VMID)
}

// Reasons lists what is missing, one a line.
func (e *Lacking) Reasons() string {
	lines := make([]string, len(e.Lacks))
	for i, lack := range e.Lacks {
		lines[i] = fmt.Sprintf("- %s %s: %s", lack.What, lack.Name, lack.Why)
	}
	return strings.Join(lines, "\n")
}

// Error is the summary with what is missing.
func (e *Lacking) Error() string { return e.Summary() + ":\n" + e.Reasons() }

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Supply is what a node offers to a create, as far as it could be seen. A map
// that is nil could not be seen and nothing is held against it.
type Supply struct {
	// Templates are the volume ids that were found.
	Templates map[string]bool
	// Source says whether the guest to copy is there; nil if that was not seen.
	Source   *bool
	Storages map[string]Room
	// Volumes say of the ids that were looked for whether they exist.
	Volumes map[string]bool
	// Erased are the ids of volumes that the destroy frees.
	Erased  map[string]bool
	Bridges map[string]bool
	Pools   map[string]bool
	// Privileges are those of the identity, by path.
	Privileges map[string]map[string]bool
	// Root says that the identity is root@pam itself.
	Root bool
	// Modern says that the node runs Proxmox VE 9 or later.
	Modern bool
}

// Room is a storage as a node offers it.
type Room struct {
	Active  bool
	Content []string
	// Thick says that a volume takes its whole size at once.
	Thick bool
	// Free is the space that is left, and Freed what the destroy frees there.
	Free, Freed bytesize.Size
}

// Missing compares what is needed with what is there, sorted.
func (n Needs) Missing(s Supply) []Lack {
	var list []Lack
	lack := func(what, name, why string, args ...any) {
		list = append(list, Lack{What: what, Name: name, Why: fmt.Sprintf(why, args...)})
	}
	if s.Templates != nil && n.Template != "" && !s.Templates[n.Template] {
		lack("template", n.Template, "It is not on node %s.", n.Node)
	}
	if n.Source != nil && s.Source != nil && !*s.Source {
		lack("source", n.Source.VMID.String(), "There is no %s with this number to copy.", n.Source.Kind.Noun())
	}
	for id, size := range n.Storages {
		if why := s.storage(id, n, size); why != "" {
			lack("storage", id, "%s", why)
		}
	}
	for _, id := range n.Volumes {
		switch there, looked := s.Volumes[id]; {
		case s.Erased[id]:
			lack("volume", id, "It belongs to the guest itself, so the destroy erases it before the new guest could mount it.")
		case looked && !there:
			lack("volume", id, "It is not on node %s.", n.Node)
		}
	}
	for _, bridge := range n.Bridges {
		if s.Bridges != nil && !s.Bridges[bridge] {
			lack("bridge", bridge, "There is none of this name on node %s.", n.Node)
		}
	}
	if s.Pools != nil && n.Pool != "" && !s.Pools[n.Pool] {
		lack("pool", n.Pool, "It does not exist, or the identity may not see it.")
	}
	for _, attribute := range n.RootOnly {
		if !s.Root {
			lack("attribute", attribute, "Only root@pam may set it, and no API token.")
		}
	}
	for _, p := range n.privileges(s.Modern) {
		if s.Privileges != nil && !s.Root && !s.allowed(p) {
			lack("privilege", strings.Join(p.names, " or "), "The identity lacks it on %s.", strings.Join(p.paths, " or "))
		}
	}
	slices.SortFunc(list, func(a, b Lack) int { return strings.Compare(a.What+" "+a.Name, b.What+" "+b.Name) })
	return list
}

func (s Supply) storage(id string, n Needs, size bytesize.Size) string {
	if s.Storages == nil {
		return ""
	}
	room, there := s.Storages[id]
	switch {
	case !there:
		return fmt.Sprintf("It is not on node %s, or the identity may not see it.", n.Node)
	case !room.Active:
		return fmt.Sprintf("It is not active on node %s.", n.Node)
	case !slices.Contains(room.Content, n.Content):
		return fmt.Sprintf("It does not take this kind of guest: its content is %s, without %s.", strings.Join(slices.Sorted(slices.Values(room.Content)), ", "), n.Content)
	case room.Thick && size > room.Free+room.Freed:
		return fmt.Sprintf("%d bytes are needed (%d GiB) and %d bytes (%d GiB) would be free after the destroy.",
			size, size.GiBUp(), room.Free+room.Freed, (room.Free + room.Freed).GiBUp())
	}
	return ""
}

// grant is a privilege that is enough on one of several paths.
type grant struct {
	names []string
	paths []string
}

// privileges lists what a create asks for. Source: PVE::API2::LXC create_vm.
func (n Needs) privileges(modern bool) []grant {
	vm := []string{"/vms/" + n.VMID.String()}
	if n.Pool != "" {
		vm = append(vm, "/pool/"+n.Pool)
	}
	list := []grant{{[]string{"VM.Allocate"}, vm}}
	for id := range n.Storages {
		list = append(list, grant{[]string{"Datastore.AllocateSpace"}, []string{"/storage/" + id}})
	}
	if n.Firewall { // Source: PVE::API2::Firewall::VM
		list = append(list, grant{[]string{"VM.Config.Network"}, vm})
	}
	if n.Source != nil {
		list = append(list, grant{[]string{"VM.Clone"}, []string{"/vms/" + n.Source.VMID.String()}})
	}
	if n.SysModify && modern {
		list = append(list, grant{[]string{"Sys.Modify"}, []string{"/"}})
	}
	return list
}

func (s Supply) allowed(g grant) bool {
	for _, path := range g.paths {
		for _, name := range g.names {
			if s.Privileges[path][name] {
				return true
			}
		}
	}
	return false
}
