// Package provider wires the provider: its schema, its configuration and the
// list of what it offers. It decides where each setting comes from; what a
// resource does is in the folder of the resource.
package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	frameworklist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/actions"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/backup"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/container"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/datasources"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/functions"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/restore"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/snapshot"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/templatefile"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/vm"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/vmidrange"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/vzdumppolicy"
)

// Address is where the provider is found in a registry.
const Address = "registry.terraform.io/proxmox-guests/proxmox"

// TypeName is the prefix of every resource's name.
const TypeName = "proxmox"

// New returns the provider's constructor for one version of the binary.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &proxmox{version: version} }
}

type proxmox struct{ version string }

var (
	_ provider.Provider                  = &proxmox{}
	_ provider.ProviderWithFunctions     = &proxmox{}
	_ provider.ProviderWithActions       = &proxmox{}
	_ provider.ProviderWithListResources = &proxmox{}
)

// Metadata names the provider.
func (p *proxmox) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = TypeName
	resp.Version = p.version
}

// Resources lists what can be managed.
func (p *proxmox) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		container.New,
		vm.New,
		vmidrange.New,
		vzdumppolicy.New,
		backup.New,
		restore.New,
		snapshot.New,
		templatefile.New,
	}
}

// ListResources lists what terraform query can find.
func (p *proxmox) ListResources(context.Context) []func() frameworklist.ListResource {
	return []func() frameworklist.ListResource{container.NewList, vm.NewList}
}

// DataSources lists what can be looked up.
func (p *proxmox) DataSources(context.Context) []func() datasource.DataSource {
	return datasources.All()
}

// Functions lists what configurations can compute.
func (p *proxmox) Functions(context.Context) []func() function.Function { return functions.All() }

// Actions lists what can be done once.
func (p *proxmox) Actions(context.Context) []func() action.Action { return actions.All() }
