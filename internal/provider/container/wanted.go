package container

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// defaultSwap is ours, in MiB. It is always sent: Proxmox by itself would give
// proxmoxSwap, which the user did not ask for.
const (
	defaultSwap = "0"
	proxmoxSwap = "512"
)

// wanted is what a model asks for, by the keys of the container's configuration.
// The model was read from a plan or a state; unknown values ask for nothing.
type wanted struct {
	scalars  map[string]string
	network  map[string]sub
	devices  map[string]sub
	features sub
	startup  sub
	rootfs   *rootfsModel
	mounts   map[string]mountPointModel
}

// wants reads the model's nested attributes.
func (m *model) wants(ctx context.Context) (wanted, diag.Diagnostics) {
	w := wanted{scalars: map[string]string{}, network: map[string]sub{}, devices: map[string]sub{}}
	var diags diag.Diagnostics
	keys.Encode(m, w.scalars)
	encodeObject[cpuModel](ctx, m.CPU, w.scalars, &diags)
	encodeObject[dnsModel](ctx, m.DNS, w.scalars, &diags)
	encodeObject[consoleModel](ctx, m.Console, w.scalars, &diags)
	encodeObject[initModel](ctx, m.Init, w.scalars, &diags)
	encodeObject[osModel](ctx, m.OS, w.scalars, &diags)

	w.scalars["swap"] = defaultSwap
	encodeObject[memoryModel](ctx, m.Memory, w.scalars, &diags)
	if boot := encodeObject[bootModel](ctx, m.Boot, w.scalars, &diags); boot != nil {
		w.startup = encodeSub[startupModel](ctx, boot.Startup, &diags)
	}
	w.features = encodeSub[featuresModel](ctx, m.Features, &diags)
	encodeSubs[networkModel](ctx, m.Network, w.network, &diags)
	encodeSubs[deviceModel](ctx, m.Devices, w.devices, &diags)

	var d diag.Diagnostics
	w.rootfs, d = attrs.Object[rootfsModel](ctx, m.Rootfs)
	diags.Append(d...)
	w.mounts, d = attrs.Map[mountPointModel](ctx, m.MountPoints)
	diags.Append(d...)
	return w, diags
}

func encodeObject[T any](ctx context.Context, v types.Object, into map[string]string, diags *diag.Diagnostics) *T {
	object, d := attrs.Object[T](ctx, v)
	diags.Append(d...)
	keys.Encode(object, into)
	return object
}

func encodeSub[T any](ctx context.Context, v types.Object, diags *diag.Diagnostics) sub {
	object, d := attrs.Object[T](ctx, v)
	diags.Append(d...)
	if object == nil {
		return nil
	}
	s := sub{}
	keys.Encode(object, s)
	return s
}

func encodeSubs[T any](ctx context.Context, v types.Map, into map[string]sub, diags *diag.Diagnostics) {
	elements, d := attrs.Map[T](ctx, v)
	diags.Append(d...)
	for key, element := range elements {
		s := sub{}
		keys.Encode(&element, s)
		into[key] = s
	}
}

// options are the sub-keys of the root disk beside its volume and size.
func (r *rootfsModel) options() sub {
	s := sub{}
	keys.Encode(r, s)
	return s
}

// allocation is the value that makes Proxmox allocate the root disk.
func (r *rootfsModel) allocation() sub {
	s := r.options()
	s[defaultVolume] = allocate(r.Storage, r.Size)
	return s
}

// options are the sub-keys of a mount point beside its volume and size.
func (p mountPointModel) options() sub {
	s := sub{}
	keys.Encode(&p, s)
	return s
}

// source is what the mount point mounts: an existing volume, a path, or the
// request for a new volume.
func (p mountPointModel) source() string {
	if attrs.Known(p.Volume) {
		return p.Volume.ValueString()
	}
	return allocate(p.Storage, p.Size)
}

// allocation is the value that attaches the mount point.
func (p mountPointModel) allocation() sub {
	s := p.options()
	s[defaultVolume] = p.source()
	return s
}

// onHost reports whether the mount point is a directory or a device of the node.
func (p mountPointModel) onHost() bool {
	return attrs.Known(p.Volume) && strings.HasPrefix(p.Volume.ValueString(), "/")
}

// allocate is Proxmox's request for a new volume, STORAGE:GIB.
// Source: PVE::LXC $NEW_DISK_RE.
func allocate(storage types.String, size attrs.Size) string {
	bytes, _ := size.Bytes()
	return storage.ValueString() + ":" + bytes.GiB()
}
