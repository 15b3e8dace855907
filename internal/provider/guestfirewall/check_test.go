package guestfirewall_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/guestfirewall"
)

// lines are diagnostics in short: severity, path and summary.
func lines(diags diag.Diagnostics) []string {
	var all []string
	for _, d := range diags {
		at := ""
		if with, ok := d.(diag.DiagnosticWithPath); ok {
			at = with.Path().String()
		}
		all = append(all, d.Severity().String()+" "+at+": "+d.Summary())
	}
	slices.Sort(all)
	return all
}

func TestValidate(t *testing.T) {
	t.Parallel()
	on, off := types.BoolValue(true), types.BoolNull()
	for name, tc := range map[string]struct {
		kind     guest.Kind
		firewall values
		network  map[string]guestfirewall.Interface
		want     []string
	}{
		"nothing is wrong": {guest.LXC, values{"ip_filter": on, "allowed_addresses": allowed(values{"net0": set("192.0.2.1")})},
			map[string]guestfirewall.Interface{"net0": {Firewall: on}}, nil},
		"a device passes by": {guest.LXC, values{}, map[string]guestfirewall.Interface{"net0": {Firewall: on}, "net2": {Firewall: off}, "net1": {Firewall: off}},
			[]string{"Warning firewall.enabled: The firewall does not filter net1, net2"}},
		"a device passes by a firewall that is off": {guest.LXC, values{"enabled": types.BoolValue(false)}, map[string]guestfirewall.Interface{"net0": {Firewall: off}}, nil},
		"the flag of a device is not known yet":     {guest.LXC, values{}, map[string]guestfirewall.Interface{"net0": {Firewall: types.BoolUnknown()}}, nil},
		"addresses of no device": {guest.LXC, values{"allowed_addresses": allowed(values{"net1": set()})}, map[string]guestfirewall.Interface{"net0": {Firewall: on}},
			[]string{`Error firewall.allowed_addresses["net1"]: net1 has allowed addresses and does not exist`}},
		"addresses of a device of a VM that is not declared": {guest.QEMU, values{"allowed_addresses": allowed(values{"net1": set()})}, map[string]guestfirewall.Interface{"net0": {Firewall: on}}, nil},
		"addresses of a device that passes by": {guest.LXC, values{"allowed_addresses": allowed(values{"net0": set()})}, map[string]guestfirewall.Interface{"net0": {Firewall: off}},
			[]string{`Error firewall.allowed_addresses["net0"]: net0 has allowed addresses and does not pass through the firewall`}},
		"the network is not known yet": {guest.LXC, values{"allowed_addresses": allowed(values{"net0": set()})}, nil, nil},
		"a container with DHCP may send from nowhere": {guest.LXC, values{"ip_filter": on}, map[string]guestfirewall.Interface{"net0": {Firewall: on}, "net1": {Firewall: on, Addressed: true}},
			[]string{"Warning firewall.ip_filter: No IP address is allowed on net0"}},
		"a VM may send from nowhere": {guest.QEMU, values{"ip_filter": on}, map[string]guestfirewall.Interface{"net0": {Firewall: on, Addressed: true}},
			[]string{"Warning firewall.ip_filter: No IP address is allowed on net0"}},
		"rules": {guest.LXC, values{"rules": list(t,
			values{"type": text("in"), "action": text("ACCEPT"), "dport": text("22")},
			values{"type": text("in"), "action": text("ACCEPT"), "dport": text("22"), "macro": text("SSH")},
			values{"type": text("in"), "action": text("web")},
			values{"type": text("group"), "action": text("DROP")},
			values{"type": text("group"), "action": text("web"), "iface": text("net7")},
		)}, map[string]guestfirewall.Interface{"net0": {Firewall: on}}, []string{
			"Error firewall.rules[0].dport: Rule 0 names a port without a protocol",
			"Error firewall.rules[2].action: Rule 2 is of type in and its action is web",
			"Error firewall.rules[3].action: Rule 3 is of type group and its action is DROP",
			"Error firewall.rules[4].iface: Rule 4 is for net7, which does not exist",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := lines(guestfirewall.Validate(t.Context(), tc.kind, declare(t, tc.firewall), tc.network))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDropped(t *testing.T) {
	t.Parallel()
	ref := guest.Ref{Node: "pve1", Kind: guest.QEMU, VMID: 100}
	null, declared := types.ObjectNull(guestfirewall.Types), declare(t, values{})
	got := guestfirewall.Dropped(ref, declared, null)
	if len(got) != 1 || got[0].Summary() != "The firewall of VM 100 stays as it is and is no longer managed" ||
		got[0].Detail() != "Leaving the block out removes no rule and switches nothing off.\n\nTo switch the firewall off, set enabled = false and apply that." {
		t.Error(got)
	}
	for _, quiet := range []diag.Diagnostics{
		guestfirewall.Dropped(ref, null, null), guestfirewall.Dropped(ref, null, declared), guestfirewall.Dropped(ref, declared, declared),
	} {
		if len(quiet) != 0 {
			t.Error(quiet)
		}
	}
}
