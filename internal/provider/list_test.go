package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

// Lists have a syntax of their own since Terraform 1.14. These tests speak the
// protocol, so that they run with every CLI, and without one.

type values map[string]tftypes.Value

// protocol is the provider as Terraform sees it, configured for a cluster.
type protocol struct {
	t       *testing.T
	server  tfprotov6.ProviderServer
	schemas *tfprotov6.GetProviderSchemaResponse
}

func speak(t *testing.T, sim *pvesim.Server, vmidRange string) *protocol {
	t.Helper()
	server, err := acctest.Factories()["proxmox"]()
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	p := &protocol{t, server, schemas}
	set := values{"endpoint": tftypes.NewValue(tftypes.String, sim.URL()), "api_token": tftypes.NewValue(tftypes.String, sim.Token())}
	if vmidRange != "" {
		set["vmid_range"] = tftypes.NewValue(tftypes.String, vmidRange)
	}
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.14.0", Config: p.block(schemas.Provider, set)})
	if err != nil || len(resp.Diagnostics) != 0 {
		t.Fatal(err, resp.Diagnostics)
	}
	return p
}

// block is a block with some attributes; the others are null.
func (p *protocol) block(schema *tfprotov6.Schema, set values) *tfprotov6.DynamicValue {
	p.t.Helper()
	shape := schema.ValueType().(tftypes.Object)
	all := values{}
	for name, kind := range shape.AttributeTypes {
		all[name] = tftypes.NewValue(kind, nil)
	}
	for name, value := range set {
		all[name] = value
	}
	v, err := tfprotov6.NewDynamicValue(shape, tftypes.NewValue(shape, map[string]tftypes.Value(all)))
	if err != nil {
		p.t.Fatal(err)
	}
	return &v
}

func (p *protocol) list(kind string, whole bool, limit int64, config values) []tfprotov6.ListResourceResult {
	p.t.Helper()
	lists, ok := p.server.(tfprotov6.ListResourceServer)
	if !ok {
		p.t.Fatal("the provider lists nothing")
	}
	block := p.block(p.schemas.ListResourceSchemas[kind], config)
	checked, err := lists.ValidateListResourceConfig(p.t.Context(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: kind, Config: block})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(checked.Diagnostics) != 0 {
		return []tfprotov6.ListResourceResult{{Diagnostics: checked.Diagnostics}}
	}
	stream, err := lists.ListResource(p.t.Context(), &tfprotov6.ListResourceRequest{TypeName: kind, Config: block, IncludeResource: whole, Limit: limit})
	if err != nil {
		p.t.Fatal(err)
	}
	var results []tfprotov6.ListResourceResult
	for r := range stream.Results {
		results = append(results, r)
	}
	return results
}

// names are the results in short; a diagnostic is its summary.
func names(results []tfprotov6.ListResourceResult) []string {
	var all []string
	for _, r := range results {
		if r.DisplayName != "" {
			all = append(all, r.DisplayName)
		}
		for _, d := range r.Diagnostics {
			all = append(all, fmt.Sprintf("%s: %s", d.Severity, d.Summary))
		}
	}
	return all
}

// populated is a cluster with guests of both kinds, within 5000-5999 and outside.
func populated(t *testing.T) *pvesim.Server {
	t.Helper()
	sim := acctest.Cluster(t, pvesim.Options{})
	users, _ := sim.ReadFile("user.cfg")
	sim.WriteFile("user.cfg", users+"pool:web::5002,5101:::\n")
	container := func(node string, id int, lines string) {
		sim.WriteFile(fmt.Sprintf("nodes/%s/lxc/%d.conf", node, id),
			fmt.Sprintf("arch: amd64\nostype: debian\nmemory: 512\nswap: 0\nrootfs: local-lvm:vm-%d-disk-0,size=8G\nunprivileged: 1\n%s", id, lines))
		sim.AddVolume(node, fmt.Sprintf("local-lvm:vm-%d-disk-0", id), 8<<30)
	}
	container("pve1", 5001, "hostname: db-1\ntags: Prod;db\n")
	container("pve2", 5002, "hostname: web-1\ntags: prod;web\n")
	container("pve1", 5003, "hostname: web-2\n")
	container("pve1", 7001, "hostname: web-9\ntags: prod\n")
	sim.WriteFile("nodes/pve1/qemu-server/5101.conf", "name: web-vm\nmemory: 512\ncores: 1\nsmbios1: uuid=725e44db-7ad5-44ee-9377-f66b5c01b28f\n")
	sim.WriteFile("nodes/pve1/qemu-server/9000.conf", "name: debian\nmemory: 512\ntemplate: 1\nsmbios1: uuid=725e44db-7ad5-44ee-9377-f66b5c01b290\n")
	return sim
}

