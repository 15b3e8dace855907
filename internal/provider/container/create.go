package container

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Create is a stub.
func (r *Resource) Create(_ context.Context, _ resource.CreateRequest, _ *resource.CreateResponse) {}

// Update is a stub.
func (r *Resource) Update(_ context.Context, _ resource.UpdateRequest, _ *resource.UpdateResponse) {}

// Delete is a stub.
func (r *Resource) Delete(_ context.Context, _ resource.DeleteRequest, _ *resource.DeleteResponse) {}

