package vm

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Create is a stub.
func (r *Resource) Create(context.Context, resource.CreateRequest, *resource.CreateResponse) {}

// Read is a stub.
func (r *Resource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Update is a stub.
func (r *Resource) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {}

// Delete is a stub.
func (r *Resource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// ModifyPlan is a stub.
func (r *Resource) ModifyPlan(context.Context, resource.ModifyPlanRequest, *resource.ModifyPlanResponse) {
}

// ValidateConfig is a stub.
func (r *Resource) ValidateConfig(context.Context, resource.ValidateConfigRequest, *resource.ValidateConfigResponse) {
}
