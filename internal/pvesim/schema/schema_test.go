package schema_test

import (
	"maps"
	"testing"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim/schema"
)

// params are the parameters of a request in the order name, value, …
func params(pairs ...string) schema.Values {
	out := schema.Values{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = schema.Text(pairs[i+1])
	}
	return out
}

// TestCheck: the texts are those that a genuine Proxmox VE gave.
func TestCheck(t *testing.T) {
	t.Parallel()
	const format = "invalid format - format error\n"
	for name, tc := range map[string]struct {
		values schema.Values
		want   schema.Errors
	}{
		"everything is right":            {params("memory", "512", "onboot", "1", "net0", "name=eth0,ip=dhcp"), nil},
		"a number that is none":          {params("memory", "1e3"), schema.Errors{"memory": "type check ('integer') failed - got '1e3'"}},
		"a number that is too small":     {params("memory", "8"), schema.Errors{"memory": "value must have a minimum value of 16"}},
		"a number that is too large":     {params("cores", "8193"), schema.Errors{"cores": "value must have a maximum value of 8192"}},
		"a word for a boolean":           {params("onboot", "yes"), schema.Errors{"onboot": "type check ('boolean') failed - got 'yes'"}},
		"a word that is not in the list": {params("cmode", "x"), schema.Errors{"cmode": "value 'x' does not have a value in the enumeration 'shell, console, tty'"}},
		"a parameter that is not known": {params("foo", "1"), schema.Errors{
			"foo": "property is not defined in schema and the schema does not allow additional properties",
		}},
		"a text that is too long": {params("digest", "0123456789012345678901234567890123456789a"), schema.Errors{"digest": "value may only be 40 characters long"}},
		"a list with a wrong item": {params("nameserver", "192.0.2.1 x"), schema.Errors{
			"nameserver": "invalid format - value does not look like a valid IP address\n",
		}},
		"a property string without a required key": {params("mp0", "local:1"), schema.Errors{
			"mp0": format + "mp0.mp: property is missing and it is not optional\n",
		}},
		"a property string with several errors": {params("mp3", ""), schema.Errors{
			"mp3": format + "mp3.mp: property is missing and it is not optional\nmp3.volume: property is missing and it is not optional\n",
		}},
		"a property string with a format inside": {params("net0", "name=eth0,ip=192.0.2.1"), schema.Errors{
			"net0": format + "net0.ip: invalid format - value does not look like a valid ipv4 network configuration\n\n",
		}},
		"a key twice": {params("net0", "name=a,name=b"), schema.Errors{
			"net0": "invalid format - duplicate key in comma-separated list property: name\n",
		}},
		"a value without its key": {params("net0", "eth0"), schema.Errors{
			"net0": "invalid format - value without key, but schema does not define a default key\n",
		}},
		"a parameter given twice": {schema.Values{"memory": {List: []string{"1", "2"}}}, schema.Errors{
			"memory": "type check ('integer') failed - got ARRAY",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := schema.Load()
			m := table.Method("PUT", "/nodes/{node}/lxc/{vmid}/config")
			maps.Copy(tc.values, params("node", "pve1", "vmid", "100"))
			if got := table.Check(m, tc.values); !maps.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestPrint: the default key first, then required keys, then the others.
func TestPrint(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ format, text, want string }{
		"a network interface": {
			"lxc.net", "type=veth,ip6=auto,ip=dhcp,firewall=on,bridge=vmbr0,name=eth0",
			"name=eth0,bridge=vmbr0,firewall=1,ip=dhcp,ip6=auto,type=veth",
		},
		"a mount point with its volume keyed": {
			"lxc.mp", "size=8G,backup=yes,mp=/data,volume=local:100/vm-100-disk-1.raw",
			"local:100/vm-100-disk-1.raw,mp=/data,backup=1,size=8G",
		},
		"an interface of a machine": {"qemu.net", "bridge=vmbr0,virtio=02:00:00:00:00:01", "virtio=02:00:00:00:00:01,bridge=vmbr0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := schema.Load()
			keys, err := table.Parse(tc.format, tc.text, "x")
			if err != nil {
				t.Fatal(err)
			}
			if got := table.Print(tc.format, keys); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestTables: the areas are there, each call with parameters and privileges.
func TestTables(t *testing.T) {
	t.Parallel()
	table := schema.Load()
	for _, path := range []string{"/nodes/{node}/lxc", "/nodes/{node}/qemu", "/cluster/backup", "/storage", "/access/users", "/cluster/ha/resources", "/pools"} {
		if m := table.Method("POST", path); m == nil || len(m.Props) == 0 || m.Perm == "" {
			t.Errorf("POST %s is not in the tables", path)
		}
	}
}
