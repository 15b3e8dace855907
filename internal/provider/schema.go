package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Environment variables, by the names that users of other providers for Proxmox
// already export. The configuration wins over all of them.
const (
	envEndpoint       = "PROXMOX_VE_ENDPOINT"
	envEndpoints      = "PROXMOX_VE_ENDPOINTS"
	envAPIToken       = "PROXMOX_VE_API_TOKEN"
	envUsername       = "PROXMOX_VE_USERNAME"
	envPassword       = "PROXMOX_VE_PASSWORD"
	envOTP            = "PROXMOX_VE_OTP"
	envTLSCAPEM       = "PROXMOX_VE_TLS_CA_PEM"
	envTLSCAFile      = "PROXMOX_VE_TLS_CA_FILE"
	envTLSFingerprint = "PROXMOX_VE_TLS_FINGERPRINT"
	envInsecure       = "PROXMOX_VE_INSECURE"
	envVMIDRange      = "PROXMOX_VE_VMID_RANGE"
	envMaxParallel    = "PROXMOX_VE_MAX_PARALLEL_REQUESTS"
	envRequestTimeout = "PROXMOX_VE_REQUEST_TIMEOUT"
	envDefaultNode    = "PROXMOX_VE_DEFAULT_NODE"
	envAcknowledge    = "PROXMOX_VE_ACKNOWLEDGE"
)

// settings is the provider block.
type settings struct {
	Endpoint       types.String `tfsdk:"endpoint"`
	Endpoints      types.List   `tfsdk:"endpoints"`
	APIToken       types.String `tfsdk:"api_token"`
	Username       types.String `tfsdk:"username"`
	Password       types.String `tfsdk:"password"`
	OTP            types.String `tfsdk:"otp"`
	TLSCAPEM       types.String `tfsdk:"tls_ca_pem"`
	TLSCAFile      types.String `tfsdk:"tls_ca_file"`
	TLSFingerprint types.String `tfsdk:"tls_fingerprint"`
	Insecure       types.Bool   `tfsdk:"insecure"`
	VMIDRange      types.String `tfsdk:"vmid_range"`
	MaxParallel    types.Int64  `tfsdk:"max_parallel_requests"`
	RequestTimeout types.String `tfsdk:"request_timeout"`
	DefaultNode    types.String `tfsdk:"default_node"`
	Acknowledge    types.Set    `tfsdk:"acknowledge"`
}

// Schema describes the provider block.
func (p *proxmox) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Guests and backups of a Proxmox VE 8 or 9 cluster, by its API alone: no SSH.\n\n" +
			"Every attribute can come from the environment variable that its description names; the configuration wins.",
		Attributes: map[string]schema.Attribute{
			"endpoint": schema.StringAttribute{Optional: true,
				MarkdownDescription: env(envEndpoint, "Address of a node, for example `https://pve1.example.org:8006`."),
				Validators:          []validator.String{stringvalidator.ConflictsWith(path.MatchRoot("endpoints"))}},
			"endpoints": schema.ListAttribute{ElementType: types.StringType, Optional: true,
				MarkdownDescription: env(envEndpoints, "Addresses of several nodes of one cluster; separated by commas in the environment. The next one is tried when one is down; a request that may have been received is not sent again."),
				Validators:          []validator.List{listvalidator.SizeAtLeast(1)}},
			"api_token": schema.StringAttribute{Optional: true, Sensitive: true,
				MarkdownDescription: env(envAPIToken, "API token, `USER@REALM!NAME=SECRET`. A token is never root@pam for Proxmox, not even root's own: bind mounts, devices, hook scripts and features beyond `nesting` need `username` and `password` of root@pam."),
				Validators:          []validator.String{stringvalidator.ConflictsWith(path.MatchRoot("username"), path.MatchRoot("password"))}},
			"username": schema.StringAttribute{Optional: true,
				MarkdownDescription: env(envUsername, "User with its realm, for example `root@pam`, instead of a token.")},
			"password": schema.StringAttribute{Optional: true, Sensitive: true,
				MarkdownDescription: env(envPassword, "Password of `username`.")},
			"otp": schema.StringAttribute{Optional: true, Sensitive: true,
				MarkdownDescription: env(envOTP, "One-time password of the second factor, used for the first login.")},
			"tls_ca_pem": schema.StringAttribute{Optional: true,
				MarkdownDescription: env(envTLSCAPEM, "Certificates (PEM) to trust beside the system's."),
				Validators:          []validator.String{stringvalidator.ConflictsWith(path.MatchRoot("tls_ca_file"))}},
			"tls_ca_file": schema.StringAttribute{Optional: true,
				MarkdownDescription: env(envTLSCAFile, "File with certificates (PEM) to trust beside the system's.")},
			"tls_fingerprint": schema.StringAttribute{Optional: true,
				MarkdownDescription: env(envTLSFingerprint, "SHA-256 fingerprint of the node's certificate, several separated by commas: the safe way to trust a self-signed one.")},
			"insecure": schema.BoolAttribute{Optional: true,
				MarkdownDescription: env(envInsecure, "Whether any certificate is trusted. Whoever is between you and the node then gets your credentials; use `tls_fingerprint` instead. Default: `false`.")},
			"vmid_range": schema.StringAttribute{Optional: true,
				MarkdownDescription: env(envVMIDRange, "VMIDs that this provider may touch, both ends inclusive, for example `5000-8999`. Guests outside of it are neither changed nor read. Default: no limit.")},
			"max_parallel_requests": schema.Int64Attribute{Optional: true,
				MarkdownDescription: env(envMaxParallel, "Requests at a time. Default: 4, a little more than a node has workers."),
				Validators:          []validator.Int64{int64validator.Between(1, 64)}},
			"request_timeout": schema.StringAttribute{Optional: true,
				MarkdownDescription: env(envRequestTimeout, "How long one request may take, for example `90s`. Default: `60s`.")},
			"default_node": schema.StringAttribute{Optional: true,
				MarkdownDescription: env(envDefaultNode, "Node of guests that name none.")},
			"acknowledge": schema.SetAttribute{ElementType: types.StringType, Optional: true,
				MarkdownDescription: env(envAcknowledge, "Tokens of reconcile records that a human has looked into: the signature that closes them. Separated by commas in the environment.")},
		},
	}
}

func env(name, description string) string {
	return description + " Environment: `" + name + "`."
}
