// Package functions lifts rules into functions of the configuration language:
// provider::proxmox::vmid_in_range, volume_owner, size_bytes and data_label.
//
// A function answers what the rule packages answer, in the same words. It asks
// no cluster and needs no provider block.
package functions

import "github.com/hashicorp/terraform-plugin-framework/function"

// All lists the functions.
func All() []func() function.Function {
	return []func() function.Function{newVMIDInRange, newVolumeOwner, newSizeBytes, newDataLabel}
}

// argument is the error of a rule about the argument at a position, from 0.
func argument(position int64, err error) *function.FuncError {
	return function.NewArgumentFuncError(position, err.Error())
}
