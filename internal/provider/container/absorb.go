package container

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

// absorb reads the container's configuration into the model, which holds what
// was known before. With first, nothing was: everything that is there is read.
//
// Mount points are different from all other keys: one that is not in the model
// was attached by somebody else. It is left alone, so it is not read here; the
// attribute volumes shows it.
func (m *model) absorb(ctx context.Context, live map[string]string, first bool) diag.Diagnostics {
	var diags diag.Diagnostics
	values := explicit(live, m)
	keys.Decode(m, values, first)
	m.CPU = decodeObject[cpuModel](ctx, m.CPU, values, first, &diags)
	m.Memory = decodeObject[memoryModel](ctx, m.Memory, values, first, &diags)
	m.DNS = decodeObject[dnsModel](ctx, m.DNS, values, first, &diags)
	m.Console = decodeObject[consoleModel](ctx, m.Console, values, first, &diags)
	m.Init = decodeObject[initModel](ctx, m.Init, values, first, &diags)
	m.OS = decodeObject[osModel](ctx, m.OS, values, first, &diags)
	m.absorbBoot(ctx, values, first, &diags)
	m.Features = decodeSub[featuresModel](ctx, m.Features, "features", values, first, &diags)
	m.Network = decodeSubs[networkModel](ctx, m.Network, values, numbered("net"), "", first, &diags)
	m.Devices = decodeSubs[deviceModel](ctx, m.Devices, values, numbered("dev"), defaultPath, first, &diags)
	m.absorbRootfs(ctx, values, first, &diags)
	m.absorbMounts(ctx, values, first, &diags)
	return diags
}

// explicit is live with the keys written out that mean something other than
// their absence says: Proxmox gives swap that nobody asked for, and writes a
// host name that nobody chose.
func explicit(live map[string]string, m *model) map[string]string {
	values := maps.Clone(live)
	if values == nil {
		values = map[string]string{}
	}
	if _, ok := values["swap"]; !ok {
		values["swap"] = proxmoxSwap
	}
	if m.Hostname.IsNull() && values["hostname"] == generatedHostname(m.VMID.ValueInt64()) {
		delete(values, "hostname")
	}
	return values
}

// generatedHostname is what Proxmox calls a container without a host name.
// Source: PVE::LXC::Config, hostname.
func generatedHostname(vmid int64) string { return "CT" + strconv.FormatInt(vmid, 10) }

func (m *model) absorbBoot(ctx context.Context, values map[string]string, first bool, diags *diag.Diagnostics) {
	prior, d := attrs.Object[bootModel](ctx, m.Boot)
	diags.Append(d...)
	boot := keys.DecodeObject(prior, values, first)
	startup := types.ObjectNull(startupTypes)
	if prior != nil {
		startup = prior.Startup
	}
	startup = decodeSub[startupModel](ctx, startup, "startup", values, first, diags)
	if boot == nil && !startup.IsNull() {
		boot = &bootModel{OnBoot: types.BoolNull(), Debug: types.BoolNull()}
	}
	if boot != nil {
		boot.Startup = startup
	}
	m.Boot = objectOf(ctx, bootTypes, boot, diags)
}

func decodeObject[T any](ctx context.Context, v types.Object, values map[string]string, first bool, diags *diag.Diagnostics) types.Object {
	prior, d := attrs.Object[T](ctx, v)
	diags.Append(d...)
	return objectOf(ctx, v.AttributeTypes(ctx), keys.DecodeObject(prior, values, first), diags)
}

// decodeSub reads one property string into a nested object.
func decodeSub[T any](ctx context.Context, v types.Object, key string, values map[string]string, first bool, diags *diag.Diagnostics) types.Object {
	prior, d := attrs.Object[T](ctx, v)
	diags.Append(d...)
	s, err := parseSub(key, values[key])
	if err != nil {
		diags.Append(unreadableKey(key, err))
		return v
	}
	if _, present := values[key]; !present && v.IsNull() {
		return v
	}
	return objectOf(ctx, v.AttributeTypes(ctx), keys.DecodeObject(prior, s, first), diags)
}

// decodeSubs reads every key that is like into a map of nested objects.
func decodeSubs[T any](ctx context.Context, v types.Map, values map[string]string, like func(string) bool, defaultKey string, first bool, diags *diag.Diagnostics) types.Map {
	prior, d := attrs.Map[T](ctx, v)
	diags.Append(d...)
	elements := map[string]T{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !like(key) {
			continue
		}
		s, err := parseProperty(key, values[key], defaultKey)
		if err != nil {
			diags.Append(unreadableKey(key, err))
			continue
		}
		before, known := prior[key]
		if !known {
			before = *keys.Null[T]()
		}
		keys.Decode(&before, s, first || !known)
		elements[key] = before
	}
	return mapOf(ctx, v.ElementType(ctx), elements, diags)
}

func objectOf[T any](ctx context.Context, shape map[string]attr.Type, model *T, diags *diag.Diagnostics) types.Object {
	if model == nil {
		return types.ObjectNull(shape)
	}
	v, d := types.ObjectValueFrom(ctx, shape, *model)
	diags.Append(d...)
	return v
}

func mapOf[T any](ctx context.Context, shape attr.Type, elements map[string]T, diags *diag.Diagnostics) types.Map {
	if len(elements) == 0 {
		return types.MapNull(shape)
	}
	v, d := types.MapValueFrom(ctx, shape, elements)
	diags.Append(d...)
	return v
}
