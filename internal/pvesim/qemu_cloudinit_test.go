package pvesim_test

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

func TestVMCloudinitShowsWhatTheGuestWasNotToldYet(t *testing.T) {
	t.Parallel()
	const drive = "ide2: thin:vm-100-cloudinit,media=cdrom"
	for name, tc := range map[string]struct {
		running bool
		lines   []string
		fields  []string
		want    string
	}{
		"nothing while it is stopped": {false, []string{"ciuser: a", drive}, []string{"ciuser=b"}, `[{"key":"ciuser","value":"b"}]`},
		"a changed key":               {true, []string{"ciuser: a", drive}, []string{"ciuser=b"}, `[{"key":"ciuser","pending":"b","value":"a"}]`},
		"a new key":                   {true, []string{drive}, []string{"nameserver=1.1.1.1"}, `[{"key":"nameserver","pending":"1.1.1.1"}]`},
		"a key that went":             {true, []string{"searchdomain: a", drive}, []string{"delete=searchdomain"}, `[{"delete":1,"key":"searchdomain","value":"a"}]`},
		"a password only as stars":    {true, []string{"cipassword: x", drive}, []string{"cipassword=y"}, `[{"key":"cipassword","pending":"**********","value":"**********"}]`},
		"a new address":               {true, []string{drive}, []string{"ipconfig0=ip=dhcp"}, `[{"key":"ipconfig0","pending":"ip=dhcp"}]`},
		"but not a changed address":   {true, []string{"ipconfig0: ip=192.0.2.3/24", drive}, []string{"ipconfig0=ip=dhcp"}, `[]`},
		"nothing with its hotplug":    {true, []string{"ciuser: a", "hotplug: disk,cloudinit", drive}, []string{"ciuser=b"}, `[{"key":"ciuser","value":"b"}]`},
		"nothing without a drive":     {true, []string{"ciuser: a"}, []string{"ciuser=b"}, `[{"key":"ciuser","value":"b"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startVM(t, pvesim.Options{}, tc.lines...)
			c.sim.SetRunning(100, tc.running)
			c.must("PUT", vm100+"/config", tc.fields...)
			if got := string(c.must("GET", vm100+"/cloudinit").Data); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			c.must("PUT", vm100+"/cloudinit")
			var rows []struct{ Pending *string }
			if err := json.Unmarshal(c.must("GET", vm100+"/cloudinit").Data, &rows); err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				if r.Pending != nil {
					t.Errorf("%s still waits after the drive was made anew", *r.Pending)
				}
			}
		})
	}
}

func TestVMCloudinitDump(t *testing.T) {
	t.Parallel()
	c := startVM(t, pvesim.Options{}, "ciupgrade: 0", "ciuser: u", "ipconfig0: ip=192.0.2.7/26,gw=192.0.2.1,ip6=auto", "ipconfig1: ip6=2001:db8::2/64,gw6=2001:db8::1",
		"name: web.example.org", "nameserver: 192.0.2.53 2001:db8::53", "net0: virtio=BC:24:11:00:00:01,bridge=vmbr0", "net1: virtio=BC:24:11:00:00:02,bridge=vmbr0",
		"net2: virtio=BC:24:11:00:00:03,bridge=vmbr0", "sshkeys: ssh-ed25519%20AAAA%20x%0Assh-rsa%20BBBB%20y%0A")
	user := "#cloud-config\nhostname: web\nmanage_etc_hosts: true\nfqdn: web.example.org\nuser: u\nssh_authorized_keys:\n  - ssh-ed25519 AAAA x\n  - ssh-rsa BBBB y\n" +
		"chpasswd:\n  expire: False\nusers:\n  - default\n"
	network := "version: 1\nconfig:\n" +
		"    - type: physical\n      name: eth0\n      mac_address: 'bc:24:11:00:00:01'\n      subnets:\n      - type: static\n        address: '192.0.2.7'\n" +
		"        netmask: '255.255.255.192'\n        gateway: '192.0.2.1'\n      - type: ipv6_slaac\n" +
		"    - type: physical\n      name: eth1\n      mac_address: 'bc:24:11:00:00:02'\n      subnets:\n      - type: static6\n        address: '2001:db8::2/64'\n        gateway: '2001:db8::1'\n" +
		"    - type: nameserver\n      address:\n      - '192.0.2.53'\n      - '2001:db8::53'\n      search:\n      - 'example.test'\n"
	sum := sha1.Sum([]byte(user + network))
	for kind, want := range map[string]string{"user": user, "network": network, "meta": "instance-id: " + hex.EncodeToString(sum[:]) + "\n"} {
		if got := c.must("GET", vm100+"/cloudinit/dump", "type="+kind).text(); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", kind, got, want)
		}
	}
	c.must("PUT", vm100+"/config", "ipconfig1=ip=manual")
	c.refused("500 not a CIDR: manual", "GET", vm100+"/cloudinit/dump", "type=network")
}
