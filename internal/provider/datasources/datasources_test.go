package datasources_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// read reads a data source at the level of the protocol, as JSON-like values.
func read(t *testing.T, s *pvesim.Server, name string, config, settings map[string]tftypes.Value) (map[string]any, []string) {
	t.Helper()
	server, err := providerserver.NewProtocol6WithError(provider.New("test")())()
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]tftypes.Value{"endpoint": text(s.URL()), "api_token": text(s.Token())}
	for key, value := range settings {
		all[key] = value
	}
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: object(t, schemas.Provider.ValueType(), all)})
	if err != nil || len(configured.Diagnostics) > 0 {
		t.Fatal(err, configured.Diagnostics)
	}
	of := schemas.DataSourceSchemas[name].ValueType()
	resp, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: object(t, of, config)})
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, d := range resp.Diagnostics {
		problems = append(problems, d.Severity.String()+" "+d.Summary+": "+d.Detail)
	}
	if resp.State == nil {
		return nil, problems
	}
	value, err := resp.State.Unmarshal(of)
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := simple(t, value).(map[string]any)
	return plain, problems
}

func simple(t *testing.T, v tftypes.Value) any {
	t.Helper()
	if v.IsNull() {
		return nil
	}
	switch {
	case v.Type().Is(tftypes.String):
		var s string
		_ = v.As(&s)
		return s
	case v.Type().Is(tftypes.Bool):
		var b bool
		_ = v.As(&b)
		return b
	case v.Type().Is(tftypes.Number):
		return fmt.Sprint(v)
	}
	var list []tftypes.Value
	if v.As(&list) == nil {
		out := []any{}
		for _, e := range list {
			out = append(out, simple(t, e))
		}
		return out
	}
	var fields map[string]tftypes.Value
	_ = v.As(&fields)
	out := map[string]any{}
	for name, e := range fields {
		out[name] = simple(t, e)
	}
	return out
}

func object(t *testing.T, of tftypes.Type, values map[string]tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	all := map[string]tftypes.Value{}
	for name, kind := range of.(tftypes.Object).AttributeTypes {
		all[name] = tftypes.NewValue(kind, nil)
		if v, ok := values[name]; ok {
			all[name] = v
		}
	}
	dynamic, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, all))
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

func number(n int64) tftypes.Value { return tftypes.NewValue(tftypes.Number, n) }

func cluster(t *testing.T) *pvesim.Server {
	t.Helper()
	s := acctest.Cluster(t, pvesim.Options{})
	s.WriteFile("nodes/pve1/lxc/5001.conf", "arch: amd64\nhostname: web\nmemory: 512\nrootfs: local-lvm:vm-5001-disk-0,size=4G\ntags: prod;web\nunprivileged: 1\n")
	s.WriteFile("nodes/pve2/qemu-server/5002.conf", "name: db\nmemory: 1024\nscsi0: local-lvm:vm-5002-disk-0,size=32G\n")
	s.WriteFile("nodes/pve1/lxc/9001.conf", "arch: amd64\nhostname: golden\nmemory: 512\nrootfs: local-lvm:base-9001-disk-0,size=4G\ntemplate: 1\nunprivileged: 1\n")
	return s
}

func post(t *testing.T, s *pvesim.Server, path string, form url.Values) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/api2/json"+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "PVEAPIToken="+s.Token())
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	_ = resp.Body.Close()
	s.WaitTasks()
}

func names(list any, key string) string {
	var out []string
	items, _ := list.([]any)
	for _, item := range items {
		out = append(out, fmt.Sprint(item.(map[string]any)[key]))
	}
	return strings.Join(out, " ")
}

func TestBackups(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	post(t, s, "/nodes/pve1/vzdump", url.Values{"vmid": {"5001"}, "storage": {"local"}, "compress": {"zstd"}, "notes-template": {"{{guestname}} on {{node}}"}, "protected": {"1"}})
	post(t, s, "/nodes/pve2/vzdump", url.Values{"vmid": {"5002"}, "storage": {"local"}})
	all, problems := read(t, s, "proxmox_backups", nil, nil)
	if len(problems) > 0 || len(all["backups"].([]any)) != 2 {
		t.Fatalf("%v, %v", all, problems)
	}
	one, problems := read(t, s, "proxmox_backups", map[string]tftypes.Value{"vmid": number(5001)}, nil)
	if len(problems) > 0 || names(one["backups"], "attribution") != "guest" || names(one["backups"], "protected") != "true" || names(one["backups"], "kind") != "lxc" {
		t.Errorf("%v, %v", one, problems)
	}
	vms, _ := read(t, s, "proxmox_backups", map[string]tftypes.Value{"kind": text("qemu")}, nil)
	if names(vms["backups"], "node") != "pve2" || names(vms["backups"], "attribution") != "unknown" {
		t.Errorf("%v", vms)
	}
	bounded, problems := read(t, s, "proxmox_backups", nil, map[string]tftypes.Value{"vmid_range": text("5002-5999")})
	if len(problems) > 0 || len(bounded["backups"].([]any)) != 1 {
		t.Errorf("%v, %v", bounded, problems)
	}
	if _, problems := read(t, s, "proxmox_backups", map[string]tftypes.Value{"vmid": number(5001)}, map[string]tftypes.Value{"vmid_range": text("6000-6999")}); len(problems) != 1 || !strings.Contains(problems[0], "outside of the VMID range") {
		t.Errorf("%v", problems)
	}
}

