package keys_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/keys"
)

type sample struct {
	Name     types.String  `pve:"name"`
	Cores    types.Int64   `pve:"cores"`
	Limit    types.Float64 `pve:"cpulimit,default=0"`
	OnBoot   types.Bool    `pve:"onboot,default=0"`
	Console  types.Bool    `pve:"console,default=1"`
	Protect  types.Bool    `pve:"protection,default=0,explicit"`
	Arch     types.String  `pve:"arch,detected"`
	MAC      types.String  `pve:"hwaddr,detected,fold"`
	Notes    types.String  `pve:"description,newline"`
	Tags     types.Set     `pve:"tags,tags"`
	Servers  types.List    `pve:"nameserver,list=space"`
	Env      types.Map     `pve:"env,list=null"`
	Untagged types.String
}

func texts(items ...string) []attr.Value {
	values := make([]attr.Value, len(items))
	for i, item := range items {
		values[i] = types.StringValue(item)
	}
	return values
}

func TestEncodeSendsWhatIsSet(t *testing.T) {
	t.Parallel()
	full := sample{
		Name: types.StringValue("web"), Cores: types.Int64Value(2), Limit: types.Float64Value(1.5), OnBoot: types.BoolValue(true), Console: types.BoolValue(false),
		Notes: types.StringValue("a\nb"), Tags: types.SetValueMust(types.StringType, texts("b", "a")), Servers: types.ListValueMust(types.StringType, texts("192.0.2.2", "192.0.2.1")),
		Env: types.MapValueMust(types.StringType, map[string]attr.Value{"B": types.StringValue("2"), "A": types.StringValue("1")}), Untagged: types.StringValue("no"),
	}
	got := map[string]string{}
	keys.Encode(&full, got)
	want := map[string]string{
		"name": "web", "cores": "2", "cpulimit": "1.5", "onboot": "1", "console": "0", "description": "a\nb",
		"tags": "a;b", "nameserver": "192.0.2.2 192.0.2.1", "env": "A=1\x00B=2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	empty := map[string]string{}
	keys.Encode(keys.Null[sample](), empty)
	keys.Encode[sample](nil, empty)
	unknown := keys.Null[sample]()
	unknown.Name, unknown.Tags = types.StringUnknown(), types.SetUnknown(types.StringType)
	unknown.Servers = types.ListValueMust(types.StringType, nil)
	keys.Encode(unknown, empty)
	if len(empty) != 0 {
		t.Errorf("null, unknown and empty sent %v", empty)
	}
}

func TestDecodeKeepsWhatMeansTheSame(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		set   func(*sample)
		live  map[string]string
		first bool
		want  attr.Value
		of    func(sample) attr.Value
	}{
		"a null attribute and a live default": {
			func(*sample) {}, map[string]string{"cpulimit": "0"}, false, types.Float64Null(), func(s sample) attr.Value { return s.Limit }},
		"a null attribute and another live value": {
			func(*sample) {}, map[string]string{"cpulimit": "2"}, false, types.Float64Value(2), func(s sample) attr.Value { return s.Limit }},
		"a default that was written down and an absent key": {
			func(s *sample) { s.OnBoot = types.BoolValue(false) }, nil, false, types.BoolValue(false), func(s sample) attr.Value { return s.OnBoot }},
		"a value that somebody took away": {
			func(s *sample) { s.OnBoot = types.BoolValue(true) }, nil, false, types.BoolNull(), func(s sample) attr.Value { return s.OnBoot }},
		"a word that is a boolean": {
			func(s *sample) { s.OnBoot = types.BoolValue(true) }, map[string]string{"onboot": "yes"}, false, types.BoolValue(true), func(s sample) attr.Value { return s.OnBoot }},
		"the first read takes a default that stands there": {
			func(*sample) {}, map[string]string{"console": "1"}, true, types.BoolValue(true), func(s sample) attr.Value { return s.Console }},
		"the first read makes up no default": {
			func(*sample) {}, nil, true, types.BoolNull(), func(s sample) attr.Value { return s.Console }},
		"an explicit attribute is never null": {
			func(*sample) {}, nil, false, types.BoolValue(false), func(s sample) attr.Value { return s.Protect }},
		"a detected value is read although nobody set it": {
			func(*sample) {}, map[string]string{"arch": "arm64"}, false, types.StringValue("arm64"), func(s sample) attr.Value { return s.Arch }},
		"the case of an address": {
			func(s *sample) { s.MAC = types.StringValue("bc:24:11:00:00:0a") }, map[string]string{"hwaddr": "BC:24:11:00:00:0A"}, false,
			types.StringValue("bc:24:11:00:00:0a"), func(s sample) attr.Value { return s.MAC }},
		"one newline at the end of a description": {
			func(s *sample) { s.Notes = types.StringValue("a") }, map[string]string{"description": "a\n"}, false, types.StringValue("a"), func(s sample) attr.Value { return s.Notes }},
		"the first read of a description": {
			func(*sample) {}, map[string]string{"description": "a\n\n"}, true, types.StringValue("a\n"), func(s sample) attr.Value { return s.Notes }},
		"tags in another order and case": {
			func(s *sample) { s.Tags = types.SetValueMust(types.StringType, texts("Web", "prod")) }, map[string]string{"tags": "prod;web"}, false,
			types.SetValueMust(types.StringType, texts("Web", "prod")), func(s sample) attr.Value { return s.Tags }},
		"tags with mixed separators": {
			func(*sample) {}, map[string]string{"tags": "web,prod;db  x;web"}, true, types.SetValueMust(types.StringType, texts("db", "prod", "web", "x")), func(s sample) attr.Value { return s.Tags }},
		"the order of name servers counts": {
			func(s *sample) { s.Servers = types.ListValueMust(types.StringType, texts("192.0.2.1", "192.0.2.2")) }, map[string]string{"nameserver": "192.0.2.2 192.0.2.1"}, false,
			types.ListValueMust(types.StringType, texts("192.0.2.2", "192.0.2.1")), func(s sample) attr.Value { return s.Servers }},
		"an environment with spaces and an empty value": {
			func(*sample) {}, map[string]string{"env": "A=a b  c\x00B="}, true,
			types.MapValueMust(types.StringType, map[string]attr.Value{"A": types.StringValue("a b  c"), "B": types.StringValue("")}), func(s sample) attr.Value { return s.Env }},
		"a number that is none": {
			func(*sample) {}, map[string]string{"cores": "many"}, true, types.Int64Null(), func(s sample) attr.Value { return s.Cores }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := keys.Null[sample]()
			tc.set(s)
			keys.Decode(s, tc.live, tc.first)
			if got := tc.of(*s); !got.Equal(tc.want) {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestDecodeObjectStaysNullWhileNothingIsSet(t *testing.T) {
	t.Parallel()
	type part struct {
		Cores types.Int64   `pve:"cores"`
		Limit types.Float64 `pve:"cpulimit,default=0"`
	}
	if got := keys.DecodeObject[part](nil, map[string]string{"cpulimit": "0"}, false); got != nil {
		t.Errorf("a default makes an object: %v", got)
	}
	if got := keys.DecodeObject[part](nil, map[string]string{"cores": "2"}, false); got == nil || got.Cores.ValueInt64() != 2 {
		t.Errorf("a value makes no object: %v", got)
	}
	empty := &part{Cores: types.Int64Null(), Limit: types.Float64Null()}
	if got := keys.DecodeObject(empty, nil, false); got == nil {
		t.Error("an empty object that the user wrote became null")
	}
}

func TestDifferencesAndOverlay(t *testing.T) {
	t.Parallel()
	live := map[string]string{"hwaddr": "BC:24:11:00:00:01", "name": "eth0", "onboot": "0", "later": "1"}
	wanted := map[string]string{"name": "eth1", "cpulimit": "0"}
	differ := keys.Differences[sample](live, wanted)
	if diff := cmp.Diff([]string{"name", "hwaddr"}, differ); diff != "" {
		t.Error(diff)
	}
	want := map[string]string{"hwaddr": "BC:24:11:00:00:01", "name": "eth1", "onboot": "0", "later": "1"}
	if diff := cmp.Diff(want, keys.Overlay[sample](live, wanted, differ)); diff != "" {
		t.Error(diff)
	}
	if live["name"] != "eth0" {
		t.Error("the live string was changed")
	}
}
