package conf_test

import (
	"reflect"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/conf"
)

const firewallText = `[OPTIONS]

enable: 1
policy_in: DROP

[ALIASES]

home 192.0.2.0/24 # where we live

[IPSET ipfilter-net0] # addresses of net0

192.0.2.7
!192.0.2.8 # not this one

[RULES]

IN SSH(ACCEPT) -i net0 -source home -log info # in
|OUT DROP -p tcp -dport 25
GROUP web

[group web]

IN ACCEPT -p tcp -dport 443

`

func TestFirewallIsWrittenAsItWasRead(t *testing.T) {
	t.Parallel()
	f := conf.ParseFirewall(firewallText)
	if got := f.Print(); got != firewallText {
		t.Errorf("got\n%s", got)
	}
	want := []conf.Rule{
		{"enable": "1", "type": "in", "macro": "SSH", "action": "ACCEPT", "iface": "net0", "source": "home", "log": "info", "comment": "in"},
		{"enable": "0", "type": "out", "action": "DROP", "proto": "tcp", "dport": "25"},
		{"enable": "1", "type": "group", "action": "web"},
	}
	if !reflect.DeepEqual(f.Rules, want) {
		t.Errorf("rules are %v, want %v", f.Rules, want)
	}
}

func FuzzFirewall(f *testing.F) {
	f.Add(firewallText)
	f.Add("[RULES]\n|\nIN\n[group x]\nIN DROP")
	f.Fuzz(func(t *testing.T, text string) {
		once := conf.ParseFirewall(text).Print()
		if again := conf.ParseFirewall(once).Print(); again != once {
			t.Errorf("%q becomes %q, then %q", text, once, again)
		}
	})
}