// Report 50: an empty listing and a missing right are "cannot see", never 0.
func TestBackupsThatCannotBeSeen(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	post(t, s, "/nodes/pve1/vzdump", url.Values{"vmid": {"5001"}, "storage": {"local"}})
	config, _ := s.ReadFile("user.cfg")
	s.WriteFile("user.cfg", config+"user:audit@pve:1:0::::::\ntoken:audit@pve!t:0:0::\nacl:1:/:audit@pve:PVEAuditor:\n")
	tokens, _ := s.ReadFile("priv/token.cfg")
	s.WriteFile("priv/token.cfg", strings.TrimSpace(tokens)+"\naudit@pve!t 11111111-2222-3333-4444-555555555555\n")
	settings := map[string]tftypes.Value{"api_token": text("audit@pve!t=11111111-2222-3333-4444-555555555555")}
	for name, config := range map[string]map[string]tftypes.Value{"one guest": {"vmid": number(5001)}, "all": nil} {
		_, problems := read(t, s, "proxmox_backups", config, settings)
		if len(problems) != 1 || !strings.Contains(problems[0], "ERROR The archives on storage local cannot be seen") || !strings.Contains(problems[0], "Datastore.AllocateSpace on /storage/local") {
			t.Errorf("%s: %q", name, problems)
		}
	}
}

func TestTheOthers(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	s.WriteFile("jobs.cfg", "vzdump: off\n\tschedule 02:00\n\tenabled 0\n\tstorage local\n\tvmid 5002\n\nvzdump: on\n\tschedule 02:00\n\tenabled 1\n\tstorage local\n\tvmid 9001\n")
	for name, tc := range map[string]struct {
		source   string
		config   map[string]tftypes.Value
		settings map[string]tftypes.Value
		list     string
		key      string
		want     string
	}{
		"guests without a policy":   {"proxmox_unprotected_guests", nil, nil, "guests", "name", "web"},
		"guests in disabled ones":   {"proxmox_unprotected_guests", nil, nil, "disabled_only", "name", "db"},
		"all guests":                {"proxmox_guests", nil, nil, "guests", "name", "web db golden"},
		"containers of a node":      {"proxmox_guests", map[string]tftypes.Value{"kind": text("lxc"), "node": text("pve1")}, nil, "guests", "name", "web golden"},
		"guests with a tag":         {"proxmox_guests", map[string]tftypes.Value{"tag": text("prod")}, nil, "guests", "name", "web"},
		"guests within the range":   {"proxmox_guests", nil, map[string]tftypes.Value{"vmid_range": text("5002-5999")}, "guests", "name", "db"},
		"nodes":                     {"proxmox_nodes", nil, nil, "nodes", "name", "pve1 pve2"},
		"storages of a node":        {"proxmox_storages", map[string]tftypes.Value{"node": text("pve1")}, nil, "storages", "name", "local local-lvm"},
		"storages that take guests": {"proxmox_storages", map[string]tftypes.Value{"content": text("rootdir")}, nil, "storages", "node", "pve1 pve2"},
		"guests that are templates": {"proxmox_templates", nil, map[string]tftypes.Value{"vmid_range": text("5000-5999")}, "guests", "name", "golden"},
		"template files": {"proxmox_templates", map[string]tftypes.Value{"node": text("pve1")}, nil, "files", "volume_id",
			"local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problems := read(t, s, tc.source, tc.config, tc.settings)
			if len(problems) > 0 || names(got[tc.list], tc.key) != tc.want {
				plain, _ := json.Marshal(got)
				t.Errorf("%s, %v\nwant %s", plain, problems, tc.want)
			}
		})
	}
	if v, problems := read(t, s, "proxmox_version", nil, nil); len(problems) > 0 || !strings.HasPrefix(fmt.Sprint(v["version"]), "9.") {
		t.Errorf("%v, %v", v, problems)
	}
}
