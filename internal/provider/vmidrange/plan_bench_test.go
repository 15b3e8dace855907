package vmidrange_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/acctest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pvesim"
)

var rangeType = tftypes.Object{AttributeTypes: map[string]tftypes.Type{
	"id": tftypes.String, "start": tftypes.Number, "end": tftypes.Number,
	"reserve": tftypes.Set{ElementType: tftypes.String}, "vmids": tftypes.Map{ElementType: tftypes.Number},
	"retired": tftypes.String, "used": tftypes.String, "free": tftypes.Number,
}}

func rangeValue(names []string, computed any) tftypes.Value {
	elements := make([]tftypes.Value, len(names))
	for i, name := range names {
		elements[i] = tftypes.NewValue(tftypes.String, name)
	}
	vmids := computed
	if computed == nil {
		vmids = map[string]tftypes.Value{}
	}
	text := func(s string) any {
		if computed == nil {
			return s
		}
		return computed
	}
	free := computed
	if computed == nil {
		free = 200
	}
	return tftypes.NewValue(rangeType, map[string]tftypes.Value{
		"id":    tftypes.NewValue(tftypes.String, "range"),
		"start": tftypes.NewValue(tftypes.Number, 5000), "end": tftypes.NewValue(tftypes.Number, 8999),
		"reserve": tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, elements),
		"vmids":   tftypes.NewValue(tftypes.Map{ElementType: tftypes.Number}, vmids),
		"retired": tftypes.NewValue(tftypes.String, text("")), "used": tftypes.NewValue(tftypes.String, text("")),
		"free": tftypes.NewValue(tftypes.Number, free),
	})
}

func dynamic(b *testing.B, typ tftypes.Type, v tftypes.Value) *tfprotov6.DynamicValue {
	b.Helper()
	d, err := tfprotov6.NewDynamicValue(typ, v)
	if err != nil {
		b.Fatal(err)
	}
	return &d
}

func failOn(b *testing.B, err error, diagnostics []*tfprotov6.Diagnostic) {
	b.Helper()
	for _, d := range diagnostics {
		b.Fatalf("%s: %s", d.Summary, d.Detail)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// configured is a provider of the cluster, as Terraform talks to it.
func configured(b *testing.B, s *pvesim.Server) tfprotov6.ProviderServer {
	b.Helper()
	server, err := acctest.Factories()["proxmox"]()
	if err != nil {
		b.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(b.Context(), &tfprotov6.GetProviderSchemaRequest{})
	failOn(b, err, schemas.Diagnostics)
	typ := schemas.Provider.ValueType().(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, attribute := range typ.AttributeTypes {
		values[name] = tftypes.NewValue(attribute, nil)
	}
	values["endpoint"] = tftypes.NewValue(tftypes.String, s.URL())
	values["api_token"] = tftypes.NewValue(tftypes.String, s.Token())
	values["vmid_range"] = tftypes.NewValue(tftypes.String, "5000-8999")
	resp, err := server.ConfigureProvider(b.Context(), &tfprotov6.ConfigureProviderRequest{Config: dynamic(b, typ, tftypes.NewValue(typ, values))})
	failOn(b, err, resp.Diagnostics)
	return server
}

// BenchmarkPlan plans 100 numbers in a range of 4,000 of which guests hold
// 3,800, after the refresh has read the cluster. The floor of the same run is a
// plan of the same range that gives out none.
func BenchmarkPlan(b *testing.B) {
	files := map[string]string{"storage.cfg": "lvmthin: local-lvm\n\tthinpool data\n\tvgname pve\n\tcontent rootdir,images\n"}
	for _, i := range rand.New(rand.NewPCG(3, 4)).Perm(4000)[:3800] {
		files[fmt.Sprintf("nodes/pve1/lxc/%d.conf", 5000+i)] = "arch: amd64\n"
	}
	s, err := pvesim.New(pvesim.Options{Files: files, Tokens: map[string]string{"root@pam!bench": "00000000-0000-0000-0000-000000000000"}})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	server := configured(b, s)
	prior := dynamic(b, rangeType, rangeValue(nil, nil))
	started := time.Now()
	read, err := server.ReadResource(b.Context(), &tfprotov6.ReadResourceRequest{TypeName: "proxmox_vmid_range", CurrentState: prior})
	failOn(b, err, read.Diagnostics)
	b.Logf("the refresh, listing included, took %v", time.Since(started).Round(time.Millisecond))

	names := make([]string, 100)
	for i := range names {
		names[i] = fmt.Sprintf("guest-%03d", i)
	}
	plan := func(names []string) int {
		proposed := dynamic(b, rangeType, rangeValue(names, tftypes.UnknownValue))
		resp, err := server.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: "proxmox_vmid_range", PriorState: read.NewState, PriorPrivate: read.Private, ProposedNewState: proposed, Config: proposed,
		})
		failOn(b, err, resp.Diagnostics)
		value, err := resp.PlannedState.Unmarshal(rangeType)
		failOn(b, err, nil)
		attributes, vmids := map[string]tftypes.Value{}, map[string]tftypes.Value{}
		failOn(b, value.As(&attributes), nil)
		failOn(b, attributes["vmids"].As(&vmids), nil)
		return len(vmids)
	}
	for b.Loop() {
		if n := plan(names); n != 100 {
			b.Fatalf("%d numbers were planned", n)
		}
	}
	own := b.Elapsed() / time.Duration(b.N)
	started = time.Now()
	const rounds = 50
	for range rounds {
		plan(nil)
	}
	b.ReportMetric(float64(own)/float64(time.Since(started)/rounds), "x-floor")
}
