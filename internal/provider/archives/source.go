package archives

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/bytesize"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/volume"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/vzdump"
)

// Source is an archive that a guest is to be made of.
type Source struct {
	Archive vzdump.Archive
	Volume  string
	Node    string            // that reaches the storage
	Config  map[string]string // of the guest as it was backed up
}

// ReadSource reads an archive and the configuration in it, in two requests. The
// error is a *vzdump.ArchiveError, a *GoneError, a *HiddenError or the client's.
func ReadSource(ctx context.Context, data *meta.Data, node, archive string) (Source, error) {
	a, err := vzdump.ParseArchive(archive)
	if err != nil {
		return Source{}, err
	}
	_, node, err = Find(ctx, data, node, archive)
	if err != nil {
		return Source{}, err
	}
	text, err := data.Client.ArchiveConfig(ctx, node, archive)
	return Source{Archive: a, Volume: archive, Node: node, Config: parseConfig(text)}, err
}

// parseConfig reads the keys of a guest's file. Comments are the description, and
// an archive holds no snapshots.
func parseConfig(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "[") {
			break
		}
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && !strings.HasPrefix(key, "#") && !strings.HasPrefix(key, "lxc.") {
			values[key] = value
		}
	}
	return values
}

// Restoration is how a guest is to be made of an archive.
type Restoration struct {
	Storage string            // for all volumes; empty: the storages of the archive, for VMs alone
	Mounts  map[string]Target // by key, for containers alone; those not named go to Storage
	Unique  bool              // new MAC addresses
	Pool    string
	Name    string
	Root    bool // calls are made as root@pam itself
	Managed bool // the configuration declares every mount of the container
}

// Target is where a volume of a container is to be made.
type Target struct {
	Storage string
	Size    bytesize.Size // 0: as in the archive
}

// SizeError says that an archive does not tell the size of a volume in a way
// that can be relied on.
type SizeError struct{ Key, Text string }

// Error names the volume.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the archive does not say the size of %s (%q), so it cannot be made anew", e.Key, e.Text)
}

// Params are Proxmox's own parameters besides the number and the archive. force is
// never among them. The error is a *SizeError.
func (s Source) Params(r Restoration) (pve.Params, error) {
	p := pve.Params{}
	set := func(key, value string) {
		if value != "" {
			p[key] = value
		}
	}
	set("storage", r.Storage)
	set("pool", r.Pool)
	if r.Unique {
		p["unique"] = "1"
	}
	if s.Archive.Kind == guest.QEMU {
		set("name", r.Name)
		return p, nil
	}
	set("hostname", r.Name)
	if len(r.Mounts) == 0 && (r.Root || len(s.Bound()) == 0) {
		return p, nil // every volume on the one storage
	}
	for _, c := range vzdump.Contents(guest.LXC, s.Config) {
		v := volume.ParseValue(s.Config[c.Key])
		if v.Kind != volume.Volume {
			continue
		}
		target := r.Mounts[c.Key]
		if target.Storage == "" {
			target.Storage = r.Storage
		}
		text, err := mountText(c.Key, target, v)
		if err != nil {
			return nil, err
		}
		p[c.Key] = text
	}
	return p, nil
}

// mountText is a volume with the same options on another storage. A bare number
// as its size has two readings, so it has to be given.
func mountText(key string, target Target, v volume.Value) (string, error) {
	size := target.Size
	if size == 0 {
		stored, err := bytesize.ParseStored(v.Sub["size"])
		if err != nil || stored.Bare {
			return "", &SizeError{Key: key, Text: v.Sub["size"]}
		}
		size = stored.Size
	}
	parts := []string{target.Storage + ":" + size.GiB()}
	for _, name := range sortedNames(v.Sub) {
		if name != "size" {
			parts = append(parts, name+"="+v.Sub[name])
		}
	}
	return strings.Join(parts, ","), nil
}

func sortedNames(m map[string]string) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Bound are the bind mounts and devices of a container, which hold no data of it
// and which only root@pam may attach.
func (s Source) Bound() []vzdump.Content {
	return slices.DeleteFunc(vzdump.Contents(s.Archive.Kind, s.Config), func(c vzdump.Content) bool {
		return c.Reason != vzdump.BindMount && c.Reason != vzdump.DeviceNode
	})
}

// Empty are the volumes that come back without their data: of a container made
// anew, of a VM not at all.
func (s Source) Empty() []vzdump.Content {
	return slices.DeleteFunc(vzdump.Contents(s.Archive.Kind, s.Config), func(c vzdump.Content) bool {
		return c.In || c.Reason == vzdump.BindMount || c.Reason == vzdump.DeviceNode
	})
}

// Made reports whether a run of vzdump made the archive.
func Made(run vzdump.Run, s Source) bool {
	return run.Archive != "" && strings.HasSuffix(s.Archive.Volume.Name, "/"+path.Base(run.Archive)) && (run.Done || run.PruneFailed)
}
