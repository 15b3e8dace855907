package guestfirewall_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
)

func TestRefresh(t *testing.T) {
	t.Parallel()
	no := types.BoolValue(false)
	for name, tc := range map[string]struct {
		file        string
		prior, want values
	}{
		"nothing is set any more": {"", values{"policy_in": text("REJECT"), "rules": list(t, values{"type": text("in"), "action": text("DROP")}), "allowed_addresses": allowed(values{"net0": set("192.0.2.1")})},
			values{"enabled": no}},
		"defaults that are written out stay": {"[OPTIONS]\nenable: 1\n", values{"dhcp": types.BoolValue(true), "mac_filter": types.BoolValue(true), "policy_in": text("DROP"), "rules": list(t)},
			values{"dhcp": types.BoolValue(true), "mac_filter": types.BoolValue(true), "policy_in": text("DROP"), "rules": list(t)}},
		"what is not declared is shown": {"[OPTIONS]\nenable: 1\nmacfilter: 0\ndhcp: 0\n\n[IPSET ipfilter-net0]\n\n!192.0.2.1\n192.0.2.0/24\n\n[RULES]\n\n|IN ACCEPT -log nolog # by hand\n", values{},
			values{"mac_filter": no, "dhcp": no, "allowed_addresses": allowed(values{"net0": set("!192.0.2.1", "192.0.2.0/24")}),
				"rules": list(t, values{"type": text("in"), "action": text("ACCEPT"), "enabled": no, "comment": text("by hand")})}},
		"addresses keep their spelling": {"[OPTIONS]\nenable: 1\n\n[IPSET ipfilter-net0]\n\n192.0.2.1\n2001:db8::1\n", values{"allowed_addresses": allowed(values{"net0": set("2001:DB8::1/128", "192.0.2.1/32")})},
			values{"allowed_addresses": allowed(values{"net0": set("2001:DB8::1/128", "192.0.2.1/32")})}},
		"an empty set is not no set": {"[OPTIONS]\nenable: 1\n\n[IPSET ipfilter-net0]\n", values{}, values{"allowed_addresses": allowed(values{"net0": types.SetValueMust(types.StringType, []attr.Value{})})}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim, client := start(t)
			sim.WriteFile("firewall/100.fw", tc.file)
			got, d := guestfirewall.Refresh(t.Context(), client, ct100, declare(t, tc.prior))
			if want := declare(t, tc.want); d.HasError() || !got.Equal(want) {
				t.Errorf("%v %s", d, cmp.Diff(want.String(), got.String()))
			}
		})
	}
	sim, client := start(t)
	if got, d := guestfirewall.Refresh(t.Context(), client, ct100, types.ObjectNull(guestfirewall.Types)); !got.IsNull() || len(d) != 0 || len(sim.Requests()) != 0 {
		t.Errorf("a firewall that is not declared: %v %v %v", got, d, sim.Requests())
	}
}
