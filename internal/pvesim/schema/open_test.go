package schema

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// open are formats without a rule: they accept every text. The list only
// shrinks, so that a new table does not get a hole unseen.
var open = strings.Fields(`
	bridge-pair ipv4mask ldap-simple-attr mac-prefix proxmox-remote pve-acme-alias pve-acme-domain pve-cpuset
	pve-dir-override pve-fw-conntrack-helper pve-fw-icmp-type-spec pve-ha-node pve-priv pve-qm-ide pve-realm
	pve-storage-options pve-storage-path-in-property-string pve-storage-portal-dns pve-storage-server
	pve-storage-vgname pve-task-status-type pve-tfa-config pve-vlan-id-or-range realm-sync-options string
`)

func TestOpenFormats(t *testing.T) {
	t.Parallel()
	table := Load()
	found := map[string]bool{}
	look := func(o Object) {
		for _, p := range o {
			name := p.Format
			for _, suffix := range []string{"-list", "-opt"} {
				if formats[name] == nil && table.formats[name] == nil {
					name = strings.TrimSuffix(name, suffix)
				}
			}
			if name != "" && formats[name] == nil && table.formats[name] == nil {
				found[name] = true
			}
		}
	}
	for _, m := range table.methods {
		look(m.Props)
	}
	for _, o := range table.formats {
		look(o)
	}
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, open) {
		t.Errorf("formats without a rule:\n%s", strings.Join(got, "\n"))
	}
}
