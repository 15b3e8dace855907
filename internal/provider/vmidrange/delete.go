package vmidrange

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Delete drops the range from the state. The cluster knows nothing of it, and
// guests that have its numbers are other resources.
func (r *Resource) Delete(_ context.Context, _ resource.DeleteRequest, _ *resource.DeleteResponse) {}