func TestLists(t *testing.T) {
	t.Parallel()
	sim := populated(t)
	str := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	tags := func(list ...string) tftypes.Value {
		var all []tftypes.Value
		for _, s := range list {
			all = append(all, str(s))
		}
		return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, all)
	}
	for name, tc := range map[string]struct {
		kind, bounds string
		limit        int64
		config       values
		want         []string
	}{
		"all containers":             {"proxmox_container", "", 0, nil, []string{"5001 db-1 on pve1", "5002 web-1 on pve2", "5003 web-2 on pve1", "7001 web-9 on pve1"}},
		"within the range only":      {"proxmox_container", "5000-5999", 0, nil, []string{"5001 db-1 on pve1", "5002 web-1 on pve2", "5003 web-2 on pve1"}},
		"VMs, templates are flagged": {"proxmox_vm", "", 0, nil, []string{"5101 web-vm on pve1", "9000 debian on pve1 (template)"}},
		"no templates":               {"proxmox_vm", "", 0, values{"template": tftypes.NewValue(tftypes.Bool, false)}, []string{"5101 web-vm on pve1"}},
		"templates alone":            {"proxmox_vm", "", 0, values{"template": tftypes.NewValue(tftypes.Bool, true)}, []string{"9000 debian on pve1 (template)"}},
		"on a node":                  {"proxmox_container", "", 0, values{"node": str("pve2")}, []string{"5002 web-1 on pve2"}},
		"in a pool":                  {"proxmox_container", "", 0, values{"pool": str("web")}, []string{"5002 web-1 on pve2"}},
		"with tags in any case":      {"proxmox_container", "", 0, values{"tags": tags("PROD", "db")}, []string{"5001 db-1 on pve1"}},
		"with a name":                {"proxmox_container", "", 0, values{"name": str("web-?")}, []string{"5002 web-1 on pve2", "5003 web-2 on pve1", "7001 web-9 on pve1"}},
		"all filters together":       {"proxmox_container", "5000-5999", 0, values{"name": str("web-*"), "node": str("pve1")}, []string{"5003 web-2 on pve1"}},
		"as many as are asked for":   {"proxmox_container", "", 2, nil, []string{"5001 db-1 on pve1", "5002 web-1 on pve2"}},
		"no pattern":                 {"proxmox_container", "", 0, values{"name": str("web-[")}, []string{`ERROR: name cannot be "web-["`}},
		"a range that cannot be read": {"proxmox_container", "5999-5000", 0, nil,
			[]string{"ERROR: The containers of the cluster cannot be listed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, names(speak(t, sim, tc.bounds).list(tc.kind, false, tc.limit, tc.config))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAListIsOneRequestAndNamesIdentities(t *testing.T) {
	t.Parallel()
	sim := populated(t)
	p := speak(t, sim, "5000-5999")
	sim.ResetRequests()
	results := append(p.list("proxmox_container", false, 0, nil), p.list("proxmox_vm", false, 0, nil)...)
	if diff := cmp.Diff([]string{"GET /cluster/resources"}, acctest.Lines(sim.Requests())); diff != "" {
		t.Error(diff)
	}
	identities, err := p.server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{5001, 5002, 5003, 5101} {
		v, err := results[i].Identity.IdentityData.Unmarshal(identities.IdentitySchemas["proxmox_container"].ValueType())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fmt.Sprintf(`tftypes.Object["vmid":tftypes.Number]<"vmid":tftypes.Number<"%d">>`, want), v.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAListOfWholeGuestsReadsThoseAlone(t *testing.T) {
	t.Parallel()
	sim := populated(t)
	p := speak(t, sim, "5000-5999")
	sim.ResetRequests()
	containers := p.list("proxmox_container", true, 0, values{"name": tftypes.NewValue(tftypes.String, "web-*")})
	vms := p.list("proxmox_vm", true, 0, nil)
	want := []string{
		"GET /cluster/resources",
		"GET /nodes/pve2/lxc/5002/config", "GET /nodes/pve2/lxc/5002/pending",
		"GET /nodes/pve1/lxc/5003/config", "GET /nodes/pve1/lxc/5003/pending",
		"GET /nodes/pve1/qemu/5101/config", "GET /nodes/pve1/qemu/5101/pending",
	}
	if diff := cmp.Diff(want, acctest.Lines(sim.Requests())); diff != "" {
		t.Error(diff)
	}
	for _, tc := range []struct {
		kind    string
		results []tfprotov6.ListResourceResult
		want    map[string]string
	}{
		{"proxmox_container", containers, map[string]string{"vmid": "5002", "hostname": "web-1", "current_node": "pve2", "pool": "web", "unprivileged": "true", "started": "false"}},
		{"proxmox_vm", vms, map[string]string{"vmid": "5101", "name": "web-vm", "current_node": "pve1", "pool": "web", "started": "false"}},
	} {
		got := map[string]string{}
		v, err := tc.results[0].Resource.Unmarshal(p.schemas.ResourceSchemas[tc.kind].ValueType())
		if err != nil {
			t.Fatal(err)
		}
		var attributes map[string]tftypes.Value
		if err := v.As(&attributes); err != nil {
			t.Fatal(err)
		}
		for name := range tc.want {
			_, text, _ := strings.Cut(attributes[name].String(), "<")
			got[name] = strings.Trim(text, `<>"`)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s %v: %s", tc.kind, names(tc.results), diff)
		}
	}
}

// What cannot be read is an error and not a guest with half of its attributes, from
// which a configuration would be generated.
func TestAGuestThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	sim := populated(t)
	p := speak(t, sim, "")
	sim.NodeDown("pve2")
	got := names(p.list("proxmox_container", true, 0, values{"node": tftypes.NewValue(tftypes.String, "pve2")}))
	if diff := cmp.Diff([]string{"ERROR: Container 5002 on node pve2 cannot be read"}, got); diff != "" {
		t.Error(diff)
	}
}

// The same by the query command of a Terraform that has it.
func TestQuery(t *testing.T) {
	t.Parallel()
	if acctest.Tofu() {
		t.Skip("OpenTofu has no query")
	}
	sim := populated(t)
	config := acctest.Provider(sim, `vmid_range = "5000-5999"`)
	acctest.Run(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
		Steps: []resource.TestStep{
			{Config: config + "resource \"proxmox_vmid_range\" \"r\" {\n  start = 5500\n  end   = 5501\n}\n"},
			{
				Query: true,
				Config: config + "list \"proxmox_container\" \"web\" {\n  provider = proxmox\n  config {\n    name = \"web-*\"\n  }\n}\n" +
					"list \"proxmox_vm\" \"all\" {\n  provider = proxmox\n}\n",
				QueryResultChecks: []querycheck.QueryResultCheck{
					querycheck.ExpectLength("proxmox_container.web", 2),
					querycheck.ExpectIdentity("proxmox_container.web", map[string]knownvalue.Check{"vmid": knownvalue.Int64Exact(5002)}),
					querycheck.ExpectLength("proxmox_vm.all", 1),
				},
			},
		},
	})
}
