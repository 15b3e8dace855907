// Package actions holds what a configuration can have done without managing
// anything: a backup now, and the power of a guest. They need Terraform 1.14; older
// versions load the provider and do not see them.
//
// It decides what is asked of the cluster and what progress is told. An action
// leaves nothing in the state.
package actions

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/guest"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/lifecycle"
	"github.com/proxmox-guests/terraform-provider-proxmox/internal/provider/meta"
)

// All are the constructors of the actions.
func All() []func() action.Action {
	return []func() action.Action{
		func() action.Action { return &backup{base{name: "backup"}} },
		func() action.Action { return &power{base{name: "guest_power"}} },
	}
}

// base is what all actions share.
type base struct {
	name string
	data *meta.Data
}

// Metadata names the action.
func (b *base) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.name
}

// Configure takes what the provider block made.
func (b *base) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	data, d := meta.From(req.ProviderData)
	resp.Diagnostics.Append(d...)
	b.data = data
}

func (b *base) life() *lifecycle.Lifecycle { return lifecycle.New(b.data.Client, time.Now) }

// say tells progress where somebody listens.
func say(resp *action.InvokeResponse) func(string) {
	return func(text string) {
		if resp.SendProgress != nil {
			resp.SendProgress(action.InvokeProgressEvent{Message: text})
		}
	}
}

func vmid(what string) schema.Attribute {
	return schema.Int64Attribute{Required: true, MarkdownDescription: what,
		Validators: []validator.Int64{int64validator.Between(int64(guest.MinVMID), int64(guest.MaxVMID))}}
}
