package provider

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/attrs"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Configure makes the data that resources work with. It asks the cluster
// nothing: a plan that needs no guest costs no request.
func (p *proxmox) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var s settings
	resp.Diagnostics.Append(req.Config.Get(ctx, &s)...)
	if resp.Diagnostics.HasError() {
		return
	}
	data, d := p.data(s)
	resp.Diagnostics.Append(d...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.ResourceData = data
	resp.DataSourceData = data
	resp.EphemeralResourceData = data
	resp.ActionData = data
	resp.ListResourceData = data
}

func (p *proxmox) data(s settings) (*meta.Data, diag.Diagnostics) {
	options, diags := p.options(s)
	if diags.HasError() {
		return nil, diags
	}
	client, err := pve.New(options)
	if err != nil {
		diags.Append(optionProblem(err))
		return nil, diags
	}
	data := &meta.Data{Client: client, Acknowledged: map[string]bool{}}
	data.DefaultNode, _, _ = text(s.DefaultNode, "default_node", envDefaultNode)
	data.Boundary = boundary(s.VMIDRange)
	tokens := list(attrs.Strings(s.Acknowledge), envAcknowledge)
	for _, token := range tokens {
		data.Acknowledged[token] = true
	}
	data.Guests = meta.NewListing(client.Resources)
	data.Survey = meta.NewSurvey(data.Guests, meta.Sources{Content: client.Content, Tasks: client.ClusterTasks})
	data.VMIDs = meta.NewAllocator(data.Boundary, data.Survey, client.VMIDTaken)
	data.Ranges = meta.NewRanges()
	return data, diags
}

func (p *proxmox) options(s settings) (pve.Options, diag.Diagnostics) {
	var diags diag.Diagnostics
	o := pve.Options{UserAgent: "terraform-provider-proxmox/" + p.version, Logger: slog.New(newLogHandler())}

	if one, _, ok := text(s.Endpoint, "endpoint", envEndpoint); ok && len(s.Endpoints.Elements()) == 0 {
		o.Endpoints = []string{one}
	} else {
		o.Endpoints = list(attrs.Strings(s.Endpoints), envEndpoints)
	}
	if len(o.Endpoints) == 0 {
		diags.AddAttributeError(path.Root("endpoint"), "The provider has no endpoint",
			unknownOr(s.Endpoint.IsUnknown() || s.Endpoints.IsUnknown(),
				"Set endpoint to the address of a node, for example https://pve1.example.org:8006, or export "+envEndpoint+"."))
	}
	diags.Append(credentials(s, &o)...)
	diags.Append(transport(s, &o)...)
	return o, diags
}

// credentials takes what the provider block names before what the environment
// does: a configured user is not overruled by an exported token.
func credentials(s settings, o *pve.Options) diag.Diagnostics {
	var diags diag.Diagnostics
	if !attrs.Known(s.Username) {
		o.APIToken, _, _ = text(s.APIToken, "api_token", envAPIToken)
	}
	if o.APIToken == "" {
		o.Username, _, _ = text(s.Username, "username", envUsername)
		o.Password, _, _ = text(s.Password, "password", envPassword)
		o.OTP, _, _ = text(s.OTP, "otp", envOTP)
	}
	if o.APIToken == "" && o.Username == "" {
		diags.AddAttributeError(path.Root("api_token"), "The provider has no credentials",
			unknownOr(s.APIToken.IsUnknown() || s.Username.IsUnknown(),
				"Set api_token, or username and password, or export "+envAPIToken+"."))
	}
	return diags
}

func transport(s settings, o *pve.Options) diag.Diagnostics {
	var diags, d diag.Diagnostics
	o.Fingerprint, _, _ = text(s.TLSFingerprint, "tls_fingerprint", envTLSFingerprint)
	if pem, _, ok := text(s.TLSCAPEM, "tls_ca_pem", envTLSCAPEM); ok {
		o.CAPEM = []byte(pem)
	} else if file, from, ok := text(s.TLSCAFile, "tls_ca_file", envTLSCAFile); ok {
		content, err := os.ReadFile(file)
		if err != nil {
			diags.Append(from.problem(fmt.Sprintf("The certificates in %s cannot be read", file), err.Error()+"."))
		}
		o.CAPEM = content
	}
	o.Insecure, d = boolean(s.Insecure, "insecure", envInsecure)
	diags.Append(d...)
	if o.Insecure {
		diags.AddAttributeWarning(path.Root("insecure"), "The certificate of the Proxmox node is not checked",
			"Whoever is between this machine and the node can read the credentials and change what is sent. "+
				"Set tls_fingerprint to the SHA-256 fingerprint of the node's certificate (in the web interface: node, System, Certificates) and remove insecure.")
	}
	o.MaxParallel, d = number(s.MaxParallel, "max_parallel_requests", envMaxParallel)
	diags.Append(d...)
	o.RequestTimeout, d = duration(s.RequestTimeout, "request_timeout", envRequestTimeout)
	diags.Append(d...)
	return diags
}

func unknownOr(unknown bool, detail string) string {
	if unknown {
		return "Its value is not known before apply: it depends on something that does not exist yet. " +
			"Create that first with -target, or give the value in another way. " + detail
	}
	return detail
}

// attributeOf names the attribute behind an option of the client.
var attributeOf = map[string]string{
	"Endpoints": "endpoint", "APIToken": "api_token", "Username": "username", "Password": "password",
	"CAPEM": "tls_ca_pem", "Fingerprint": "tls_fingerprint",
}

func optionProblem(err error) diag.Diagnostic {
	option, ok := errors.AsType[*pve.OptionError](err)
	if !ok {
		return diag.NewErrorDiagnostic("The provider cannot be configured", err.Error()+".")
	}
	name := attributeOf[option.Option]
	if name == "" {
		name = option.Option
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(name), fmt.Sprintf("The provider's %s cannot be used", name), option.Reason+".")
}
