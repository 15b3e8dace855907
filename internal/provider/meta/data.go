// Package meta is what the provider block hands to every resource, data source,
// list and action: the client, the boundary of VMIDs, the shared listing of the
// cluster, the allocator of numbers and the defaults.
//
// It decides what is ours to touch and what was already asked in this process.
// It knows no resource and no schema.
package meta

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/proxmox-guests/terraform-provider-proxmox/internal/pve"
)

// Data is handed to every resource by Configure. It lives as long as one
// process of the provider: one plan or one apply.
type Data struct {
	Client *pve.Client

	// DefaultNode is the node of a guest whose configuration names none; empty
	// when the provider block names none either.
	DefaultNode string

	// Boundary is the range of VMIDs outside which nothing is touched or read.
	Boundary Boundary

	// Acknowledged holds the tokens of reconcile records that a human has closed.
	Acknowledged map[string]bool

	// Guests is the listing of all guests of the cluster, asked for once.
	Guests *Listing

	// Survey says which numbers are taken, and by what.
	Survey *Survey

	// Templates remembers which templates were found, by node and volume id.
	Templates Memo

	// VMIDs gives out numbers to guests that name none.
	VMIDs Allocator

	// Ranges are the proxmox_vmid_range resources planned in this process.
	Ranges *Ranges
}

// From returns the Data of a Configure request. It is nil, without a
// diagnostic, while the framework validates before the provider is configured.
func From(providerData any) (*Data, diag.Diagnostics) {
	if providerData == nil {
		return nil, nil
	}
	data, ok := providerData.(*Data)
	if !ok {
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic("The provider handed over data of a wrong type",
			fmt.Sprintf("Expected *meta.Data, got %T. This is a bug in the provider; please report it.", providerData))}
	}
	return data, nil
}
