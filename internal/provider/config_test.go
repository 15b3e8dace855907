package provider_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// block is a provider block with the given attributes; all others are null.
func block(t *testing.T, p fwprovider.Provider, set map[string]tftypes.Value) tfsdk.Config {
	t.Helper()
	var schema fwprovider.SchemaResponse
	p.Schema(t.Context(), fwprovider.SchemaRequest{}, &schema)
	object := schema.Schema.Type().TerraformType(context.Background()).(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, kind := range object.AttributeTypes {
		values[name] = tftypes.NewValue(kind, nil)
	}
	for name, value := range set {
		values[name] = value
	}
	return tfsdk.Config{Schema: schema.Schema, Raw: tftypes.NewValue(object, values)}
}

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// quiet unsets what the machine of the tests may have exported.
func quiet(t *testing.T) {
	t.Helper()
	for _, name := range []string{"ENDPOINT", "ENDPOINTS", "API_TOKEN", "USERNAME", "PASSWORD", "OTP", "TLS_CA_PEM", "TLS_CA_FILE", "TLS_FINGERPRINT", "INSECURE",
		"VMID_RANGE", "MAX_PARALLEL_REQUESTS", "REQUEST_TIMEOUT", "DEFAULT_NODE", "ACKNOWLEDGE"} {
		t.Setenv("PROXMOX_VE_"+name, "")
	}
}

func configured(t *testing.T, set map[string]tftypes.Value) (*meta.Data, fwprovider.ConfigureResponse) {
	t.Helper()
	p := provider.New("test")()
	var resp fwprovider.ConfigureResponse
	p.Configure(t.Context(), fwprovider.ConfigureRequest{Config: block(t, p, set)}, &resp)
	data, _ := resp.ResourceData.(*meta.Data)
	return data, resp
}

const token = "root@pam!tf=00000000-0000-0000-0000-000000000000"

func TestTheConfigurationWinsOverTheEnvironment(t *testing.T) {
	quiet(t)
	t.Setenv("PROXMOX_VE_ENDPOINT", "https://env.example.org:8006")
	t.Setenv("PROXMOX_VE_API_TOKEN", token)
	t.Setenv("PROXMOX_VE_DEFAULT_NODE", "env")
	t.Setenv("PROXMOX_VE_VMID_RANGE", "100-199")
	t.Setenv("PROXMOX_VE_ACKNOWLEDGE", "one, two")

	data, resp := configured(t, nil)
	if resp.Diagnostics.HasError() {
		t.Fatal(resp.Diagnostics)
	}
	if data.DefaultNode != "env" || data.Client.User() != "root@pam!tf" || data.Client.IsRoot() || !data.Acknowledged["one"] || !data.Acknowledged["two"] {
		t.Errorf("from the environment: node %q, user %q, acknowledged %v", data.DefaultNode, data.Client.User(), data.Acknowledged)
	}
	if err := data.Boundary.Check(guest.VMID(200)); err == nil || !strings.Contains(err.Error(), "PROXMOX_VE_VMID_RANGE") {
		t.Errorf("the boundary of the environment: %v", err)
	}

	data, resp = configured(t, map[string]tftypes.Value{
		"default_node": text("set"), "vmid_range": text("200-299"), "username": text("root@pam"), "password": text("secret"),
		"acknowledge": tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, []tftypes.Value{text("three")}),
	})
	if resp.Diagnostics.HasError() {
		t.Fatal(resp.Diagnostics)
	}
	if data.DefaultNode != "set" || data.Client.User() != "root@pam" || !data.Client.IsRoot() || data.Acknowledged["one"] || !data.Acknowledged["three"] {
		t.Errorf("from the configuration: node %q, user %q, acknowledged %v", data.DefaultNode, data.Client.User(), data.Acknowledged)
	}
	if err := data.Boundary.Check(guest.VMID(200)); err != nil {
		t.Errorf("the boundary of the configuration: %v", err)
	}
}

func TestWhatCannotBeUsedIsNamed(t *testing.T) {
	for name, tc := range map[string]struct {
		set  map[string]tftypes.Value
		env  map[string]string
		at   string // attribute of the error, empty for none
		want string
	}{
		"no endpoint":    {map[string]tftypes.Value{"api_token": text(token)}, nil, "endpoint", "The provider has no endpoint"},
		"no credentials": {map[string]tftypes.Value{"endpoint": text("https://pve1:8006")}, nil, "api_token", "The provider has no credentials"},
		"an endpoint that is none": {map[string]tftypes.Value{"endpoint": text("pve1"), "api_token": text(token)}, nil, "endpoint",
			"The provider's endpoint cannot be used"},
		"a token that is none": {map[string]tftypes.Value{"endpoint": text("https://pve1:8006"), "api_token": text("secret")}, nil, "api_token",
			"The provider's api_token cannot be used"},
		"a time-out without a unit": {map[string]tftypes.Value{"endpoint": text("https://pve1:8006"), "api_token": text(token), "request_timeout": text("90")}, nil,
			"request_timeout", `request_timeout cannot be "90"`},
		"a word in the environment": {map[string]tftypes.Value{"endpoint": text("https://pve1:8006"), "api_token": text(token)},
			map[string]string{"PROXMOX_VE_INSECURE": "maybe"}, "", `insecure cannot be "maybe"`},
		"too many requests at a time": {map[string]tftypes.Value{"endpoint": text("https://pve1:8006"), "api_token": text(token)},
			map[string]string{"PROXMOX_VE_MAX_PARALLEL_REQUESTS": "1000"}, "", `max_parallel_requests cannot be "1000"`},
		"a file that is not there": {map[string]tftypes.Value{"endpoint": text("https://pve1:8006"), "api_token": text(token), "tls_ca_file": text("/nowhere.pem")}, nil,
			"tls_ca_file", "The certificates in /nowhere.pem cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			quiet(t)
			for variable, value := range tc.env {
				t.Setenv(variable, value)
			}
			_, resp := configured(t, tc.set)
			for _, d := range resp.Diagnostics.Errors() {
				if strings.Contains(d.Summary()+d.Detail(), "secret") {
					t.Errorf("a secret is shown: %s", d.Detail())
				}
				at := ""
				if p, ok := d.(interface{ Path() path.Path }); ok {
					at = p.Path().String()
				}
				if d.Summary() == tc.want && at == tc.at {
					return
				}
			}
			t.Errorf("want %q at %q, got %v", tc.want, tc.at, resp.Diagnostics)
		})
	}
}

func TestABoundaryThatCannotBeReadLetsNobodyIn(t *testing.T) {
	quiet(t)
	for _, value := range []string{"", "5000..8999", "8999-5000", "99-200", "x"} {
		data, resp := configured(t, map[string]tftypes.Value{"endpoint": text("https://pve1:8006"), "api_token": text(token), "vmid_range": text(value)})
		if resp.Diagnostics.HasError() || data == nil {
			continue // refused at once
		}
		if err := data.Boundary.Check(5000); err == nil {
			t.Errorf("vmid_range %q lets VMID 5000 in", value)
		}
	}
}

func TestInsecureIsALoudWarning(t *testing.T) {
	quiet(t)
	_, resp := configured(t, map[string]tftypes.Value{
		"endpoint": text("https://pve1:8006"), "api_token": text(token), "insecure": tftypes.NewValue(tftypes.Bool, true),
	})
	if n := resp.Diagnostics.WarningsCount(); n != 1 || resp.Diagnostics.HasError() {
		t.Errorf("%d warnings: %v", n, resp.Diagnostics)
	}
}
